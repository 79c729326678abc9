import { ConfigError } from "../../bed/errors";
import { parseSite } from "../../bed/site";
import { exampleSite } from "../support/example-site";

function problemsOf(change: (site: ReturnType<typeof exampleSite>) => void): string {
  const site = structuredClone(exampleSite());
  change(site);
  try {
    parseSite(site);
    return "";
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message;
  }
}

describe("a site inventory", () => {
  it("comes back as it was when there is nothing wrong", () => {
    expect(problemsOf(() => undefined)).toBe("");
  });

  it("names a WWPN that is listed twice, whatever its spelling", () => {
    const twice = problemsOf((site) => {
      site.hosts[1]!.hbas[0]!.wwpn = site.hosts[0]!.hbas[0]!.wwpn.toUpperCase();
    });
    expect(twice).toMatch(/hosts: WWPN 10:00:00:00:00:00:00:0a is listed twice/);
  });

  it("reports all problems at once, each with its path", () => {
    const message = problemsOf((site) => {
      site.hosts[0]!.hbas[0]!.wwpn = "10:00";
      Object.assign(site, { colour: "blue" });
      site.devices["array"]!.credentials = "hunter2";
    });
    expect(message).toMatch(/hosts\.0\.hbas\.0\.wwpn: not a WWPN/);
    expect(message).toMatch(/colour/);
    expect(message).toMatch(/devices\.array\.credentials: expected a reference/);
    expect(message).not.toMatch(/hunter2/);
  });

  it("leaves a driver's own settings to the driver", () => {
    const site = structuredClone(exampleSite());
    Object.assign(site.devices["fabricA"]!, { vfId: 128 });
    expect(parseSite(site).devices["fabricA"]).toEqual(site.devices["fabricA"]);
  });

  it("refuses one switch for both fabrics, and a fabric that names no switch", () => {
    const message = problemsOf((site) => {
      site.fabrics.A.device = "array";
      site.fabrics.B.device = "array";
    });
    expect(message).toMatch(/fabrics.A.device: "array" is no brocade-fos device/);
    expect(message).toMatch(/both fabrics name the same switch/);
  });
});
