import { z } from "zod";
import type { ArrayCounters, ArrayDetails, ArrayEvent } from "../../array-evidence";

/** Shapes of what REST tells for the evidence. Counters may go beyond 2^53: they come as they were sent. */

/** A whole number, a bigint where JSON's own reading would lose digits (see `parseJson`). */
const count = z.union([z.int(), z.bigint()]).transform((value) => BigInt(value));

const named = z.looseObject({ name: z.string() });

export const nodeDetailsShape = z
  .looseObject({
    name: z.string(),
    model: z.string().optional(),
    serial_number: z.string().optional(),
    version: z.looseObject({ full: z.string() }).optional(),
    state: z.string().optional(),
    uptime: z.int().optional(),
  })
  .transform((one): ArrayDetails["controllers"][number] => ({
    name: one.name,
    model: one.model,
    serial: one.serial_number,
    software: one.version?.full,
    state: one.state ?? "unknown",
    uptimeSeconds: one.uptime,
  }));

export const portDetailsShape = z
  .looseObject({
    name: z.string(),
    node: named,
    state: z.string().optional(),
    wwpn: z.string().optional(),
    description: z.string().optional(),
    fabric: z.looseObject({ connected_speed: z.int().optional() }).optional(),
  })
  .transform((one): ArrayDetails["ports"][number] => ({
    name: one.name,
    controller: one.node.name,
    state: one.state,
    wwpn: one.wwpn,
    speedGbps: one.fabric?.connected_speed,
    description: one.description,
  }));

export const driveShape = z
  .looseObject({
    name: z.string(),
    model: z.string().optional(),
    firmware_version: z.string().optional(),
    class: z.string().optional(),
    usable_size: count.optional(),
  })
  .transform((one): ArrayDetails["drives"][number] => ({
    name: one.name,
    model: one.model,
    firmware: one.firmware_version,
    kind: one.class,
    sizeBytes: one.usable_size,
  }));

export const poolDetailsShape = z
  .looseObject({
    name: z.string(),
    node: named.optional(),
    block_storage: z
      .looseObject({
        primary: z
          .looseObject({ raid_type: z.string().optional(), disk_count: z.int().optional() })
          .optional(),
      })
      .optional(),
  })
  .transform((one): ArrayDetails["pools"][number] => ({
    name: one.name,
    controller: one.node?.name,
    raid: one.block_storage?.primary?.raid_type,
    drives: one.block_storage?.primary?.disk_count,
  }));

export const efficiencyShape = z
  .looseObject({
    name: z.string(),
    efficiency: z.record(z.string(), z.unknown()).optional(),
    qos: z.looseObject({ policy: named.optional() }).optional(),
  })
  .transform((one): ArrayDetails["volumes"][number] => ({
    name: one.name,
    efficiency: Object.fromEntries(
      Object.entries(one.efficiency ?? {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    ),
    qosPolicy: one.qos?.policy?.name,
  }));

const direction = z.looseObject({ read: count.optional(), write: count.optional() }).optional();

/** Raw values only go up; `status` other than `ok` says that they are not good. */
export const countersShape = z
  .looseObject({
    name: z.string(),
    statistics: z
      .looseObject({
        timestamp: z.string(),
        status: z.string().optional(),
        iops_raw: direction,
        throughput_raw: direction,
        latency_raw: direction,
      })
      .optional(),
  })
  .transform(
    ({
      name,
      statistics,
    }): {
      readonly name: string;
      readonly sample: Omit<ArrayCounters, "kind" | "name"> | undefined;
    } => {
      if (statistics === undefined || (statistics.status ?? "ok") !== "ok") {
        return { name, sample: undefined };
      }
      const { timestamp, iops_raw: ops, throughput_raw: bytes, latency_raw: times } = statistics;
      return {
        name,
        sample: {
          at: timestamp,
          readOps: ops?.read,
          writeOps: ops?.write,
          readBytes: bytes?.read,
          writeBytes: bytes?.write,
          readMicroseconds: times?.read,
          writeMicroseconds: times?.write,
        },
      };
    },
  );

export const eventShape = z
  .looseObject({
    time: z.string(),
    node: named.optional(),
    message: z.looseObject({ name: z.string(), severity: z.string().optional() }),
    log_message: z.string().optional(),
  })
  .transform((one): ArrayEvent => ({
    at: one.time,
    controller: one.node?.name,
    name: one.message.name,
    severity: one.message.severity ?? "unknown",
    text: one.log_message,
  }));
