import { OntapFault } from "./faults";
import { atLeast, type Release, type Since } from "./release";

export type FieldType = "text" | "integer" | "size" | "boolean" | "date" | "any";
export type WriteVerb = "POST" | "PATCH";

/** One leaf of an object, under its dotted path; arrays add no step to the path. */
export interface Field {
  readonly type: FieldType;
  readonly writable: readonly WriteVerb[];
  readonly values?: readonly string[];
  /** False: the array knows it, this emulator does not (never returned, refused when written). */
  readonly modelled: boolean;
}

/** The objects behind one path, with what each release knows of them. */
export interface Shape {
  /** Collection path, `/api/storage/luns`; `{igroup.uuid}` names a parent's key. */
  readonly path: string;
  /** Paths of the values that make the instance URL, in order. */
  readonly keys: readonly string[];
  /** What a record of a collection always carries. */
  readonly identity: readonly string[];
  readonly fields: Readonly<Record<string, Field>>;
  /** Paths whose values come only when named ("expensive properties"). */
  readonly expensive?: readonly string[];
  /** Paths that appeared after 9.8. */
  readonly since?: Readonly<Record<string, Since>>;
  /** Objects inside the object that have a URL of their own: path, then URL with `{key}` parts. */
  readonly links?: Readonly<Record<string, string>>;
  /** `fields=*` and `**` are refused. */
  readonly noWildcard?: boolean;
  /** Records carry no link. */
  readonly plain?: boolean;
}

export const text = (...writable: WriteVerb[]): Field => field("text", writable);
export const integer = (...writable: WriteVerb[]): Field => field("integer", writable);
export const size = (...writable: WriteVerb[]): Field => field("size", writable);
export const flag = (...writable: WriteVerb[]): Field => field("boolean", writable);
export const date = (): Field => field("date", []);
export const oneOf = (values: readonly string[], ...writable: WriteVerb[]): Field => ({
  ...field("text", writable),
  values,
});
/** Known to the array, absent here. */
export const other = (...writable: WriteVerb[]): Field => ({
  ...field("any", writable),
  modelled: false,
});
/** `name` and `uuid` of another object under `path`. */
export const ref = (path: string, ...writable: WriteVerb[]): Record<string, Field> => ({
  [`${path}.name`]: text(...writable),
  [`${path}.uuid`]: text(...writable),
});

function field(type: FieldType, writable: readonly WriteVerb[]): Field {
  return { type, writable, modelled: true };
}

/** True when the path is the group itself or lies inside it. */
function within(path: string, group: string): boolean {
  return path === group || path.startsWith(`${group}.`);
}

/** The leaf at `path` if this release knows it. A leaf of type `any` covers what is below it. */
export function fieldAt(shape: Shape, release: Release, path: string): Field | undefined {
  if (!knownIn(shape, release, path)) return undefined;
  const exact = shape.fields[path];
  if (exact !== undefined) return exact;
  const open = Object.entries(shape.fields).find(([p, f]) => f.type === "any" && within(path, p));
  return open?.[1];
}

/** All leaves of this release at or below `path`. */
export function leavesBelow(shape: Shape, release: Release, path: string): string[] {
  return Object.keys(shape.fields).filter(
    (leaf) => within(leaf, path) && knownIn(shape, release, leaf),
  );
}

function knownIn(shape: Shape, release: Release, path: string): boolean {
  return !Object.entries(shape.since ?? {}).some(
    ([group, first]) => within(path, group) && !atLeast(release, first),
  );
}

/** Leaves that a request for `fields` selects, or undefined for the default selection. */
export function selectLeaves(
  shape: Shape,
  release: Release,
  fields: readonly string[] | undefined,
  instance: boolean,
): string[] {
  const chosen = new Set(shape.identity);
  const all = Object.keys(shape.fields).filter((leaf) => knownIn(shape, release, leaf));
  const cheap = (): void => {
    for (const leaf of all) if (expensiveGroup(shape, leaf) === undefined) chosen.add(leaf);
  };
  if (fields === undefined && instance) cheap();
  for (const name of fields ?? []) {
    if (shape.noWildcard === true && name.startsWith("*")) throw unknownName(name);
    if (name === "*") cheap();
    else if (name === "**") for (const leaf of all) chosen.add(leaf);
    else for (const leaf of named(shape, release, name)) chosen.add(leaf);
  }
  return [...chosen];
}

function named(shape: Shape, release: Release, name: string): string[] {
  const path = name.endsWith(".*") ? name.slice(0, -2) : name;
  const leaves = leavesBelow(shape, release, path);
  if (path === "" || (leaves.length === 0 && fieldAt(shape, release, path) === undefined)) {
    throw unknownName(name);
  }
  return leaves.filter((leaf) => {
    const group = expensiveGroup(shape, leaf);
    return group === undefined || within(path, group);
  });
}

/** The text is that of a captured answer (issue netapp.ontap#184 shows another form of it). */
function unknownName(name: string): OntapFault {
  return new OntapFault("262197", `The value "${name}" is invalid for field "fields"`, "fields");
}

function expensiveGroup(shape: Shape, leaf: string): string | undefined {
  return shape.expensive?.find((group) => within(leaf, group));
}
