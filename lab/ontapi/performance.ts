import type { IoTotals } from "../world/io";
import { containerIo } from "../ontap/statistics";
import { type Api, type Apis, command, type Command, reader, type ZapiCall } from "./api";
import { errno, ZapiFault } from "./faults";
import { listOf, requiredText } from "./inputs";
import { leaves } from "./shape";
import type { ZNode } from "./xml";

/** A counter of a class of objects. Averages are sums, to be divided by their base. */
interface Counter {
  readonly name: string;
  readonly unit: string;
  readonly properties: "raw" | "rate" | "average" | "string";
  readonly base?: string;
  readonly of: (io: IoTotals, instance: Instance) => string | bigint;
}

interface Instance {
  readonly name: string;
  readonly uuid: string;
  readonly node: string;
  readonly vserver: string | undefined;
  readonly io: IoTotals;
}

/** Most instances of one answer. */
const maxInstances = 500;

const ops = (io: IoTotals): bigint => io.reads + io.writes + io.others;

/** Names as `conf/zapiperf` of NetApp's Harvest collects them. */
const base: readonly Counter[] = [
  { name: "instance_name", unit: "none", properties: "string", of: (_io, i) => i.name },
  { name: "instance_uuid", unit: "none", properties: "string", of: (_io, i) => i.uuid },
  { name: "node_name", unit: "none", properties: "string", of: (_io, i) => i.node },
  { name: "read_ops", unit: "per_sec", properties: "rate", of: (io) => io.reads },
  { name: "write_ops", unit: "per_sec", properties: "rate", of: (io) => io.writes },
  { name: "other_ops", unit: "per_sec", properties: "rate", of: (io) => io.others },
  { name: "total_ops", unit: "per_sec", properties: "rate", of: ops },
  { name: "read_data", unit: "b_per_sec", properties: "rate", of: (io) => io.readBytes },
  { name: "write_data", unit: "b_per_sec", properties: "rate", of: (io) => io.writeBytes },
];

const vserverName: Counter = {
  ...{ name: "vserver_name", unit: "none", properties: "string" },
  of: (_io, instance) => instance.vserver ?? "",
};

const latencies = (prefix: string): readonly Counter[] => [
  {
    ...{ name: `${prefix}read_latency`, unit: "microsec", properties: "average" as const },
    ...{ base: "read_ops", of: (io: IoTotals) => io.readMicros },
  },
  {
    ...{ name: `${prefix}write_latency`, unit: "microsec", properties: "average" as const },
    ...{ base: "write_ops", of: (io: IoTotals) => io.writeMicros },
  },
];

const avgLatency: Counter = {
  ...{ name: "avg_latency", unit: "microsec", properties: "average", base: "total_ops" },
  of: (io) => io.readMicros + io.writeMicros,
};

interface ObjectClass {
  readonly counters: readonly Counter[];
  readonly instances: (call: ZapiCall) => readonly Instance[];
}

const classes: Readonly<Record<string, ObjectClass>> = {
  lun: {
    counters: [...base, vserverName, ...latencies("avg_")],
    instances: (call) =>
      Object.values(call.ctx.view.volumes)
        .filter((lun) => lun.namespace === undefined)
        .map((lun) => ({
          name: lun.name,
          uuid: lun.id,
          node: call.ctx.view.pools[lun.poolId]?.controller ?? "",
          vserver: call.ctx.view.tenants[lun.tenantId]?.name ?? "",
          io: call.ctx.world.io.totals("volume", lun.id),
        })),
  },
  volume: {
    counters: [...base, vserverName, avgLatency, ...latencies("")],
    instances: (call) =>
      Object.values(call.ctx.view.containers).map((volume) => ({
        name: volume.name,
        uuid: volume.id,
        node: call.ctx.view.pools[volume.poolId]?.controller ?? "",
        vserver: call.ctx.view.tenants[volume.tenantId]?.name ?? "",
        io: containerIo(call.ctx, volume.id),
      })),
  },
  fcp_lif: {
    counters: [...base, vserverName, avgLatency, ...latencies("avg_")],
    instances: (call) =>
      Object.values(call.ctx.view.targetPorts)
        .filter((lif) => lif.protocol === undefined)
        .map((lif) => ({
          name: lif.name,
          uuid: lif.id,
          node: call.ctx.view.ports[lif.portId]?.controller ?? "",
          vserver: call.ctx.view.tenants[lif.tenantId]?.name ?? "",
          io: call.ctx.world.io.totals("targetPort", lif.id),
        })),
  },
  fcp_port: {
    counters: [...base, ...latencies("avg_")],
    instances: (call) =>
      Object.values(call.ctx.view.ports).map((port) => ({
        name: `${port.controller}:${port.name}`,
        uuid: `${port.controller}:kernel:${port.name}`,
        node: port.controller,
        vserver: undefined,
        io: call.ctx.world.io.totals("port", port.id),
      })),
  },
};

function classOf(name: string): ObjectClass {
  const found = Object.hasOwn(classes, name) ? classes[name] : undefined;
  if (found === undefined) {
    throw new ZapiFault(errno.invalid, `Object "${name}" was not found.`);
  }
  return found;
}

const instanceList: Api = {
  scope: "both",
  record: "instance-info",
  shape: leaves("name uuid"),
  keys: ["uuid"],
  inputs: { objectname: requiredText, "filter-data": { type: "text", notModelled: true } },
  list: (call) =>
    seen(call, classOf(call.args.need("objectname"))).map(({ name, uuid }) => ({ name, uuid })),
};

/** Counters of volumes, LUNs, FC interfaces and ports. */
export const performanceApis: Apis = {
  "perf-object-list-info": reader("both", {}, () => ({
    objects: { "object-info": Object.keys(classes).map((name) => ({ name })) },
  })),
  "perf-object-counter-list-info": reader("both", { objectname: requiredText }, ({ args }) => ({
    counters: {
      "counter-info": classOf(args.need("objectname")).counters.map((counter) => ({
        "base-counter": counter.base,
        name: counter.name,
        "privilege-level": "admin",
        properties: counter.properties,
        unit: counter.unit,
      })),
    },
  })),
  "perf-object-instance-list-info-iter": instanceList,
  "perf-object-get-instances": reading(
    command(
      "both",
      {
        objectname: requiredText,
        counters: listOf("counter"),
        instances: listOf("instance"),
        "instance-uuids": listOf("instance-uuid"),
      },
      getInstances,
    ),
  ),
};

/** Waits for something, and yet changes nothing. */
function reading(api: Command): Command {
  return { ...api, writes: false };
}

/** Through a vserver only its own objects show. */
function seen(call: ZapiCall, of: ObjectClass): readonly Instance[] {
  const name = call.vserver?.name;
  return of.instances(call).filter((one) => name === undefined || one.vserver === name);
}

async function getInstances(call: ZapiCall): Promise<ZNode> {
  const { args, ctx } = call;
  const of = classOf(args.need("objectname"));
  const uuids = args.list("instance-uuids", "instance-uuid");
  const names = args.list("instances", "instance");
  if ((uuids === undefined) === (names === undefined)) {
    throw new ZapiFault(
      errno.invalid,
      'Exactly one of the input elements "instances" and "instance-uuids" is required.',
    );
  }
  const asked = new Set(uuids ?? names);
  if (asked.size > maxInstances) {
    throw new ZapiFault(errno.invalid, `More than ${maxInstances.toString()} instances.`);
  }
  const counters = chosen(of, args.list("counters", "counter"));
  await ctx.world.io.refresh();
  const found = seen(call, of).filter((one) =>
    asked.has(uuids === undefined ? one.name : one.uuid),
  );
  return {
    instances: {
      "instance-data": found.map((instance) => ({
        counters: {
          "counter-data": counters.map((counter) => ({
            name: counter.name,
            value: counter.of(instance.io, instance).toString(),
          })),
        },
        name: instance.name,
        uuid: instance.uuid,
      })),
    },
    timestamp: Math.floor(ctx.now() / 1000),
  };
}

function chosen(of: ObjectClass, names: readonly string[] | undefined): readonly Counter[] {
  if (names === undefined || names.length === 0) return of.counters;
  return names.map((name) => {
    const counter = of.counters.find((one) => one.name === name);
    if (counter === undefined) {
      throw new ZapiFault(errno.invalid, `Counter "${name}" was not found.`);
    }
    return counter;
  });
}
