import { Body } from "../ontap/body";
import { type ArrayContext, attribute, attributeFlag } from "../ontap/context";
import { NotModelled } from "../ontap/faults";
import { geometrySize } from "../ontap/lun-rules";
import { luns } from "../ontap/luns";
import type { JsonObject, Volume } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { type Api, type Apis, command, perform, reader, vserverOf, type ZapiCall } from "./api";
import { errno, invalidInput, ZapiFault } from "./faults";
import { visible } from "./fcp";
import { boolean, oneOf, requiredText, text, unmodelled } from "./inputs";
import { directCall, made, recordOf } from "./model";
import { leaves } from "./shape";
import type { ZNode } from "./xml";

type Lun = DeepReadonly<Volume>;

const osTypes = oneOf(
  ...["image", "aix", "hpux", "hyper_v", "linux", "netware", "openvms", "solaris", "solaris_efi"],
  ...["vmware", "windows", "windows_2008", "windows_gpt", "xen"],
);
const byPath = { path: requiredText };

const getIter: Api = {
  scope: "both",
  record: "lun-info",
  shape: leaves(
    "alignment application application-uuid backing-snapshot block-size caching-policy class " +
      "clone-backing-snapshot comment creation-timestamp device-binary-id device-id " +
      "device-text-id is-clone is-clone-autodelete-enabled is-inconsistent-import " +
      "is-restore-inaccessible is-space-alloc-enabled is-space-reservation-enabled mapped " +
      "multiprotocol-type node online path prefix-size qos-adaptive-policy-group " +
      "qos-policy-group qtree read-only serial-7-mode serial-number share-state size size-used " +
      "staging state suffix-size uuid volume vserver",
  ),
  keys: ["vserver", "path"],
  list: (call) =>
    visible(call).flatMap((svm) =>
      Object.values(call.ctx.view.volumes)
        .filter((lun) => lun.tenantId === svm.id && lun.namespace === undefined)
        .map((lun) => lunNode(call.ctx, lun, svm.name)),
    ),
};

/** LUNs, by path within their vserver. */
export const lunApis: Apis = {
  "lun-get-iter": getIter,
  "lun-create-by-size": command(
    "vserver",
    {
      ...byPath,
      size: requiredText,
      ostype: osTypes,
      type: osTypes,
      "space-reservation-enabled": boolean,
      "space-allocation-enabled": boolean,
      "use-exact-size": boolean,
      class: oneOf("regular"),
      comment: text,
      "prefix-size": unmodelled,
      "qos-policy-group": unmodelled,
      "qos-adaptive-policy-group": unmodelled,
      "caching-policy": unmodelled,
      "foreign-disk": unmodelled,
      application: unmodelled,
    },
    create,
  ),
  "lun-get-serial-number": reader("vserver", byPath, (call) => ({
    "serial-number": lunOf(call).serial,
  })),
  "lun-resize": command("vserver", { ...byPath, size: requiredText, force: boolean }, resize),
  "lun-offline": command("vserver", byPath, (call) => setOnline(call, false)),
  "lun-online": command("vserver", { ...byPath, force: boolean }, (call) => setOnline(call, true)),
  "lun-destroy": command(
    "vserver",
    {
      ...byPath,
      force: boolean,
      "destroy-fenced-lun": boolean,
      "destroy-application-lun": boolean,
    },
    destroy,
  ),
  "lun-move": command("vserver", { ...byPath, "new-path": requiredText }, move),
  "lun-set-comment": command("vserver", { ...byPath, comment: text }, (call) =>
    patch(call, { comment: call.args.text("comment") ?? "" }),
  ),
  "lun-set-space-alloc": command(
    "vserver",
    { ...byPath, enable: { type: "boolean", required: true } },
    setSpaceAllocation,
  ),
  "lun-set-space-reservation-info": command(
    "vserver",
    { ...byPath, enable: { type: "boolean", required: true } },
    (call) =>
      patch(call, { space: { guarantee: { requested: call.args.flag("enable") === true } } }),
  ),
};

function lunNode(ctx: ArrayContext, lun: Lun, vserver: string): ZNode {
  const container = ctx.view.containers[lun.containerId ?? ""];
  const online = lun.online && container?.online === true;
  return {
    alignment: "indeterminate",
    "block-size": 512,
    class: "regular",
    comment: attribute(lun.attributes, "comment", "") || undefined,
    "creation-timestamp": Math.floor(
      Date.parse(attribute(lun.attributes, "createTime", "2021-03-01T08:00:00+00:00")) / 1000,
    ),
    "is-clone": false,
    "is-clone-autodelete-enabled": false,
    "is-restore-inaccessible": false,
    "is-space-alloc-enabled": attributeFlag(lun.attributes, "spaceAllocation", false),
    "is-space-reservation-enabled": attributeFlag(lun.attributes, "reserveRequested", !lun.thin),
    mapped: ctx.view.maps.some((map) => map.volumeId === lun.id),
    "multiprotocol-type": attribute(lun.attributes, "osType", "vmware"),
    node: ctx.view.pools[lun.poolId]?.controller,
    online,
    path: lun.name,
    "prefix-size": 0,
    qtree: "",
    "read-only": false,
    "serial-number": lun.serial,
    "share-state": "none",
    size: lun.sizeBytes,
    "size-used": ctx.world.usedBytes(lun.id) ?? 0n,
    staging: false,
    state: online ? "online" : "offline",
    "suffix-size": 0,
    uuid: lun.id,
    volume: container?.name,
    vserver,
  };
}

/** @throws {ZapiFault} 9017 when the vserver has no LUN at the path. */
export function lunOf({ ctx, vserver, args }: ZapiCall): Lun {
  const path = args.need("path");
  const lun = Object.values(ctx.view.volumes).find(
    (one) => one.tenantId === vserver?.id && one.name === path && one.namespace === undefined,
  );
  if (lun === undefined) throw new ZapiFault(errno.noLun, "No such LUN exists");
  return lun;
}

/** "The size of the created lun could be larger than the size specified, in order to get an integral
 * number of cylinders" (SDK, lun-create-by-size), unless the exact size is asked for. */
async function create(call: ZapiCall): Promise<ZNode> {
  const { ctx, args } = call;
  const asked = args.bytes("size") ?? 0n;
  const osType = args.text("ostype") ?? args.text("type") ?? "image";
  if (osType === "image") throw new NotModelled("LUNs of type image");
  const exact = args.flag("use-exact-size") === true;
  const body = new Body({
    svm: { uuid: vserverOf(call).id },
    name: args.need("path"),
    os_type: osType,
    comment: args.text("comment") ?? "",
    space: {
      size: (exact ? asked : geometrySize(asked)).toString(),
      guarantee: { requested: args.flag("space-reservation-enabled") ?? true },
    },
  });
  const operation = made(luns.create?.(ctx, body, directCall()));
  const id = operation.keys[0]?.[0] ?? "";
  await perform(ctx, operation);
  const allocation = args.flag("space-allocation-enabled");
  if (allocation !== undefined) {
    ctx.change((array) => {
      const lun = array.volumes[id];
      if (lun !== undefined) lun.attributes["spaceAllocation"] = allocation;
    });
  }
  return { "actual-size": ctx.view.volumes[id]?.sizeBytes ?? 0n };
}

async function patch(call: ZapiCall, value: JsonObject): Promise<ZNode> {
  const { ctx } = call;
  const record = recordOf(ctx, luns, lunOf(call).id);
  await perform(ctx, made(luns.update?.(ctx, record, new Body(value), directCall())));
  return {};
}

/** Growing goes as it is; making a LUN smaller needs `force`. */
async function resize(call: ZapiCall): Promise<ZNode> {
  const { ctx, args } = call;
  const lun = lunOf(call);
  const size = args.bytes("size") ?? 0n;
  if (size < lun.sizeBytes && args.flag("force") === true) {
    if (size < 4096n) throw invalidInput(args.api, "size", size.toString());
    ctx.change((array) => {
      const target = array.volumes[lun.id];
      if (target !== undefined) target.sizeBytes = size;
    });
  } else {
    await patch(call, { space: { size: size.toString() } });
  }
  return { "actual-size": lunOf(call).sizeBytes };
}

async function setOnline(call: ZapiCall, online: boolean): Promise<ZNode> {
  if (lunOf(call).online === online) {
    throw online
      ? new ZapiFault(errno.lunOnline, "LUN is already online")
      : new ZapiFault(errno.lunOffline, "LUN is already offline");
  }
  return patch(call, { enabled: online });
}

/** "Destroying an online and mapped LUN will fail" unless forced (SDK, lun-destroy). */
async function destroy(call: ZapiCall): Promise<ZNode> {
  const { ctx, args } = call;
  const lun = lunOf(call);
  const mapped = ctx.view.maps.some((map) => map.volumeId === lun.id);
  if (mapped && lun.online && args.flag("force") !== true) {
    throw new ZapiFault(errno.lunMapped, "LUN is currently mapped");
  }
  const force = directCall([], ["allow_delete_while_mapped"]);
  await perform(ctx, made(luns.remove?.(ctx, recordOf(ctx, luns, lun.id), force)));
  return {};
}

function move(call: ZapiCall): Promise<ZNode> {
  const { args } = call;
  const volume = (path: string): string => path.split("/")[2] ?? "";
  const target = args.need("new-path");
  if (volume(target) !== volume(args.need("path"))) {
    throw new ZapiFault(errno.otherVolume, "The paths do not lie in the same volume");
  }
  return patch(call, { name: target });
}

function setSpaceAllocation(call: ZapiCall): ZNode {
  const { id } = lunOf(call);
  call.ctx.change((array) => {
    const lun = array.volumes[id];
    if (lun !== undefined) lun.attributes["spaceAllocation"] = call.args.flag("enable") === true;
  });
  return {};
}
