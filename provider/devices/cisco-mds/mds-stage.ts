import { isDeviceError, type DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../call";
import type { ZoningChange, ZoningState } from "../fabric-switch";
import { editOrRefusal } from "../zoning-refusal";
import { planEdit } from "../zoning-edit";
import { lines } from "./cli-line";
import { inverseChange, mdsEdit, type AliasChoice, type MdsEdit } from "./mds-commands";
import { changeAliases, cleanUp, tidyUp } from "./mds-alias-write";
import type { MdsDatabase } from "./mds-database";
import { refuseBeyondLimits } from "./mds-limits";
import {
  dropLeftovers,
  holderOf,
  oursIn,
  settledDatabase,
  waitForHolder,
  type MdsTools,
} from "./mds-locks";
import { foreignObjects, pendingObjects } from "./pending-diff";
import { movedSince } from "./mds-guard";

export type ZoningPlan = (state: ZoningState) => ZoningChange;

/** What a transaction is asked to keep to. */
export interface StageSettings {
  readonly aliases: AliasChoice;
  /** Beds whose pending leftovers are ours although the change does not name an alias of theirs. */
  readonly beds?: readonly string[];
}

/** What is staged, and on which base. In basic mode nothing is sent before the commit. */
export interface Staged {
  readonly base: MdsDatabase;
  readonly change: ZoningChange;
  readonly edit: MdsEdit;
  /** The switch said that it opened the session for our first line. */
  readonly openedSession: boolean;
}

/** @throws {DeviceError} `refused` for what may not be done, or what the switch would not take. */
export function checkedEdit(
  tools: MdsTools,
  base: MdsDatabase,
  change: ZoningChange,
  choice: AliasChoice,
): MdsEdit | undefined {
  const { device, vsan } = tools.zoning;
  const edit = editOrRefusal(device, base.state, change);
  if (edit === undefined) return undefined;
  refuseBeyondLimits(device, base, edit, choice);
  return mdsEdit(base, edit, vsan, choice);
}

/**
 * Stages on a base that nobody else is editing. Waits for another's session, begins anew when an answer was
 * lost on the way, and leaves nothing staged behind when it fails. Undefined: nothing is to be changed.
 */
export async function stagePatiently(
  call: DeviceCall,
  tools: MdsTools,
  plan: ZoningPlan,
  settings: StageSettings,
): Promise<Staged | undefined> {
  const until = tools.clock.now() + tools.patience.lockWaitMs;
  for (let losses = 0; ;) {
    const base = await settledDatabase(call, tools);
    const change = plan(base.state);
    const edit = checkedEdit(tools, base, change, settings.aliases);
    const ours = oursIn(change, edit, settings.beds);
    // Also where there is nothing to change: what was left pending would keep everybody else out.
    if (await dropLeftovers(call, tools.zoning, base, ours)) continue;
    if (edit === undefined) return undefined;
    const holder = holderOf(base, edit);
    if (holder !== undefined) {
      await waitForHolder(call, tools, holder, until);
      continue;
    }
    if (!base.status.enhanced) return { base, change, edit, openedSession: false };
    const result = await tryStage(call, tools, { base, change, edit, openedSession: false });
    if (!("why" in result)) return result;
    // Who was quicker by a moment is named by the next look.
    const late = result.why === "locked" ? tools.clock.now() >= until : ++losses > 3;
    if (late || result.why === "refused" || call.signal.aborted) throw result.error;
    await tools.clock.sleep(tools.patience.busyMs, call.signal);
  }
}

interface NotStaged {
  readonly why: "locked" | "lost" | "refused";
  readonly error: DeviceError;
}

async function tryStage(
  call: DeviceCall,
  tools: MdsTools,
  staged: Staged,
): Promise<Staged | NotStaged> {
  const { zoning } = tools;
  const purpose = { operation: "stage the zoning change", object: staged.edit.activate };
  let reached = staged;
  try {
    const { edit, base } = staged;
    const { distributed } = base.aliasStatus;
    const refusal = await changeAliases(call, tools, edit.aliasesFirst, distributed);
    if (refusal !== undefined) return { why: whyOf(refusal), error: refusal };
    const { refused, began, openedSession } = await zoning.write(call, edit.zoning, purpose);
    reached = { ...staged, openedSession };
    if (refused === undefined) return reached;
    await tidyUp(() => (began ? dropStaged(tools, reached) : removeCreatedAliases(tools, reached)));
    return { why: whyOf(refused), error: refused };
  } catch (error) {
    if (!isDeviceError(error)) throw error;
    await tidyUp(() => dropStaged(tools, reached));
    return { why: isDeviceError(error, "unauthorized") ? "refused" : "lost", error };
  }
}

function whyOf(refused: DeviceError): NotStaged["why"] {
  if (refused.kind === "locked") return "locked";
  return refused.kind === "busy" ? "lost" : "refused";
}

/**
 * Drops what we have staged and nobody else's. A session that the switch opened for us is discarded; of any
 * other it is looked what is in it: ours alone is discarded, ours beside another's is taken back line by
 * line, so that the other keeps his. Works without the caller's signal, which may be the reason why.
 */
export async function dropStaged(tools: MdsTools, staged: Staged): Promise<void> {
  const { zoning } = tools;
  const call = cleanUp();
  if (staged.base.status.enhanced) {
    const { session } = (await settledDatabase(call, tools)).status;
    if (session !== undefined) {
      const pending = await zoning.pending(call);
      const objects = pending === undefined ? undefined : pendingObjects(pending);
      if (objects === undefined) {
        if (staged.openedSession) await zoning.discard(call);
      } else {
        const ours = oursIn(staged.change, staged.edit);
        const others = await foreignEdits(call, tools, staged, foreignObjects(objects, ours));
        if (others.length === 0 && objects.size > 0) await zoning.discard(call);
        else if (others.length < objects.size) await takeBack(call, tools, staged);
      }
    }
  }
  await removeCreatedAliases(tools, staged);
}

/** A session is a copy: what others changed in the database since shows in it as if it undid that. */
async function foreignEdits(
  call: DeviceCall,
  tools: MdsTools,
  staged: Staged,
  objects: readonly string[],
): Promise<readonly string[]> {
  if (objects.length === 0) return [];
  const { state } = await tools.zoning.database(call);
  return objects.filter((object) => !movedSince(object, staged.base.state, state));
}

/** Our lines in a session that somebody else joined, undone one by one. */
async function takeBack(call: DeviceCall, tools: MdsTools, staged: Staged): Promise<void> {
  const { base, change } = staged;
  const forward = planEdit(base.state, change);
  if (forward === undefined || "refusal" in forward) return;
  const after = { ...base, state: afterEdit(base.state, change) };
  const back = planEdit(after.state, inverseChange(base.state, change));
  if (back === undefined || "refusal" in back) return;
  const { zoning } = mdsEdit(after, back, tools.zoning.vsan, undefined);
  await tools.zoning.write(call, zoning, { operation: "take back the zoning change" });
}

/** The database as the staged lines leave it. */
function afterEdit(state: ZoningState, change: ZoningChange): ZoningState {
  const gone = new Set(change.removeZones);
  const zones = new Map([...state.zones].filter(([name]) => !gone.has(name)));
  for (const [name, members] of change.upsertZones)
    zones.set(name, { name, members, type: "standard" });
  const aliases = new Map([...state.aliases, ...change.upsertAliases]);
  for (const name of change.removeAliases) aliases.delete(name);
  const configs = new Map(
    [...state.configs].map(([name, config]) => {
      const kept = config.zones.filter((zone) => !gone.has(zone));
      const joined = name === state.effective?.name ? [...change.upsertZones.keys()] : [];
      return [name, { name, zones: [...new Set([...kept, ...joined])] }];
    }),
  );
  return { ...state, zones, aliases, configs };
}

/** New device aliases of a change that is not carried out, as far as no zone has them. */
async function removeCreatedAliases(tools: MdsTools, staged: Staged): Promise<void> {
  const { created } = staged.edit;
  if (created.length === 0) return;
  const call = cleanUp();
  const now = await tools.zoning.database(call);
  const used = new Set([...now.state.zones.values()].flatMap((zone) => zone.members));
  const left = created.filter((name) => now.state.aliases.has(name) && !used.has(name));
  if (left.length === 0 || now.aliasStatus.holder !== undefined) return;
  const { distributed } = now.aliasStatus;
  const refusal = await changeAliases(call, tools, left.map(lines.noDeviceAlias), distributed);
  if (refusal !== undefined) throw refusal;
}
