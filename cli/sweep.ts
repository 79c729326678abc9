import path from "node:path";
import { parseArgs } from "node:util";
import { parseBedId } from "../bed/identities";
import { openBed, type OpenBed } from "../provider/resources/bed-context";
import { takeInventory } from "../provider/resources/bench-certificate";
import { sweepBed } from "../provider/resources/sweep-bed";
import { readSite } from "../stacks/input-file";

/**
 * `sanbed sweep`: the way out when a stack's state is lost. Lists what carries the mark; removes it only
 * with `--yes`, since the bed may well be in use by a stack whose state is somewhere else.
 */
export async function sweepCommand(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { site: { type: "string" }, bed: { type: "string" }, yes: { type: "boolean" } },
  });
  const bedId = parseBedId(values.bed ?? "");
  if (values.site === undefined || bedId === undefined) {
    process.stderr.write(
      "sanbed sweep --site FILE --bed ID [--yes]   (ID: ten characters of a-z2-7)\n",
    );
    return 2;
  }
  const site = readSite(values.site);
  const bed = openBed({
    bedId,
    folder: path.resolve(".sanbed", "beds", bedId),
    devices: site.devices,
  });
  const stop = new AbortController();
  process.once("SIGINT", () => {
    stop.abort();
  });
  try {
    return values.yes === true ? await remove(bed, stop.signal) : await list(bed, stop.signal);
  } finally {
    await bed.close();
  }
}

async function list(bed: OpenBed, signal: AbortSignal): Promise<number> {
  const devices = [...bed.fabrics.keys(), ...bed.arrays.keys(), ...bed.hypervisors.keys()];
  const marked = (await takeInventory(bed, devices, { signal })).filter(
    (entry) => entry.bedId === bed.bedId,
  );
  for (const { device, class: kind, name } of marked) {
    process.stdout.write(`${device}: ${kind} ${name}\n`);
  }
  process.stdout.write(
    marked.length === 0
      ? `nothing carries the mark of bed ${bed.bedId}\n`
      : `${marked.length.toString()} objects carry the mark of bed ${bed.bedId}. If no stack uses it any more, ` +
          "remove them with --yes.\n",
  );
  return 0;
}

async function remove(bed: OpenBed, signal: AbortSignal): Promise<number> {
  const removed = await sweepBed(bed, { signal });
  for (const line of removed) process.stdout.write(`removed ${line}\n`);
  process.stdout.write(`${removed.length.toString()} objects of bed ${bed.bedId} removed\n`);
  return 0;
}
