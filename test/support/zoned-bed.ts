import { targets } from "../../provider/resources/array-targets";
import type { BedContext } from "../../provider/resources/context";
import { call } from "./device-rig";
import { Driven, withTestBed } from "./handler-rig";
import { withLab, type TestLab, type TestLabOptions } from "./lab";

const targetPorts = new Driven(targets);

/** One fabric's part of the inputs of `HostZones`. */
export interface ZonesSide {
  device: string;
  initiators: Record<string, string>;
  targets: string[];
  zonePrefix: string;
}
export interface ZonesInputs {
  host: string;
  fabrics: Record<"A" | "B", ZonesSide>;
}

/** Targets on the array, and what a host of the site needs to be zoned with them. */
export async function withTargets(
  test: (context: BedContext, inputs: (host: number) => ZonesInputs, lab: TestLab) => Promise<void>,
  options: TestLabOptions = {},
): Promise<void> {
  await withLab("D", (lab) => onTargets(lab, test), options);
}

async function onTargets(
  lab: TestLab,
  test: (context: BedContext, inputs: (host: number) => ZonesInputs, lab: TestLab) => Promise<void>,
): Promise<void> {
  await withTestBed(lab, async (context) => {
    const ports = Object.fromEntries(
      lab.site.array.ports.map((port) => [
        port.key,
        { name: `t_${port.key}`, controller: port.controller, port: port.port },
      ]),
    );
    const made = await targetPorts.create(context, {
      ...{ device: "array", target: "t_svm", mode: "create", protocol: "fcp" },
      ports,
      pools: ["aggr_a", "aggr_b"],
    });
    const wwpns = made.state["targetPorts"] as Record<string, { wwpn: string }>;
    const side = (host: number, fabric: "A" | "B"): ZonesSide => ({
      device: `fabric${fabric}`,
      initiators: Object.fromEntries(
        lab.site.hosts[host]!.hbas.filter((hba) => hba.fabric === fabric).map((hba) => [
          hba.adapter,
          hba.wwpn,
        ]),
      ),
      targets: lab.site.array.ports
        .filter((port) => port.fabric === fabric)
        .map((port) => wwpns[port.key]!.wwpn),
      zonePrefix: "t",
    });
    const inputs = (host: number): ZonesInputs => ({
      host: lab.site.hosts[host]!.name,
      fabrics: { A: side(host, "A"), B: side(host, "B") },
    });
    await test(context, inputs, lab);
  });
}

export const inventories = async (context: BedContext): Promise<unknown[]> =>
  await Promise.all([...context.fabrics.values()].map((fabric) => fabric.inventory(call())));

export async function failure(work: Promise<unknown>): Promise<Error> {
  return await work.then(
    () => {
      throw new Error("it should have failed");
    },
    (error: unknown) => error as Error,
  );
}
