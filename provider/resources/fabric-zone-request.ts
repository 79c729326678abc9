import { DeviceError } from "../../bed/errors";
import type { BedId } from "../../bed/identities";
import type { ZoningChange, ZoningState } from "../devices/fabric-switch";
import {
  mergeChanges,
  planHostZones,
  planRemoval,
  type OwnedNames,
  type PlanRefusal,
  type WantedZone,
} from "./fabric-zone-plan";

/** What one host wants on one fabric. Nothing wanted: only what was made earlier is taken away. */
export interface ZoneSide {
  /** Key of the fabric in the bed, `A`. */
  readonly fabric: string;
  readonly device: string;
  readonly wanted: readonly WantedZone[];
  readonly earlier: OwnedNames;
}

/** What one host wants on its fabrics, and what is there for it. */
export interface ZoneWish {
  readonly host: string;
  readonly kind: "ensure" | "remove";
  readonly sides: readonly ZoneSide[];
}

export interface ZoneRequest extends ZoneWish {
  readonly onWrite: () => void;
  readonly status: (message: string) => void;
}

/**
 * The change of all hosts on one fabric; empty when one of them is refused, which is noted. Pure apart
 * from the note.
 */
export function planAll<Wish extends ZoneWish>(
  device: string,
  state: ZoningState,
  wishes: readonly Wish[],
  refused: Map<Wish, unknown>,
  bedId: BedId,
): ZoningChange {
  const changes: ZoningChange[] = [];
  let refusals = 0;
  for (const wish of wishes) {
    for (const side of wish.sides.filter((candidate) => candidate.device === device)) {
      const plan =
        wish.kind === "remove"
          ? planRemoval(state, side.earlier, bedId)
          : planHostZones(state, side.wanted, side.earlier, bedId);
      if (!("refusal" in plan)) {
        changes.push(plan);
        continue;
      }
      refusals++;
      refused.set(wish, foreignError(device, wish, plan.refusal));
    }
  }
  return mergeChanges(refusals > 0 ? [] : changes);
}

function foreignError(device: string, wish: ZoneWish, refusal: PlanRefusal): DeviceError {
  return new DeviceError({
    kind: "refused",
    device,
    operation: wish.kind === "remove" ? "remove the zones of" : "zone",
    object: `host ${wish.host}`,
    ...refusal,
  });
}
