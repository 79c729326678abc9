import { z } from "zod";
import { labError } from "./emulator/lab-error";
import type { VolumeIo } from "./io-ledger";
import type { SanProcess } from "./san-process";

const count = z.string().regex(/^\d+$/).transform(BigInt);
const countersSchema = z.array(
  z.object({
    ...{ volumeId: z.string(), host: z.string() },
    ...{ reads: count, readBytes: count, readMicros: count },
    ...{ writes: count, writeBytes: count, writeMicros: count },
    ...{ trims: count, flushes: count },
  }),
);

/** What the SAN process has counted, by volume and host. @throws {SanbedError} `lab`. */
export async function readVolumeIo(san: SanProcess): Promise<readonly VolumeIo[]> {
  const answer = await san.call("GET", "blocks/volumes");
  const result = countersSchema.safeParse(answer.body);
  if (answer.status !== 200 || !result.success) {
    throw labError(`the SAN process answered its counters with status ${answer.status.toString()}`);
  }
  return result.data.map(({ volumeId, host, trims, flushes, ...io }) => ({
    ...{ volumeId, host, io: { ...io, others: trims + flushes } },
  }));
}
