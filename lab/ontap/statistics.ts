import { addIo, type IoTotals, noIo } from "../world/io";
import type { ArrayContext } from "./context";
import { timestamp } from "./jobs";
import type { Rec } from "./record";
import { date, type Field, integer, text } from "./shape";

/**
 * `statistics`: raw counters that only grow, latencies as sums in microseconds (REST reference,
 * "Performance monitoring"). `metric`, averages of the array's own making, is not modelled.
 */
export function statisticsFields(): Record<string, Field> {
  const parts = ["read", "write", "other", "total"];
  const raw = ["iops_raw", "latency_raw", "throughput_raw"].flatMap((group) =>
    parts.map((part) => [`statistics.${group}.${part}`, integer()] as const),
  );
  return {
    "statistics.status": text(),
    "statistics.timestamp": date(),
    ...Object.fromEntries(raw),
  };
}

export function statisticsRecord(ctx: ArrayContext, io: IoTotals): Rec {
  const number = Number;
  return {
    status: "ok",
    timestamp: timestamp(ctx.now()),
    iops_raw: {
      read: number(io.reads),
      write: number(io.writes),
      other: number(io.others),
      total: number(io.reads + io.writes + io.others),
    },
    latency_raw: {
      read: number(io.readMicros),
      write: number(io.writeMicros),
      other: 0,
      total: number(io.readMicros + io.writeMicros),
    },
    throughput_raw: {
      read: number(io.readBytes),
      write: number(io.writeBytes),
      other: 0,
      total: number(io.readBytes + io.writeBytes),
    },
  };
}

/** Of all that lies in a FlexVol. */
export function containerIo(ctx: ArrayContext, containerId: string): IoTotals {
  return Object.values(ctx.view.volumes)
    .filter((volume) => volume.containerId === containerId)
    .map((volume) => ctx.world.io.totals("volume", volume.id))
    .reduce(addIo, noIo);
}

/** Of the interfaces of an SVM that serve one protocol. */
export function serviceIo(
  ctx: ArrayContext,
  svmId: string,
  protocol: "nvme" | undefined,
): IoTotals {
  return Object.values(ctx.view.targetPorts)
    .filter((lif) => lif.tenantId === svmId && lif.protocol === protocol)
    .map((lif) => ctx.world.io.totals("targetPort", lif.id))
    .reduce(addIo, noIo);
}
