import type { Body } from "./body";
import { fixedIds } from "./cluster";
import { OntapFault } from "./faults";
import type { Rec } from "./record";

export function policyRef(name: string): Rec {
  return {
    name,
    uuid: name === "none" ? fixedIds.snapshotPolicyNone : fixedIds.snapshotPolicyDefault,
  };
}

/** @throws {OntapFault} for a policy that the cluster does not have. */
export function snapshotPolicy(body: Body, otherwise: string): string {
  const name = body.text("snapshot_policy.name") ?? otherwise;
  if (name !== "none" && name !== "default") {
    throw new OntapFault("917551", `Snapshot policy "${name}" does not exist.`, "snapshot_policy");
  }
  return name;
}
