import fc from "fast-check";
import type { Site } from "../../bed/site";
import { chooseTargets, planZoning } from "../../bed/zoning-plan";
import { exampleSite } from "../support/example-site";

/** The example site with any number of target ports on each controller and fabric. */
const sites = fc
  .tuple(fc.nat(4), fc.nat(4), fc.nat(4), fc.nat(4), fc.integer({ min: 1, max: 12 }))
  .map(([a1, b1, a2, b2, hosts]): Site => {
    const ports = (controller: string, fabric: "A" | "B", count: number) =>
      Array.from({ length: count }, (_, index) => ({
        key: `${controller}_${fabric.toLowerCase()}${index.toString()}`,
        controller,
        port: `${fabric}${index.toString()}`,
        fabric,
      }));
    const site = exampleSite(hosts);
    return {
      ...site,
      array: {
        ...site.array,
        ports: [
          ...ports("n1", "A", a1),
          ...ports("n2", "A", a2),
          ...ports("n1", "B", b1),
          ...ports("n2", "B", b2),
        ],
      },
    };
  });

describe("zoning", () => {
  it("gives every initiator as many target ports of each controller, and never mixes fabrics", () => {
    fc.assert(
      fc.property(sites, (site) => {
        const fabricOf = new Map(site.array.ports.map((port) => [port.key, port]));
        for (const host of planZoning(site, site.hosts)) {
          for (const fabric of ["A", "B"] as const) {
            const side = host.fabrics[fabric];
            expect(side.device).toBe(site.fabrics[fabric].device);
            const ports = side.targetKeys.map((key) => fabricOf.get(key));
            expect(ports.every((port) => port?.fabric === fabric)).toBe(true);
            const of = (controller: string): number =>
              ports.filter((port) => port?.controller === controller).length;
            const controllers = [...new Set(site.array.ports.map((port) => port.controller))];
            expect(new Set(controllers.map(of)).size).toBeLessThanOrEqual(1);
            const own = site.hosts.find(({ name }) => name === host.host)?.hbas ?? [];
            expect(Object.values(side.initiators)).toEqual(
              own.filter((hba) => hba.fabric === fabric).map((hba) => hba.wwpn),
            );
          }
        }
      }),
    );
  });

  it("says of every port that it leaves out why, and leaves none out without need", () => {
    fc.assert(
      fc.property(sites, fc.option(fc.integer({ min: 2, max: 6 })), (site, most) => {
        const { used, unused } = chooseTargets(site, most ?? undefined);
        const all = [...used.A, ...used.B, ...unused.map(({ key }) => key)];
        expect(all.toSorted()).toEqual(site.array.ports.map(({ key }) => key).toSorted());
        for (const { reason } of unused) expect(reason).toMatch(/another controller|at most/);
        if (most === null) return;
        const perController = ["n1", "n2"].map((name) =>
          [...used.A, ...used.B].filter((key) => key.startsWith(name)),
        );
        for (const keys of perController) expect(keys.length).toBeLessThanOrEqual(most);
      }),
    );
  });
});
