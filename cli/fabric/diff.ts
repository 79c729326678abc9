import { readFileSync } from "node:fs";
import { SanbedError } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import { openBed, type OpenBed } from "../../provider/resources/bed-context";
import {
  ensureWish,
  hostZonesInputs,
  hostZonesState,
  removeWish,
} from "../../provider/resources/fabric-host-zones-shape";
import type { ZoneWish } from "../../provider/resources/fabric-zone-request";
import { switchWords, wordLines } from "../../provider/resources/fabric-zone-words";
import { providerConfig } from "../../provider/resources/provider-config";
import { readStackText, type StackHost, type StackText } from "./stack-text";

/**
 * `sanbed fabric diff`: what a stack would change on its switches, in their own words. Reads only.
 * @returns exit code: 1 when the switches would refuse something.
 */
export async function fabricDiff(file: string, destroy: boolean): Promise<number> {
  const stack = readStackText(readText(file), destroy);
  const bed = openBed(providerOf(stack));
  const stop = new AbortController();
  process.once("SIGINT", () => {
    stop.abort();
  });
  try {
    return await printDiff(bed, stack, stop.signal);
  } finally {
    await bed.close();
  }
}

async function printDiff(bed: OpenBed, stack: StackText, signal: AbortSignal): Promise<number> {
  const wishes = stack.hosts.map((host) => wishOf(bed.bedId, host));
  const devices = [...new Set(wishes.flatMap(({ sides }) => sides.map(({ device }) => device)))];
  const all = await Promise.all(
    devices.sort().map(async (device) => {
      const fabric = bed.fabric(device);
      return switchWords(fabric, device, await fabric.zoning({ signal }), wishes, bed.bedId);
    }),
  );
  const lines = all.flatMap(wordLines);
  for (const name of stack.unknown) {
    lines.push(`${name}: its target ports are known only after the array has made them`);
  }
  if (lines.length === 0) lines.push("the stack would change nothing on any switch");
  process.stdout.write(`${lines.join("\n")}\n`);
  return all.some(({ refusals }) => refusals.length > 0) ? 1 : 0;
}

function wishOf(bedId: BedId, { change, inputs, recorded }: StackHost): ZoneWish {
  const known = recorded === undefined ? undefined : hostZonesState.parse(recorded);
  if (change === "ensure")
    return ensureWish(bedId, hostZonesInputs.parse(inputs), known?.owned ?? {});
  if (known !== undefined) return removeWish(known);
  throw new SanbedError("config", "a host's zones are removed, but the text has no record of them");
}

function providerOf({ provider }: StackText) {
  const parsed = providerConfig.safeParse(provider);
  if (parsed.success) return parsed.data;
  throw new SanbedError(
    "config",
    "the text has no settings of the sanbed provider: use `pulumi preview --json --show-sames`, or `pulumi stack export`",
  );
}

function readText(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SanbedError("config", `${file} cannot be read: ${reason}`);
  }
}
