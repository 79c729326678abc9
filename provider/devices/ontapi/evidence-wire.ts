import type { ArrayCounters, ArrayDetails, ArrayEvent } from "../array-evidence";
import { element } from "./ontapi-reader";

/** What ONTAPI tells for the evidence, element names from NetApp's bindings and Harvest's templates. */

export const nodeDetailsShape = element((from): ArrayDetails["controllers"][number] => ({
  name: from.text("node"),
  model: from.maybe("node-model"),
  serial: from.maybe("node-serial-number"),
  software: from.maybe("product-version"),
  state: from.flag("is-node-healthy") === false ? "down" : "up",
  uptimeSeconds: from.maybeNumber("node-uptime"),
}));

export const portDetailsShape = element((from): ArrayDetails["ports"][number] => ({
  name: from.text("adapter"),
  controller: from.text("node"),
  state: from.maybe("state"),
  wwpn: from.maybe("port-name"),
  speedGbps: from.maybeNumber("connection-speed") ?? from.maybeNumber("data-link-rate"),
  description: from.maybe("info-name"),
}));

export const driveShape = element((from): ArrayDetails["drives"][number] => ({
  name: from.text("disk-name"),
  model: from.maybe("disk-inventory-info.model"),
  firmware: from.maybe("disk-inventory-info.firmware-revision"),
  kind: from.maybe("disk-inventory-info.disk-type"),
  sizeBytes: undefined,
}));

export const poolDetailsShape = element((from): ArrayDetails["pools"][number] => ({
  name: from.text("aggregate-name"),
  controller: from.maybe("aggr-ownership-attributes.home-name"),
  raid: from.maybe("aggr-raid-attributes.raid-type"),
  drives: from.maybeNumber("aggr-raid-attributes.disk-count"),
}));

const efficiencyLeaves = [
  "state",
  "policy",
  "is-compression-enabled",
  "is-inline-compression-enabled",
  "is-inline-dedupe-enabled",
  "is-data-compaction-enabled",
  "is-cross-volume-inline-dedupe-enabled",
  "is-cross-volume-background-dedupe-enabled",
];

export const efficiencyShape = element((from) => ({
  name: from.text("path").replace(/^\/vol\//, ""),
  efficiency: Object.fromEntries(
    efficiencyLeaves.flatMap((leaf) => {
      const value = from.maybe(leaf);
      return value === undefined ? [] : [[leaf, value]];
    }),
  ),
}));

/** Of either kind: a volume has one at most. */
export const limitShape = element((from): readonly [name: string, policy: string | undefined] => [
  from.text("volume-id-attributes.name"),
  from.maybe("volume-qos-attributes.policy-group-name") ??
    from.maybe("volume-qos-attributes.adaptive-policy-group-name"),
]);

export const limitLeaves = {
  "volume-id-attributes": { name: "" },
  "volume-qos-attributes": { "policy-group-name": "", "adaptive-policy-group-name": "" },
};

export const eventShape = element((from): ArrayEvent => ({
  at: new Date(from.number("time") * 1000).toISOString(),
  controller: from.maybe("node"),
  name: from.text("message-name"),
  severity: from.maybe("severity") ?? "unknown",
  text: from.maybe("event"),
}));

/** One object of the counter manager. */
export interface Instance {
  readonly name: string;
  readonly svm: string | undefined;
  readonly sample: Omit<ArrayCounters, "kind" | "name">;
}

export const instancesShape = element((from): readonly Instance[] => {
  const at = new Date(from.number("timestamp") * 1000).toISOString();
  return from.elements("instances", "instance-data").map((instance) => {
    const values = new Map(
      (instance.find("counters")?.all("counter-data") ?? []).map((one) => [
        one.string("name")?.trim() ?? "",
        one.string("value")?.trim() ?? "",
      ]),
    );
    const count = (name: string): bigint | undefined => {
      const text = values.get(name) ?? "";
      return /^\d+$/.test(text) ? BigInt(text) : undefined;
    };
    return {
      name: instance.string("name")?.trim() ?? "",
      svm: values.get("vserver_name"),
      sample: {
        at,
        readOps: count("read_ops"),
        writeOps: count("write_ops"),
        readBytes: count("read_data"),
        writeBytes: count("write_data"),
        // Averages are kept as sums of microseconds; the operations are their base.
        readMicroseconds: count("avg_read_latency"),
        writeMicroseconds: count("avg_write_latency"),
      },
    };
  });
});
