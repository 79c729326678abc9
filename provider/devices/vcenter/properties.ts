import type { DeviceCall } from "../call";
import type { Attempt } from "./faults";
import { faultError, readFault } from "./faults";
import type { VimClient } from "./client";
import type { MoRef, VimValue } from "./values";
import { object, refOf } from "./values";
import type { XmlElement } from "../xml";

/** Properties of one managed object, by path (`config.hardware`). Unset ones are absent. */
export interface ObjectProperties {
  readonly ref: MoRef;
  readonly values: ReadonlyMap<string, XmlElement>;
}

/** Most objects per answer; the rest follows by ContinueRetrievePropertiesEx. */
const pageSize = 500;

/**
 * Reads properties of given objects. Objects that are gone are missing in the answer: callers look.
 * @throws {DeviceError} `unauthorized` when a property may not be read.
 */
export async function readProperties(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  refs: readonly MoRef[],
  paths: readonly string[],
): Promise<readonly ObjectProperties[]> {
  if (refs.length === 0) return [];
  return retrieve(client, call, attempt, filterOf(refs, paths));
}

/** Reads properties of one object. Gone: `notFound`. */
export async function readOne(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  of: MoRef,
  paths: readonly string[],
): Promise<ReadonlyMap<string, XmlElement>> {
  const found = await readProperties(client, call, attempt, [of], paths);
  const first = found[0];
  if (first === undefined) {
    const data = undefined;
    throw faultError(client.device, attempt, {
      name: "ManagedObjectNotFound",
      message: `${of.type} ${of.value} has been deleted`,
      data,
    });
  }
  return first.values;
}

/** Reads all objects of the types below `root`, through a container view that is dropped again. */
export async function readAll(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  root: MoRef,
  types: Readonly<Record<string, readonly string[]>>,
): Promise<readonly ObjectProperties[]> {
  const content = await client.content(call);
  const view = refOf(
    (
      await client.invoke(call, attempt, "CreateContainerView", content.viewManager, {
        container: root,
        type: Object.keys(types),
        recursive: true,
      })
    ).find("returnval"),
  );
  if (view === undefined) throw client.protocolError(attempt, "CreateContainerView gave no view");
  try {
    return await retrieve(client, call, attempt, viewFilter(view, types));
  } finally {
    await client.invokeQuietly("DestroyView", view);
  }
}

/** A PropertyFilterSpec over given objects, grouped by type. */
export function filterOf(refs: readonly MoRef[], paths: readonly string[]): VimValue {
  const types = [...new Set(refs.map((r) => r.type))];
  return object("PropertyFilterSpec", {
    propSet: types.map((type) => object("PropertySpec", { type, all: false, pathSet: paths })),
    objectSet: refs.map((obj) => object("ObjectSpec", { obj, skip: false })),
    reportMissingObjectsInResults: true,
  });
}

function viewFilter(view: MoRef, types: Readonly<Record<string, readonly string[]>>): VimValue {
  return object("PropertyFilterSpec", {
    propSet: Object.entries(types).map(([type, pathSet]) =>
      object("PropertySpec", { type, all: false, pathSet }),
    ),
    objectSet: object("ObjectSpec", {
      obj: view,
      skip: true,
      selectSet: object("TraversalSpec", {
        name: "view",
        type: "ContainerView",
        path: "view",
        skip: false,
      }),
    }),
  });
}

async function retrieve(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  specSet: VimValue,
): Promise<readonly ObjectProperties[]> {
  const { propertyCollector } = await client.content(call);
  const found: ObjectProperties[] = [];
  let answer = await client.invoke(call, attempt, "RetrievePropertiesEx", propertyCollector, {
    specSet,
    options: object("RetrieveOptions", { maxObjects: pageSize }),
  });
  for (;;) {
    const result = answer.find("returnval");
    for (const element of result?.all("objects") ?? []) {
      found.push(readObject(client, attempt, element));
    }
    const token = result?.string("token");
    if (token === undefined || token === "") return found;
    answer = await client.invoke(call, attempt, "ContinueRetrievePropertiesEx", propertyCollector, {
      token,
    });
  }
}

function readObject(client: VimClient, attempt: Attempt, element: XmlElement): ObjectProperties {
  const of = refOf(element.find("obj"));
  if (of === undefined) throw client.protocolError(attempt, "an object without a reference");
  for (const missing of element.all("missingSet")) refuseMissing(client, attempt, missing);
  const values = new Map<string, XmlElement>();
  for (const property of element.all("propSet")) {
    const value = property.find("val");
    if (value !== undefined) values.set(property.string("name") ?? "", value);
  }
  return { ref: of, values };
}

/** A property that may not be read must not look like one that is not set. */
function refuseMissing(client: VimClient, attempt: Attempt, missing: XmlElement): void {
  const path = missing.string("path") ?? "a property";
  const fault = readFault(missing.string("fault.localizedMessage"), missing.find("fault.fault"));
  if (fault.name === "ManagedObjectNotFound") return;
  throw faultError(client.device, attempt, {
    ...fault,
    message: `property ${path} cannot be read: ${fault.message}`,
  });
}
