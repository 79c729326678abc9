import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import type { Attempt } from "./faults";
import { faultError, readFault } from "./faults";
import { maxWaitSeconds } from "./limits";
import { filterOf } from "./properties";
import type { MoRef } from "./values";
import { object, refOf } from "./values";
import type { XmlElement } from "../xml";

/** What is known of the watched objects: by object id, then by property path. */
export type Watched = ReadonlyMap<string, ReadonlyMap<string, XmlElement | undefined>>;

/**
 * Watches properties until `decide` answers something. The server holds each request until something
 * changes (PropertyCollector.WaitForUpdatesEx): nothing is polled. Every wait has a collector of its
 * own, so parallel waits cannot take each other's updates.
 * Partial updates are off, so that a changed list comes whole; a nested change may still come under
 * its own longer path (`info.state` below `info`).
 */
export async function watch<T>(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  what: { readonly refs: readonly MoRef[]; readonly paths: readonly string[] },
  decide: (seen: Watched) => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const { propertyCollector } = await client.content(call);
  const created = await client.invoke(
    call,
    attempt,
    "CreatePropertyCollector",
    propertyCollector,
    {},
  );
  const collector = refOf(created.find("returnval"));
  if (collector === undefined)
    throw client.protocolError(attempt, "no property collector was made");
  try {
    await client.invoke(call, attempt, "CreateFilter", collector, {
      spec: filterOf(what.refs, what.paths),
      partialUpdates: false,
    });
    return await follow(client, call, attempt, collector, decide);
  } finally {
    // Also ends a WaitForUpdatesEx that the server may still hold after an abort.
    await client.invokeQuietly("DestroyPropertyCollector", collector);
  }
}

async function follow<T>(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  collector: MoRef,
  decide: (seen: Watched) => T | undefined | Promise<T | undefined>,
): Promise<T> {
  const seen = new Map<string, Map<string, XmlElement | undefined>>();
  let version = "";
  for (;;) {
    const answer = await client.invoke(call, attempt, "WaitForUpdatesEx", collector, {
      version,
      options: object("WaitOptions", { maxWaitSeconds }),
    });
    const set = answer.find("returnval");
    // Nothing changed within maxWaitSeconds: ask again from the same version.
    if (set === undefined) continue;
    version = set.string("version") ?? version;
    for (const filter of set.all("filterSet")) {
      for (const update of filter.all("objectSet")) apply(client, attempt, seen, update);
    }
    if (set.boolean("truncated") === true) continue;
    const decided = await decide(seen);
    if (decided !== undefined) return decided;
  }
}

function apply(
  client: VimClient,
  attempt: Attempt,
  seen: Map<string, Map<string, XmlElement | undefined>>,
  update: XmlElement,
): void {
  const of = refOf(update.find("obj"));
  if (of === undefined) return;
  if (update.string("kind") === "leave") {
    throw faultError(client.device, attempt, {
      name: "ManagedObjectNotFound",
      message: `${of.type} ${of.value} went away while it was watched`,
      data: undefined,
    });
  }
  for (const missing of update.all("missingSet")) {
    const fault = readFault(missing.string("fault.localizedMessage"), missing.find("fault.fault"));
    throw faultError(client.device, attempt, fault);
  }
  const values = seen.get(of.value) ?? new Map<string, XmlElement | undefined>();
  for (const change of update.all("changeSet")) {
    values.set(change.string("name") ?? "", change.find("val"));
  }
  seen.set(of.value, values);
}
