import type { Site } from "../../bed/site";
import { exampleHostKey } from "../support/example-site";
import { problemsOf, set } from "../support/site-problems";

describe("ports, keys and entries of a site", () => {
  it("refuses names that no port has, and keys that are not whole", () => {
    const key = exampleHostKey.split(" ")[1]!;
    const problems = problemsOf((site) => {
      ["00:00:00:00:00:00:00:01", "ff:ff:ff:ff:ff:ff:ff:ff"].forEach((wwpn, index) => {
        site.hosts[0]!.hbas[index]!.wwpn = wwpn;
      });
      site.array.ports[0]!.wwpn = "60:0a:09:80:00:00:00:01";
      set(site.templates, {
        short: { name: "t", hostKey: "ssh-ed25519 AAAA" },
        cut: { name: "t", hostKey: `ssh-ed25519 ${key.slice(0, -4)}` },
        other: { name: "t", hostKey: `ssh-rsa ${key}` },
        unknown: { name: "t", hostKey: `ssh-dss ${key}` },
      });
    });
    expect(problems).toEqual([
      expect.stringMatching(/^array\.ports\[0\]\.wwpn: no port has such a WWPN/),
      expect.stringMatching(/^hosts\[0\]\.hbas\[0\]\.wwpn: no port has such a WWPN/),
      expect.stringMatching(/^hosts\[0\]\.hbas\[1\]\.wwpn: no port has such a WWPN/),
      expect.stringMatching(/^templates\.short\.hostKey: .* of another kind, or not whole/),
      expect.stringMatching(/^templates\.cut\.hostKey: .* has 48 bytes/),
      expect.stringMatching(/^templates\.other\.hostKey: .* of another kind/),
      expect.stringMatching(/^templates\.unknown\.hostKey: expected an authorized_keys line/),
    ]);
  });

  it.each(["10:00:00:10:9b:aa:00:01", "20:01:00:a0:98:00:00:01", "50:0a:09:80:00:00:00:01"])(
    "takes %s for a port",
    (wwpn) => {
      expect(
        problemsOf((site) => {
          site.array.ports[0]!.wwpn = wwpn;
        }),
      ).toEqual([]);
    },
  );

  it("refuses cables that lead to the other fabric, by the switches that ports are plugged into", () => {
    const plug = (site: Site, crossed: number): void => {
      site.hosts.forEach((host, index) => {
        host.hbas.forEach((hba, place) => {
          const side = (hba.fabric === "A") === (index !== crossed) ? "sw-a" : "sw-b";
          hba.switchPort = { switch: side, port: `${index}/${place}` };
        });
      });
    };
    expect(
      problemsOf((site) => {
        plug(site, -1);
      }),
    ).toEqual([]);
    const told = problemsOf((site) => {
      plug(site, 2);
    });
    expect(told).toEqual([
      expect.stringMatching(
        /^hosts\[2\]\.hbas\[1\]\.fabric: vmhba3 of host "esx03\.example" is said to be on fabric B, but its switch port is on switch "sw-a" of fabric A \(/,
      ),
      expect.stringMatching(/^hosts\[2\]\.hbas\[0\]\.fabric: .* "sw-b" of fabric B \(/),
    ]);
    // A single port is enough where the switch has the name of the fabric's device.
    expect(
      problemsOf((site) => {
        site.hosts[0]!.hbas[0]!.switchPort = { switch: site.fabrics.B.device, port: "4" };
      }),
    ).toEqual([expect.stringMatching(/^hosts\[0\]\.hbas\[0\]\.fabric: .*of fabric B/)]);
    // Two VSANs of one chassis: the same switch is on both.
    expect(
      problemsOf((site) => {
        plug(site, -1);
        const { endpoint } = site.devices["fabricA"]!;
        ["fabricA", "fabricB"].forEach((name, index) => {
          set(site.devices[name]!, { kind: "cisco-mds", endpoint, vsan: 10 + index });
        });
        for (const { hbas } of site.hosts) for (const hba of hbas) hba.switchPort!.switch = "mds";
      }),
    ).toEqual([]);
    // Two switches that hold two VSANs each: which one a port is in its switch does not tell.
    expect(
      problemsOf((site) => {
        plug(site, 2);
        ["fabricA", "fabricB"].forEach((name, index) => {
          set(site.devices[name]!, { kind: "cisco-mds", vsan: 10 + index });
        });
      }),
    ).toEqual([]);
  });

  it("takes one entry for several hosts where entries are groups, and refuses it elsewhere", () => {
    const share = (site: Site): void => {
      for (const host of site.hosts.slice(0, 2)) host.entry = { mode: "use", name: "ig_prod" };
    };
    expect(problemsOf(share)).toEqual([]);
    const told = problemsOf((site) => {
      share(site);
      set(site.devices["array"]!, { kind: "santricity" });
      set(site.array, { family: "santricity", target: undefined });
    });
    expect(told).toEqual([
      expect.stringMatching(
        /^hosts\[1\]\.entry\.name: one entry is one host, .*"ig_prod" is listed twice/,
      ),
    ]);
  });

  it("says in its own words what a value must be, whatever is there", () => {
    const problems = problemsOf((site) => {
      set(site.hosts[0]!.hbas[0]!, { fabric: "C" });
      set(site.hosts[1]!, { hbas: [], lunsTaken: [-1, 1.5] });
      set(site.array.ports[0]!, { key: "" });
      set(site.guests, { netmaskBits: 64, addresses: [], gateway: "nowhere" });
      set(site.hypervisor, { siteDatastore: "" });
      set(site, { hosts: [...site.hosts, 7], templates: [] });
    });
    expect(problems.length).toBeGreaterThan(9);
    expect(problems.join("\n")).not.toMatch(/Too |Invalid |>=|<=|expected string|object|array to/);
    expect(problems).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^hosts\[0\]\.hbas\[0\]\.fabric: expected A or B/),
        expect.stringMatching(/^hosts\[1\]\.hbas: is too short: at least 1 entry/),
        expect.stringMatching(/^guests\.netmaskBits: is too large: at most 32/),
        expect.stringMatching(/^guests\.gateway: is not written as it must be/),
        expect.stringMatching(/^templates: expected a map, found a list/),
      ]),
    );
  });
});
