import { readFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import { programInput } from "./program-input";

/** A resource of a bed's state: only what decides how much work it is for the engine. */
export interface EngineResource {
  readonly urn: string;
  readonly custom: boolean;
  readonly inputs: unknown;
  readonly parent: string | undefined;
  readonly dependencies: readonly string[];
}

/**
 * Pulumi program of the engine-only baseline: the same resources as a bed, with the same inputs,
 * parents and dependencies, but all of the engine's built-in kind (`pulumi:index:Stash`). No plugin
 * and no device takes part.
 */
const resources = JSON.parse(readFileSync(programInput, "utf8")) as EngineResource[];
const made = new Map<string, pulumi.Resource>();
for (const { urn, custom, inputs, parent, dependencies } of resources) {
  const name = urn.slice(urn.lastIndexOf("::") + 2);
  const above = parent === undefined ? undefined : made.get(parent);
  const options: pulumi.CustomResourceOptions = {
    ...(above === undefined ? {} : { parent: above }),
    dependsOn: dependencies.flatMap((dependency) => made.get(dependency) ?? []),
  };
  made.set(
    urn,
    custom
      ? new pulumi.Stash(name, { input: inputs }, options)
      : new pulumi.ComponentResource("sanbed:bench:Component", name, {}, options),
  );
}
