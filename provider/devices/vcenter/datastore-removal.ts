import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import { systemClock } from "../clock";
import { waitFor } from "../wait";
import type { VimClient } from "./client";
import { isFault } from "./faults";
import { readOne, readProperties } from "./properties";
import type { HostVmfs } from "./storage-info";
import { StorageSystem } from "./storage-system";
import type { MoRef } from "./values";
import { refOf, refsOf } from "./values";
import type { XmlElement } from "../xml";

/**
 * Removes a datastore with its file system. Gone already is done. One whose device is lost for good
 * is unmounted and forgotten on every host instead (vSphere Storage, "Recovering from PDL Conditions").
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
    const values = await readOne(client, call, attempt, datastore, ["name", "vm", "host", "info"]);
    const name = values.get("name")?.text ?? datastore.value;
    const machines = refsOf(values.get("vm"));
    if (machines.length > 0) throw await inUse(client, call, name, machines);
    const mounts = (values.get("host")?.elements ?? []).flatMap(readMount);
    const best = mounts.find((m) => m.accessible && m.mounted) ?? mounts.find((m) => m.accessible);
    if (mounts.length === 0) {
      throw client.protocolError({ ...attempt, object: name }, "no host mounts the datastore");
    }
    if (best !== undefined) await removeOn(client, call, { datastore, name, host: best.host });
    else {
      const uuid = values.get("info")?.string("vmfs.uuid") ?? "";
      await forgetLost(client, call, { datastore, volume: lostVolume(name, uuid), mounts });
    }
  } catch (error) {
    if (!isFault(error, "ManagedObjectNotFound")) throw error;
  }
}

interface Mount {
  readonly host: MoRef;
  readonly mounted: boolean;
  readonly accessible: boolean;
}

/** DatastoreHostMount; what its HostMountInfo leaves out is as usual. */
function readMount(mount: XmlElement): Mount[] {
  const host = refOf(mount.find("key"));
  if (host === undefined) return [];
  const mounted = mount.boolean("mountInfo.mounted") ?? true;
  return [{ host, mounted, accessible: mount.boolean("mountInfo.accessible") ?? true }];
}

function lostVolume(name: string, uuid: string): HostVmfs {
  return { name, uuid, mounted: true, devices: [] };
}

/** How long hosts may take to let go of a datastore whose device is gone. */
const goneTimeoutMs = 60_000;

async function forgetLost(
  client: VimClient,
  call: DeviceCall,
  lost: { readonly datastore: MoRef; readonly volume: HostVmfs; readonly mounts: readonly Mount[] },
): Promise<void> {
  const { datastore, volume, mounts } = lost;
  const attempt = { operation: "forget lost datastore", object: volume.name };
  const storage = new StorageSystem(client);
  await Promise.all(
    mounts.map(async ({ host, mounted }) => {
      const path = "configManager.storageSystem";
      const values = await readOne(client, call, attempt, host, ["name", path]);
      const system = refOf(values.get(path));
      if (system === undefined) return;
      const name = values.get("name")?.text ?? host.value;
      if (mounted) await storage.unmount(call, name, system, volume);
      await storage.rescan(call, name, system);
      await storage.forgetVolume(call, name, system, volume);
    }),
  );
  await waitFor(
    `datastore ${volume.name} to leave the inventory`,
    async () => {
      try {
        await readOne(client, call, attempt, datastore, ["name"]);
        return undefined;
      } catch (error) {
        if (isFault(error, "ManagedObjectNotFound")) return true;
        throw error;
      }
    },
    {
      device: client.device,
      call,
      clock: systemClock,
      timeoutMs: goneTimeoutMs,
      firstMs: 200,
      slowestMs: 5000,
    },
  );
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
