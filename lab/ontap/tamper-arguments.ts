import { SanbedError } from "../../bed/errors";
import type { TamperAction } from "../emulator/emulator";
import type { Json, StorageArray } from "../world/state";
import type { ArrayContext } from "./context";

export type Args = Readonly<Record<string, Json>>;

/** The control port hands over the whole request: what names the action is no argument of it. */
export function action(description: string, run: (args: Args) => Json): TamperAction {
  return {
    description,
    run: (request) =>
      run(
        Object.fromEntries(
          Object.entries(request).filter(([name]) => name !== "device" && name !== "action"),
        ),
      ),
  };
}

export function text(args: Args, name: string): string {
  const value = args[name];
  if (typeof value !== "string") throw new SanbedError("lab", `tamper: "${name}" is missing`);
  return value;
}

export function find<T extends { readonly name: string }>(
  objects: Readonly<Record<string, T>>,
  args: Args,
  argument: string,
): T {
  const name = text(args, argument);
  const found = Object.values(objects).find((object) => object.name === name);
  if (found === undefined) throw missing(name);
  return found;
}

export function missing(what: string): SanbedError {
  return new SanbedError("lab", `tamper: the array has no ${what}`);
}

export function must<T>(value: T | undefined): T {
  if (value === undefined) throw new SanbedError("lab", "tamper: the object is gone");
  return value;
}

export function edit(ctx: ArrayContext, change: (array: StorageArray) => unknown): null {
  ctx.change(change);
  return null;
}
