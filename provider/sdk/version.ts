// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
import * as pulumi from "@pulumi/pulumi";

/** Version of the package: the engine starts the plugin of the same version. */
export const packageVersion = "0.1.0";

/** @internal */
export function required(value: unknown, property: string): void {
  if (value === undefined) throw new Error(`Missing required property '${property}'`);
}

/** @internal */
export function secret(value: unknown): unknown {
  return value === undefined ? undefined : pulumi.secret(value);
}
