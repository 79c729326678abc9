import * as pulumi from "@pulumi/pulumi";

/** What a component answers by a stable key; a missing key is an error of the caller, named. */
export function byKey<T>(record: Readonly<Record<string, T>>, key: string, what: string): T {
  const value = record[key];
  if (value === undefined) throw new pulumi.RunError(`there is no ${what} "${key}"`);
  return value;
}

/**
 * Reads one key of a map output by lifted access. `apply` would make the whole map unknown in a
 * preview as soon as one member is, and replace everything that hangs on it.
 */
export function outputKey<T>(map: pulumi.Output<Record<string, T>>, key: string): pulumi.Output<T> {
  return Reflect.get(map, key) as pulumi.Output<T>;
}

/** A plain value as an output; an output stays as it is, so that unknown members stay the only unknown ones. */
export function asOutput<T>(value: pulumi.Input<T>): pulumi.Output<T> {
  return (pulumi.Output.isInstance(value) ? value : pulumi.output(value)) as pulumi.Output<T>;
}
