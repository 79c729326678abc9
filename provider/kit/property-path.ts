/** One step into a value: an object key or an array index. */
export type PathSegment = string | number;
export type Path = readonly PathSegment[];

/** Prints a path in Pulumi's form: `hosts[0].wwpn`, `labels["a.b"]`. */
export function formatPath(path: Path): string {
  let text = "";
  for (const segment of path) {
    if (typeof segment === "number") text += `[${segment.toString()}]`;
    else if (segment === "" || /[.[\]"]/.test(segment)) text += `[${JSON.stringify(segment)}]`;
    else text += text === "" ? segment : `.${segment}`;
  }
  return text;
}

/**
 * Reads a path in Pulumi's form. `*` (`a.*`, `a[*]`) stays the string `"*"`: it stands for every key
 * and every index when the path is matched.
 */
export function parsePath(text: string): Path {
  const path: PathSegment[] = [];
  const token = /\[(\d+)\]|\[\*\]|\["((?:[^"\\]|\\.)*)"\]|\.?([^.[\]]+)/gy;
  while (token.lastIndex < text.length) {
    const start = token.lastIndex;
    const match = token.exec(text);
    if (match === null) {
      path.push(text.slice(start));
      break;
    }
    const [whole, index, quoted, plain] = match;
    if (index !== undefined) path.push(Number(index));
    else if (quoted !== undefined) path.push(JSON.parse(`"${quoted}"`) as string);
    else path.push(whole === "[*]" ? "*" : (plain ?? ""));
  }
  return path;
}

/** True when `path` is `prefix` or lies below it; `*` in the prefix matches any one segment. */
export function startsWith(path: Path, prefix: Path): boolean {
  if (prefix.length > path.length) return false;
  return prefix.every((segment, i) => segment === "*" || String(segment) === String(path[i]));
}

/** The value at a path, or undefined where the path leads nowhere. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root;
  for (const segment of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<PathSegment, unknown>)[segment];
  }
  return value;
}

/** Sets the value at a path whose parent exists; does nothing where it does not. */
export function setAt(root: unknown, path: Path, value: unknown): void {
  const last = path[path.length - 1];
  const parent = valueAt(root, path.slice(0, -1));
  if (last === undefined || typeof parent !== "object" || parent === null) return;
  (parent as Record<PathSegment, unknown>)[last] = value;
}
