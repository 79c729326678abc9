import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { findPlan } from "../../bed/plan";
import { parseSettings } from "../../bed/settings";
import { siteJsonSchema } from "../../bed/site/json-schema";
import { checkDevices } from "../../provider/devices/registry";
import { deviceKinds } from "../../provider/resources/provider-config";
import { reviewBeds } from "../../stacks/beds/catalogue";
import { readSite } from "../../stacks/input-file";

const sites = resolve(__dirname, "..", "..", "stacks", "sites");

test("the example site is one, for the drivers too, and beds fit on it", () => {
  const site = readSite(resolve(sites, "example.yaml"));
  expect(checkDevices(deviceKinds, site.devices)).toEqual([]);
  for (const phase of ["sysbench", "vdbench"]) {
    const settings = parseSettings({
      bedId: "abcdefghij",
      stack: "t",
      phase,
      runId: "1",
      scale: {},
    });
    const { plan, problems } = findPlan(reviewBeds["aff-a250-fcp"]!, site, settings);
    expect(problems).toEqual([]);
    // What the snapshot says is taken stays free of guests.
    const addresses = plan!.guests.map(({ address }) => address);
    expect(addresses).not.toEqual(expect.arrayContaining(["192.0.2.20"]));
    expect(addresses[0]).toBe("192.0.2.11");
  }
});

test("the schema for editors is that of the code: `node dist/tools/generate-site-schema.js` writes it", () => {
  const committed: unknown = JSON.parse(readFileSync(resolve(sites, "site.schema.json"), "utf8"));
  expect(committed).toEqual(JSON.parse(JSON.stringify(siteJsonSchema())));
});

test("SQL Server guests of the example run on the cluster for SQL Server, drivers on the other", () => {
  const settings = { bedId: "abcdefghij", stack: "t", phase: "sqlserver", runId: "1", scale: {} };
  const site = readSite(resolve(sites, "example.yaml"));
  const { plan } = findPlan(reviewBeds["aff-a250-fcp"]!, site, parseSettings(settings));
  const clusters = (role: string): unknown => [
    ...new Set(
      plan!.guests
        .filter((guest) => guest.role === role)
        .map((guest) => plan!.hosts.find(({ name }) => name === guest.host)?.cluster),
    ),
  ];
  expect(clusters("test")).toEqual(["review-sql"]);
  expect(clusters("driver")).toEqual(["review-mysql"]);
});
