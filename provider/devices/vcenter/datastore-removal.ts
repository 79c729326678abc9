import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import { isFault } from "./faults";
import { readOne, readProperties } from "./properties";
import type { MoRef } from "./values";
import { refOf, refsOf } from "./values";

/**
 * Removes a datastore with its file system. Gone already is done.
 * @throws {DeviceError} `refused` when machines still lie on it, naming them: the API only says that
 * it is in use.
 */
export async function removeDatastore(
  client: VimClient,
  call: DeviceCall,
  datastore: MoRef,
): Promise<void> {
  const attempt = { operation: "remove datastore", object: datastore.value };
  try {
    const values = await readOne(client, call, attempt, datastore, ["name", "vm", "host"]);
    const name = values.get("name")?.text ?? datastore.value;
    const machines = refsOf(values.get("vm"));
    if (machines.length > 0) throw await inUse(client, call, name, machines);
    const mount = values.get("host")?.elements.find((m) => m.boolean("mountInfo.mounted") ?? true);
    const host = refOf((mount ?? values.get("host")?.elements[0])?.find("key"));
    if (host === undefined) {
      throw client.protocolError({ ...attempt, object: name }, "no host mounts the datastore");
    }
    await removeOn(client, call, { datastore, name, host });
  } catch (error) {
    if (!isFault(error, "ManagedObjectNotFound")) throw error;
  }
}

async function removeOn(
  client: VimClient,
  call: DeviceCall,
  what: { readonly datastore: MoRef; readonly name: string; readonly host: MoRef },
): Promise<void> {
  const attempt = { operation: "remove datastore", object: what.name };
  const path = "configManager.datastoreSystem";
  const system = refOf((await readOne(client, call, attempt, what.host, [path])).get(path));
  if (system === undefined) {
    throw client.protocolError(attempt, `host ${what.host.value} has no datastore system`);
  }
  const { datastore } = what;
  await client.invoke(call, attempt, "RemoveDatastore", system, { datastore });
}

async function inUse(
  client: VimClient,
  call: DeviceCall,
  name: string,
  machines: readonly MoRef[],
): Promise<DeviceError> {
  const attempt = { operation: "name the machines on datastore", object: name };
  const found = await readProperties(client, call, attempt, machines, ["name"]);
  const names = found.map(({ values }) => values.get("name")?.text ?? "?").sort();
  return new DeviceError({
    kind: "refused",
    device: client.device,
    operation: "remove datastore",
    object: name,
    reason: `machines lie on it: ${names.join(", ")}`,
    remedy: "Move or remove them, then run again.",
    vendorCode: "ResourceInUse",
  });
}
