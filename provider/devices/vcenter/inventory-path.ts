import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import { faultError } from "./faults";
import type { ObjectProperties } from "./properties";
import { readAll, readOne } from "./properties";
import type { MoRef } from "./values";
import { refOf } from "./values";

/** Kinds of folders below a datacenter, with the datacenter's property that holds the root one. */
export const rootFolders = {
  vm: "vmFolder",
  host: "hostFolder",
  datastore: "datastoreFolder",
  network: "networkFolder",
} as const;

export type FolderKind = keyof typeof rootFolders;

/** A root folder of a datacenter. */
export async function rootFolder(
  client: VimClient,
  call: DeviceCall,
  datacenter: MoRef,
  kind: FolderKind,
): Promise<MoRef> {
  const attempt = { operation: `find the ${kind} folder of datacenter`, object: datacenter.value };
  const property = rootFolders[kind];
  const values = await readOne(client, call, attempt, datacenter, [property]);
  const found = refOf(values.get(property));
  if (found === undefined) throw client.protocolError(attempt, "the datacenter has no such folder");
  return found;
}

/** A direct child of a folder, or undefined. */
async function findChild(
  client: VimClient,
  call: DeviceCall,
  entity: MoRef,
  name: string,
): Promise<MoRef | undefined> {
  const { searchIndex } = await client.content(call);
  const attempt = { operation: "find", object: name };
  const args = { entity, name };
  return refOf(
    (await client.invoke(call, attempt, "FindChild", searchIndex, args)).find("returnval"),
  );
}

/** All objects of one type below `root` with the given properties; `name` is always read. */
export async function listBelow(
  client: VimClient,
  call: DeviceCall,
  root: MoRef,
  type: string,
  paths: readonly string[] = [],
): Promise<readonly ObjectProperties[]> {
  const attempt = { operation: `list ${type} objects` };
  return readAll(client, call, attempt, root, { [type]: [...new Set(["name", ...paths])] });
}

/** A child folder by relative path (`a/b`); not there: `notFound` naming the missing part. */
export async function descend(
  client: VimClient,
  call: DeviceCall,
  root: MoRef,
  relativePath: string,
): Promise<MoRef> {
  let current = root;
  for (const part of splitPath(relativePath)) {
    const child = await findChild(client, call, current, part);
    if (child === undefined) {
      throw faultError(
        client.device,
        { operation: "find folder", object: relativePath },
        {
          name: "NotFound",
          message: `there is no folder "${part}" at that place`,
          data: undefined,
        },
      );
    }
    current = child;
  }
  return current;
}

/** Parts of a path; a slash or percent sign inside a name is written `%2f`, `%25` by the vCenter. */
export function splitPath(text: string): readonly string[] {
  return text.split("/").filter((part) => part !== "");
}

/** Path of an object below one of its ancestors, `a/b`; empty for the ancestor itself. */
export async function pathBelow(
  client: VimClient,
  call: DeviceCall,
  ancestor: MoRef,
  of: MoRef,
): Promise<string> {
  const attempt = { operation: "find the path of", object: of.value };
  const names: string[] = [];
  let current: MoRef | undefined = of;
  while (current !== undefined && current.value !== ancestor.value) {
    const values: Awaited<ReturnType<typeof readOne>> = await readOne(
      client,
      call,
      attempt,
      current,
      ["name", "parent"],
    );
    names.unshift(values.get("name")?.text ?? "");
    current = refOf(values.get("parent"));
  }
  return names.join("/");
}
