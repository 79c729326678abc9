import type { PortCounter, SwitchPort } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Tree } from "./media";
import type { Readings } from "./release";

/** Leaves that the lab counts, by the world's counter. */
const counted: readonly (readonly [string, PortCounter])[] = [
  ["in-octets", "octetsInCount"],
  ["out-octets", "octetsOutCount"],
  ["in-frames", "framesInCount"],
  ["out-frames", "framesOutCount"],
  ["class-3-frames", "framesInCount"],
  ["crc-errors", "crcErrorCount"],
  ["in-crc-errors", "crcErrorCount"],
  ["encoding-errors-outside-frame", "encodingErrorCount"],
  ["invalid-transmission-words", "invalidWordCount"],
  ["link-failures", "linkFailureCount"],
  ["loss-of-sync", "lossOfSyncCount"],
  ["loss-of-signal", "lossOfSignalCount"],
  ["class-3-discards", "class3DiscardCount"],
  ["class3-in-discards", "class3DiscardCount"],
  ["class3-out-discards", "timeoutDiscardCount"],
  ["bb-credit-zero", "creditZeroCount"],
  ["pcs-block-errors", "fecUncorrectedCount"],
];

/** Leaves that every release has and nothing in the lab moves. */
const still: readonly string[] = [
  "in-multicast-pkts",
  "out-multicast-pkts",
  "in-link-resets",
  "out-link-resets",
  "in-offline-sequences",
  "out-offline-sequences",
  "invalid-ordered-sets",
  "frames-too-long",
  "truncated-frames",
  "address-errors",
  "delimiter-errors",
  "encoding-disparity-errors",
  "too-many-rdys",
  "bad-eofs-received",
  "multicast-timeouts",
  "in-lcs",
  "in-frame-rate",
  "out-frame-rate",
  "in-max-frame-rate",
  "out-max-frame-rate",
  "in-rate",
  "out-rate",
  "in-peak-rate",
  "out-peak-rate",
  "input-buffer-full",
  "f-busy-frames",
  "p-busy-frames",
  "f-rjt-frames",
  "p-rjt-frames",
  "class-1-frames",
  "class-2-frames",
  "primitive-sequence-protocol-error",
];

/**
 * `brocade-interface/fibrechannel-statistics` of one port: the leaves that all releases have
 * (brocade-fibrechannel.yang of 8.2.0, brocade-interface.yang since).
 */
export function portStatistics(
  port: DeepReadonly<SwitchPort>,
  nowMs: number,
  form: Readings["counters"],
): Tree {
  const counter = (value: bigint): bigint | string =>
    form === "string" ? value.toString() : value;
  return {
    name: port.name,
    "sampling-interval": 1,
    "time-generated": Math.floor(nowMs / 1000),
    ...Object.fromEntries(
      counted.map(([leaf, name]) => [leaf, counter(port.counters?.[name] ?? 0n)]),
    ),
    ...Object.fromEntries(still.map((leaf) => [leaf, counter(0n)])),
  };
}
