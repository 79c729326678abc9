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

const offered = (site: Site, controller: string, fabric: "A" | "B"): number =>
  site.array.ports.filter((port) => port.controller === controller && port.fabric === fabric)
    .length;

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
            const fewest = Math.min(
              ...controllers.map((controller) => offered(site, controller, fabric)),
            );
            for (const controller of controllers) expect(of(controller)).toBe(fewest);
            const own = site.hosts.find(({ name }) => name === host.host)?.hbas ?? [];
            expect(Object.values(side.initiators)).toEqual(
              own.filter((hba) => hba.fabric === fabric).map((hba) => hba.wwpn),
            );
          }
          const { A, B } = host.fabrics;
          // The example's hosts have one port on each fabric.
          expect(host.expectedPaths).toBe(A.targetKeys.length + B.targetKeys.length);
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
        const controllers = [...new Set(site.array.ports.map((port) => port.controller))];
        for (const fabric of ["A", "B"] as const) {
          const fewest = Math.min(
            ...controllers.map((controller) => offered(site, controller, fabric)),
          );
          const expected = Math.min(fewest, Math.floor((most ?? Infinity) / 2));
          for (const controller of controllers) {
            const keys = used[fabric].filter((key) => key.startsWith(controller));
            expect(keys).toHaveLength(expected);
          }
        }
      }),
    );
  });

  it("gives a host with two ports on each fabric every path of each of them", () => {
    const site = exampleSite(1);
    const [host] = site.hosts;
    const hbas = [...host!.hbas, ...host!.hbas].map((hba, index) => ({
      ...hba,
      adapter: `vmhba${index.toString()}`,
    }));
    const [zoning] = planZoning(site, [{ ...host!, hbas }]);
    expect(zoning!.fabrics.A.targetKeys).toEqual(["n1_a", "n2_a"]);
    expect(zoning!.fabrics.B.targetKeys).toEqual(["n1_b", "n2_b"]);
    expect(zoning!.expectedPaths).toBe(8);
  });
});
