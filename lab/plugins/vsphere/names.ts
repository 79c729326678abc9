import { randomBytes } from "node:crypto";
import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { listBelow } from "../../../provider/devices/vcenter/inventory-path";
import type { ObjectProperties } from "../../../provider/devices/vcenter/properties";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import { ref } from "../../../provider/devices/vcenter/values";

/** Name of an object whose program gives none: the resource's name and seven random hex digits. */
export function autoName(given: string | undefined, resourceName: string): string {
  return given ?? `${resourceName}-${randomBytes(4).toString("hex").slice(0, 7)}`;
}

/**
 * The one object of a type below `root` that has the name (or, without a name, is the only one).
 * @throws {DeviceError} `notFound` with the names there are, `refused` when several match.
 */
export async function findOne(
  client: VimClient,
  call: DeviceCall,
  root: MoRef,
  what: { readonly type: string; readonly word: string; readonly name: string | undefined },
  paths: readonly string[] = [],
): Promise<ObjectProperties> {
  const all = await listBelow(client, call, root, what.type, paths);
  // A path such as `/DC0/host/C0` names its last part; `%2f` stands for a slash inside a name.
  const wanted = what.name?.split("/").at(-1);
  const named = all.filter((item) => wanted === undefined || nameOf(item) === wanted);
  const [first, second] = named;
  if (first !== undefined && second === undefined) return first;
  throw new DeviceError({
    kind: first === undefined ? "notFound" : "refused",
    device: client.device,
    operation: `find ${what.word}`,
    object: what.name,
    reason:
      first === undefined
        ? `there is none of that name; there are ${all.map(nameOf).sort().join(", ") || "none"}`
        : `${named.length.toString()} match`,
    remedy: first === undefined ? "Check the name." : "Give a name that only one has.",
  });
}

export function nameOf(item: ObjectProperties): string {
  return item.values.get("name")?.text ?? "";
}

/** Where a lookup begins: the given datacenter, else the whole inventory. */
export async function startOf(
  client: VimClient,
  call: DeviceCall,
  datacenterId: string | undefined,
): Promise<MoRef> {
  if (datacenterId !== undefined) return ref("Datacenter", datacenterId);
  return (await client.content(call)).rootFolder;
}
