import fc from "fast-check";
import { ConfigError } from "../../bed/errors";
import { parseSite, type Site } from "../../bed/site";
import { exampleSite } from "../support/example-site";
import { problemsOf, set } from "../support/site-problems";

describe("a site inventory", () => {
  it("comes back as it was when there is nothing wrong, and again when it is read again", () => {
    expect(problemsOf(() => undefined)).toEqual([]);
    expect(parseSite(parseSite(exampleSite()))).toEqual(exampleSite());
  });

  it("names a WWPN that is listed twice, whatever its spelling, and both its places", () => {
    const twice = problemsOf((site) => {
      site.hosts[1]!.hbas[0]!.wwpn = site.hosts[0]!.hbas[0]!.wwpn.toUpperCase();
    });
    expect(twice).toEqual([
      expect.stringMatching(
        /^hosts\[1\]\.hbas\[0\]\.wwpn: WWPN 10:00:00:00:00:00:00:0a is listed twice: .*vmhba2 of host "esx01.example" \(hosts\[0\]\.hbas\[0\]\.wwpn\)/,
      ),
    ]);
  });

  it("names a WWPN that is on both fabrics", () => {
    const [both] = problemsOf((site) => {
      site.hosts[0]!.hbas[1]!.wwpn = site.hosts[0]!.hbas[0]!.wwpn;
    });
    expect(both).toMatch(/hosts\[0\]\.hbas\[1\]\.wwpn: .*there on fabric A and here on fabric B/);
  });

  it("names a host port that is also a target port, and a switch port on both fabrics", () => {
    const problems = problemsOf((site) => {
      site.array.ports[0]!.wwpn = site.hosts[0]!.hbas[0]!.wwpn;
      site.array.ports[0]!.switchPort = { switch: "sw1", port: "0/1" };
      site.array.ports[1]!.switchPort = { switch: "sw1", port: "0/1" };
    });
    expect(problems).toEqual([
      expect.stringMatching(/^array\.ports\[0\]\.wwpn: WWPN .* is listed twice/),
      expect.stringMatching(/^array\.ports\[1\]\.wwpn: port "0\/1" of "sw1" is on fabric B here/),
    ]);
  });

  it("reports all problems at once, those of form and those of meaning, and repeats no secret", () => {
    const problems = problemsOf((site) => {
      site.hosts[0]!.hbas[0]!.wwpn = "10:00";
      set(site, { colour: "blue" });
      set(site.hosts[1]!, { clutser: "cluster1", cluster: undefined });
      site.devices["array"]!.credentials = "hunter2";
      site.hosts[2]!.name = site.hosts[3]!.name;
      set(site.hosts[4]!, { cluster: "elsewhere" });
    });
    expect(problems).toEqual([
      expect.stringMatching(/^devices\.array\.credentials: expected a reference/),
      expect.stringMatching(/^hosts\[0\]\.hbas\[0\]\.wwpn: not a WWPN/),
      expect.stringMatching(/^hosts\[1\]\.cluster: is missing: expected a text/),
      "hosts[1].clutser: there is no such setting (did you mean cluster?)",
      expect.stringMatching(/^colour: there is no such setting \(settings here are .*hosts/),
      expect.stringMatching(/^hosts\[3\]\.name: the host "esx04\.example" is listed twice/),
      expect.stringMatching(/^hosts\[4\]\.cluster: "elsewhere" is no cluster of this site/),
    ]);
    expect(problems.join("\n")).not.toMatch(/hunter2/);
  });

  it("says what to write where YAML took a text for a number", () => {
    const problems = problemsOf((site) => {
      set(site.hosts[0]!.hbas[0]!, { wwpn: 1000000000000001 });
      set(site.array.pools[0]!, { freeBytes: 3_000_000_000_000 });
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /pools\[0\]\.freeBytes: expected a text, found a number \(write it in quotes/,
      ),
      expect.stringMatching(
        /hbas\[0\]\.wwpn: expected a text, found a number \(write it in quotes/,
      ),
    ]);
  });

  it("takes a pool's free space as digits or as one size, and refuses mixed units", () => {
    const site = structuredClone(exampleSite());
    site.array.pools[0]!.freeBytes = "9.5 TiB";
    expect(parseSite(site).array.pools[0]!.freeBytes).toBe("10445360463872");
    set(site.hypervisor, { datastores: [{ name: "site", freeBytes: "8.63 TB" }] });
    site.array.pools[1]!.freeBytes = "9.8 TiB";
    const read = parseSite(site);
    expect(read.hypervisor.datastores?.[0]?.freeBytes).toBe("8630000000000");
    // 9.8 TiB are no whole bytes: what is measured is rounded down.
    expect(read.array.pools[1]!.freeBytes).toBe(((98n * 1024n ** 4n) / 10n).toString());
    for (const freeBytes of ["3 TB 200 GiB", "3", "three", "1.5", "3 T", "-1 TB", "3 TB/s", ""]) {
      const problems = problemsOf((one) => {
        one.array.pools[0]!.freeBytes = freeBytes;
      });
      expect(problems.join()).toMatch(freeBytes === "3" ? /^$/ : /pools\[0\]\.freeBytes: expected/);
    }
  });

  it("leaves a driver's own settings to the driver", () => {
    const site = structuredClone(exampleSite());
    set(site.devices["fabricA"]!, { vfId: 128 });
    expect(parseSite(site).devices["fabricA"]).toEqual(site.devices["fabricA"]);
  });

  it("refuses one switch for both fabrics, a fabric that names none, and one device twice", () => {
    const problems = problemsOf((site) => {
      site.fabrics.A.device = "array";
      site.fabrics.B.device = "array";
      site.devices["fabricB"]!.endpoint = site.devices["fabricA"]!.endpoint;
    });
    expect(problems).toEqual([
      expect.stringMatching(/^devices\.fabricB\.endpoint: is the same device as devices\.fabricA/),
      expect.stringMatching(/^fabrics\.A\.device: "array" is no Fibre Channel switch/),
      expect.stringMatching(/^fabrics\.B\.device: "array" is no Fibre Channel switch/),
      expect.stringMatching(/^fabrics: both fabrics name the same switch/),
    ]);
  });

  it("takes two VSANs of one MDS switch for two fabrics, and wants to know which", () => {
    const mds = (site: Site, vsans: readonly (number | undefined)[]): void => {
      ["fabricA", "fabricB"].forEach((name, index) => {
        const endpoint = site.devices["fabricA"]!.endpoint;
        set(site.devices[name]!, { kind: "cisco-mds", endpoint, vsan: vsans[index] });
      });
    };
    expect(
      problemsOf((site) => {
        mds(site, [10, 20]);
      }),
    ).toEqual([]);
    expect(
      problemsOf((site) => {
        mds(site, [10, 10]);
      }),
    ).toHaveLength(1);
    expect(
      problemsOf((site) => {
        mds(site, [10, undefined]);
      }),
    ).toEqual([expect.stringMatching(/^devices\.fabricB\.vsan: is missing/)]);
    expect(
      problemsOf((site) => {
        mds(site, [4094, 20]);
      }),
    ).toEqual([expect.stringMatching(/^devices\.fabricA\.vsan: /)]);
  });

  it("wants a tenant where the family has them, and none where it has not", () => {
    const family = (site: Site, kind: string, target: unknown): void => {
      set(site.devices["array"]!, { kind });
      set(site.array, { family: kind, target });
    };
    expect(
      problemsOf((site) => {
        family(site, "ontap", undefined);
      }).join(),
    ).toMatch(/^array\.target: is missing/);
    expect(
      problemsOf((site) => {
        family(site, "ontap", { mode: "use" });
      }).join(),
    ).toMatch(/^array\.target\.name: is missing/);
    for (const kind of ["santricity", "eternus", "xcubesan"]) {
      expect(
        problemsOf((site) => {
          family(site, kind, undefined);
        }),
      ).toEqual([]);
      expect(
        problemsOf((site) => {
          family(site, kind, { mode: "create" });
        }).join(),
      ).toMatch(/^array\.target\.mode: .* has no tenants/);
    }
  });

  it("reads address ranges, and names addresses that no guest may have", () => {
    const site = structuredClone(exampleSite());
    site.guests.addresses = ["127.0.21.254-127.0.22.1", "127.0.30.7"];
    expect(parseSite(site).guests.addresses).toEqual([
      "127.0.21.254",
      "127.0.21.255",
      "127.0.22.0",
      "127.0.22.1",
      "127.0.30.7",
    ]);
    const wrong = problemsOf((one) => {
      one.guests.addresses = ["127.0.0.1", "127.0.0.0", "127.1.0.1", "127.0.0.9", "127.0.0.9"];
    });
    expect(wrong).toEqual([
      expect.stringMatching(/127\.0\.0\.1 is the gateway's own/),
      expect.stringMatching(/127\.0\.0\.0 is the address of the network/),
      expect.stringMatching(/127\.1\.0\.1 is not in the network of the gateway/),
      expect.stringMatching(/127\.0\.0\.9 is listed twice/),
    ]);
    for (const entry of [
      "127.0.0.9-127.0.0.3",
      "127.0.0.1-127.255.0.1",
      "127.0.0.256",
      "a-b-c",
      "",
    ]) {
      const problems = problemsOf((one) => {
        one.guests.addresses = [entry];
      });
      expect(problems).toEqual([expect.stringMatching(/^guests\.addresses\[0\]: /)]);
    }
  });

  it("joins the LUN numbers of the snapshot with those of the hosts", () => {
    const site = structuredClone(exampleSite());
    site.hosts[0]!.lunsTaken = [7, 0];
    const name = site.hosts[0]!.name;
    set(site, { occupancy: { luns: { [name]: [0, 3] }, addresses: ["127.0.0.5-127.0.0.6"] } });
    const read = parseSite(site);
    expect(read.hosts[0]!.lunsTaken).toEqual([0, 3, 7]);
    expect(read.occupancy?.addresses).toEqual(["127.0.0.5", "127.0.0.6"]);
    expect(parseSite(read)).toEqual(read);
    const unknown = problemsOf((one) => {
      set(one, { occupancy: { luns: { nobody: [1] } } });
    });
    expect(unknown).toEqual([
      expect.stringMatching(/^occupancy\.luns\.nobody: the site has no host/),
    ]);
  });

  it("wants files by absolute path and checksum, endpoints without secrets, sound NQNs", () => {
    const problems = problemsOf((site) => {
      set(site, { media: { sqlserver: { path: "sql.iso", sha256: "abc" } } });
      site.devices["array"]!.endpoint = "https://admin:hunter2@array.example.com/api";
      site.hosts[0]!.nqn = "esx01";
    });
    expect(problems).toEqual([
      expect.stringMatching(/^devices\.array\.endpoint: .*nothing more/),
      expect.stringMatching(/^hosts\[0\]\.nqn: not an NQN/),
      expect.stringMatching(/^media\.sqlserver\.path: expected an absolute path/),
      expect.stringMatching(/^media\.sqlserver\.sha256: expected 64 hex digits/),
    ]);
    expect(problems.join()).not.toMatch(/hunter2/);
  });

  it("wants the boot disks' datastore among those that are listed", () => {
    const problems = problemsOf((site) => {
      site.hypervisor.datastores = [{ name: "ds1" }, { name: "ds1" }];
    });
    expect(problems).toEqual([
      expect.stringMatching(
        /^hypervisor\.datastores\[1\]\.name: the datastore "ds1" is listed twice/,
      ),
      expect.stringMatching(/^hypervisor\.siteDatastore: "site" is not among/),
    ]);
  });
});

/** Any place in a value, as the keys that lead there. */
function places(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, one]) => places(one, [...path, key]))];
}

function replaced(value: unknown, path: readonly string[], by: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((one: unknown, index) =>
      index.toString() === key ? replaced(one, rest, by) : one,
    );
  }
  return Object.fromEntries(
    Object.entries(value as object).map(([name, one]) => [
      name,
      name === key ? replaced(one, rest, by) : one,
    ]),
  );
}

describe("a site with anything wrong in it", () => {
  const site = exampleSite(2, 4);
  const anywhere = fc.constantFrom(...places(site));
  const odd = fc.oneof(
    fc.jsonValue(),
    fc.string(),
    fc.constantFrom(undefined, Number.NaN, 1n, "__proto__", "constructor", "\u001b[2J", [], {}),
  );

  it("is read, or refused with the path of each problem and in one line each, never in another way", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anywhere, odd), { minLength: 1, maxLength: 3 }), (changes) => {
        let input: unknown = site;
        for (const [path, value] of changes) {
          try {
            input = replaced(input, path, value);
          } catch {
            // The place went with an earlier change.
          }
        }
        try {
          parseSite(input);
        } catch (error) {
          if (!(error instanceof ConfigError)) throw error;
          expect(error.problems.length).toBeGreaterThan(0);
          for (const { path, message } of error.problems) {
            expect(`${path} ${message}`).not.toMatch(/[\u0000-\u001f\u007f]|undefined|\[object/);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it("has ten thousand unknown settings named, and without taking ten thousand times as long", () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]));
    const problems = problemsOf((one) => {
      set(one, many);
    });
    expect(problems).toHaveLength(10_000);
  }, 60_000);

  it("is refused at the very place where a needed value is missing", () => {
    const optional =
      /lunsTaken|freeBytes|tls|domain|sshPort|databasePort|templates\.sysbench\.user/;
    fc.assert(
      fc.property(anywhere, (path) => {
        fc.pre(path.length > 0 && !optional.test(path.join(".")));
        expect(() => parseSite(replaced(site, path, undefined))).toThrow(ConfigError);
      }),
    );
  });
});
