import { readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { SanbedError } from "../bed/errors";
import { parseBedId } from "../bed/identities";
import { parseSite } from "../bed/site";
import { openBed } from "../provider/resources/bed-context";
import { sweepBed } from "../provider/resources/sweep-bed";

/** `sanbed sweep`: the way out when a stack's state is lost. Touches only what carries the mark. */
export async function sweepCommand(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...argv],
    options: { site: { type: "string" }, bed: { type: "string" } },
  });
  const bedId = parseBedId(values.bed ?? "");
  if (values.site === undefined || bedId === undefined) {
    process.stderr.write("sanbed sweep --site FILE --bed ID (ten characters of a-z2-7)\n");
    return 2;
  }
  const site = parseSite(readJson(values.site));
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
    const removed = await sweepBed(bed, { signal: stop.signal });
    for (const line of removed) process.stdout.write(`removed ${line}\n`);
    process.stdout.write(`${removed.length.toString()} objects of bed ${bedId} removed\n`);
    return 0;
  } finally {
    await bed.close();
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new SanbedError(
      "config",
      `${file} cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
