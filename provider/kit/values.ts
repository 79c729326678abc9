import { SanbedError } from "../../bed/errors";
import type { Path, PathSegment } from "./property-path";
import { formatPath } from "./property-path";

/**
 * Property values on the wire and inside. On the wire (google.protobuf.Struct as JavaScript) secrets,
 * outputs and assets are objects with a signature key and unknowns are reserved strings; the names
 * and values are those of the Pulumi SDK (sdk/go/common/resource/sig/sig.go). Inside, handlers see
 * plain values; where secrets and unknowns were is kept beside them.
 */
const signatureKey = "4dabf18193072939515e22adb298388d";
const secretSignature = "1b47061264138c4ac30d75fd1eb44270";
const outputSignature = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const resourceSignature = "5cf8f73096256a8f31e491e813e4eb8e";
const assetSignature = "c44067f5952c0a294b673a41bacd8c17";
const archiveSignature = "0def7320c3a5731c473e5ecbe6d01bc7";

const unknownOnWire = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const unknownsOnWire = new Set([
  unknownOnWire,
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7", // bool
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421", // number
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2", // array
  "030794c1-ac77-496b-92df-f27374a8bd58", // asset
  "e48ece36-62e2-4504-bad9-02848725956a", // archive
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff", // object
]);

/** Stands for a value that is not known yet (preview). A symbol: no schema but `z.unknown()` takes it. */
export const unknownValue: unique symbol = Symbol("unknown value");

/** A Pulumi asset or archive. `wire` is what the engine sent: `hash`, and `path`, `text`, `uri` or `assets`. */
export class AssetValue {
  readonly kind: "asset" | "archive";
  readonly wire: Readonly<Record<string, unknown>>;

  constructor(kind: "asset" | "archive", wire: Readonly<Record<string, unknown>>) {
    this.kind = kind;
    this.wire = wire;
  }
}

export type Properties = Record<string, unknown>;

/** Plain values, and the paths where they were secret or unknown. */
export interface Decoded {
  readonly value: Properties;
  readonly secrets: readonly Path[];
  readonly unknowns: readonly Path[];
}

/** Takes a wire object apart. Null members of objects count as absent, as in every Pulumi language. */
export function decode(wire: Readonly<Record<string, unknown>> | undefined): Decoded {
  const secrets: Path[] = [];
  const unknowns: Path[] = [];
  const walk = (node: unknown, path: Path): unknown => {
    if (typeof node === "string" && unknownsOnWire.has(node)) {
      unknowns.push(path);
      return unknownValue;
    }
    if (Array.isArray(node)) return node.map((item, i) => walk(item, [...path, i]));
    if (typeof node !== "object" || node === null) return node;
    const object = node as Record<string, unknown>;
    switch (object[signatureKey]) {
      case undefined:
        return mapObject(object, (value, key) => walk(value, [...path, key]));
      case secretSignature:
        secrets.push(path);
        return walk(object["value"], path);
      case outputSignature:
        if (object["secret"] === true) secrets.push(path);
        return "value" in object ? walk(object["value"], path) : walk(unknownOnWire, path);
      case resourceSignature:
        return walk(referenceOf(object), path);
      case assetSignature:
        return new AssetValue("asset", object);
      case archiveSignature:
        return new AssetValue("archive", object);
      default:
        throw new SanbedError(
          "protocol",
          `the engine sent a value of an unknown kind at ${formatPath(path)}`,
        );
    }
  };
  const value = walk(wire ?? {}, []) as Properties;
  return { value, secrets: secrets.filter((path) => path.length > 0), unknowns };
}

/**
 * Puts plain values back on the wire. Values at a secret path are wrapped; where the path leads
 * nowhere any more (a shorter list) the nearest value above it is wrapped, so that nothing secret is
 * ever sent in clear.
 */
export function encode(value: Readonly<Properties>, secrets: readonly Path[] = []): Properties {
  const marked = new Set(secrets.map((path) => keyOf(existingPart(value, path))));
  const walk = (node: unknown, path: Path): unknown => {
    const plain = walkInside(node, path);
    return path.length > 0 && plain !== undefined && marked.has(keyOf(path)) ? wrap(plain) : plain;
  };
  const walkInside = (node: unknown, path: Path): unknown => {
    if (node === unknownValue) return unknownOnWire;
    if (node instanceof AssetValue) return { ...node.wire };
    if (Array.isArray(node)) return node.map((item, i) => walk(item, [...path, i]) ?? null);
    if (typeof node === "object" && node !== null) {
      return mapObject(node as Properties, (item, key) => walk(item, [...path, key]));
    }
    if (node === undefined || node === null) return node;
    if (typeof node === "string" || typeof node === "boolean") return node;
    if (typeof node === "number" && Number.isFinite(node)) return node;
    throw new SanbedError(
      "protocol",
      `the value at ${formatPath(path)} cannot travel to the engine (${typeof node}): 64-bit numbers are strings`,
    );
  };
  return walk(value, []) as Properties;
}

/** Every text at or below the given paths: what must not appear in a log or an error. */
export function textsAt(value: unknown, paths: readonly Path[]): string[] {
  const texts: string[] = [];
  const collect = (node: unknown): void => {
    if (typeof node === "string") texts.push(node);
    else if (typeof node === "object" && node !== null) Object.values(node).forEach(collect);
  };
  for (const path of paths) {
    let node = value;
    for (const segment of path)
      node = (node as Record<PathSegment, unknown> | undefined)?.[segment];
    collect(node);
  }
  return texts;
}

/** True when an unknown value lies anywhere inside. */
export function containsUnknown(node: unknown): boolean {
  if (node === unknownValue) return true;
  return typeof node === "object" && node !== null && Object.values(node).some(containsUnknown);
}

/** A reference to a resource counts as its id; an empty id is one that is not known yet. */
function referenceOf({ id, urn }: Readonly<Record<string, unknown>>): unknown {
  return id === "" ? unknownOnWire : (id ?? urn);
}

function wrap(value: unknown): Properties {
  return { [signatureKey]: secretSignature, value };
}

function mapObject(
  object: Readonly<Properties>,
  change: (value: unknown, key: string) => unknown,
): Properties {
  const result: Properties = {};
  for (const [key, value] of Object.entries(object)) {
    const changed = value === null ? undefined : change(value, key);
    if (changed !== undefined) result[key] = changed;
  }
  return result;
}

function existingPart(root: unknown, path: Path): Path {
  let node = root;
  for (const [depth, segment] of path.entries()) {
    const next = (node as Record<PathSegment, unknown>)[segment];
    if (next === undefined || next === null) return path.slice(0, depth);
    if (typeof next !== "object") return path.slice(0, depth + 1);
    node = next;
  }
  return path;
}

function keyOf(path: Path): string {
  return JSON.stringify(path.map(String));
}
