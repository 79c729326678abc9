import { readFileSync } from "node:fs";
import { z } from "zod";
import { brocadeFosConfig, openBrocadeFos } from "../../provider/devices/brocade-fos/config";
import { environment } from "./device-environment";

const orderShape = z.object({
  device: z.string(),
  config: brocadeFosConfig,
  stateFolder: z.string(),
  alias: z.string(),
  member: z.string(),
});

/** Stages a change on a switch in a process of its own, says so, and waits to be killed. */
async function main(): Promise<void> {
  const order = orderShape.parse(JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")));
  const fabric = openBrocadeFos(order.device, order.config, {
    ...environment(),
    stateFolder: order.stateFolder,
  });
  await fabric.stage({ signal: AbortSignal.timeout(20_000) }, () => ({
    upsertAliases: new Map([[order.alias, [order.member]]]),
    upsertZones: new Map(),
    removeAliases: [],
    removeZones: [],
  }));
  process.stdout.write("staged\n");
  setInterval(() => undefined, 60_000);
}

void main();
