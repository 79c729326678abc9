import type { Problem } from "../../bed/errors";
import { parseWwpn, type BedId } from "../../bed/identities";
import type { ZoningState } from "../devices/fabric-switch";
import { GroupCommit } from "../kit/group-commit";
import { resource, type PropertyChange, type ResourceCall } from "../kit/handler";
import type { BedContext } from "./context";
import { ZoneCommit, type ZoneResult } from "./fabric-zone-commit";
import { discoverSide, observeSide } from "./fabric-zone-observe";
import { zoneNames } from "../../bed/zone-names";
import {
  ensureWish,
  hostZonesInputs,
  hostZonesState,
  mergeOwned,
  ownedBy,
  removeWish,
  type HostZonesInputs,
  type HostZonesState,
  type OwnedZones,
} from "./fabric-host-zones-shape";
import { canonical, isOurZone } from "./fabric-zone-plan";
import type { ZoneRequest, ZoneWish } from "./fabric-zone-request";
import { switchWords, wordLines } from "./fabric-zone-words";
import { noteTouched } from "./ledger";
import { readZoning } from "./shared-read";

type Call = ResourceCall<BedContext>;

/** One queue per bed: hosts in flight at the same time share one transaction per fabric. */
const queues = new WeakMap<BedContext, GroupCommit<ZoneRequest, ZoneResult>>();

/**
 * Zones of one host on both fabrics, as one unit: a marked alias and a single-initiator zone for each
 * port, joined to the fabric's effective configuration.
 */
export const hostZones = resource<BedContext, typeof hostZonesInputs, typeof hostZonesState>({
  token: "sanbed:fabric:HostZones",
  description:
    "Aliases and single-initiator zones of one host on both fabrics, enabled on both or on none.",
  inputs: hostZonesInputs,
  state: hostZonesState,
  replaceOn: ["host"],
  deleteBeforeReplace: true,
  check: checkSides,
  diff: dropSpelling,
  async lookAhead(call, args, olds) {
    await sayWhatChanges(call, ensureWish(call.context.bedId, args, olds?.owned ?? {}));
  },
  async create(call, args) {
    const id = idOf(args);
    const made = ownedBy(call.context.bedId, args);
    const started: HostZonesState = { ...args, owned: made, configurations: {} };
    const result = await submit(call, {
      ...ensureWish(call.context.bedId, args, {}),
      onWrite: onWrite(call, made, () => {
        call.began(id, started);
      }),
    });
    return { id, state: { ...started, configurations: byFabric(args, result) } };
  },
  async update(call, id, olds, news) {
    const made = ownedBy(call.context.bedId, news);
    const both = mergeOwned(olds.owned, made);
    const result = await submit(call, {
      ...ensureWish(call.context.bedId, news, olds.owned),
      onWrite: onWrite(call, both, () => {
        call.began(id, { ...olds, ...news, owned: both });
      }),
    });
    return { ...news, owned: made, configurations: byFabric(news, result) };
  },
  async read(call, id, recorded) {
    const known = recorded ?? (await discover(call, id));
    return known === undefined ? undefined : await observe(call, id, known);
  },
  async delete(call, _id, olds) {
    await submit(call, { ...removeWish(olds), onWrite: () => undefined });
  },
});

/** In a preview: what this host would change on each switch; nothing is said where nothing would. */
async function sayWhatChanges(call: Call, wish: ZoneWish): Promise<void> {
  const { context } = call;
  const devices = [...new Set(wish.sides.map((side) => side.device))];
  await Promise.all(
    devices.map(async (device) => {
      const state = await readZoning(call, device);
      const words = switchWords(context.fabric(device), device, state, [wish], context.bedId);
      if (words.commands.length + words.refusals.length === 0) return;
      call.log(words.refusals.length > 0 ? "warning" : "info", wordLines(words).join("\n"));
    }),
  );
}

async function submit(call: Call, request: Omit<ZoneRequest, "status">): Promise<ZoneResult> {
  const { context, signal, deadline, status } = call;
  const queue = queues.get(context) ?? newQueue(context);
  // Shared by all pairs of switches: hosts of one bed never wait for another's fabric twice.
  const leftBehind = request.onWrite;
  return await queue.run("zoning", { ...request, status }, { signal, deadline, leftBehind });
}

function newQueue(context: BedContext): GroupCommit<ZoneRequest, ZoneResult> {
  const zones = new ZoneCommit(context);
  const queue = new GroupCommit<ZoneRequest, ZoneResult>(
    (batch) => zones.run(batch.items, batch.signal),
    { windowMs: context.gatherMs },
  );
  queues.set(context, queue);
  return queue;
}

/** Before the first write: the ledger first, so that a killed plugin leaves a trace of what it began. */
function onWrite(call: Call, made: OwnedZones, began: () => void): () => void {
  let noted = false;
  return () => {
    if (noted) return;
    noted = true;
    const touched = Object.values(made).flatMap(({ device, ports }) =>
      Object.values(ports)
        .flat()
        .flatMap(({ alias, zone }) => [
          { device, class: "alias", name: alias },
          { device, class: "zone", name: zone },
          { device, class: "effectiveZone", name: zone },
        ]),
    );
    noteTouched(call.context.folder, touched);
    began();
  };
}

function byFabric(args: HostZonesInputs, result: ZoneResult): Record<string, string> {
  return Object.fromEntries(
    Object.entries(args.fabrics).map(([fabric, one]) => [fabric, result[one.device] ?? ""]),
  );
}

async function observe(
  call: Call,
  id: string,
  known: HostZonesState,
): Promise<{ id: string; inputs: HostZonesInputs; state: HostZonesState } | undefined> {
  const { bedId } = call.context;
  const fabrics: HostZonesInputs["fabrics"] = {};
  let anything = false;
  const sides = await Promise.all(
    Object.entries(known.fabrics).map(
      async ([fabric, recorded]) =>
        [fabric, recorded, await readZoning(call, recorded.device)] as const,
    ),
  );
  for (const [fabric, recorded, zoning] of sides) {
    const ports = known.owned[fabric]?.ports ?? {};
    const hbas = [...new Set([...Object.keys(ports), ...Object.keys(recorded.initiators)])];
    const seen = observeSide(zoning, bedId, known.host, recorded, hbas);
    fabrics[fabric] = {
      device: recorded.device,
      initiators: { ...seen.initiators },
      targets: [...seen.targets],
      zonePrefix: seen.zonePrefix,
    };
    anything ||= hbas.some((hba) => isLeft(zoning, bedId, known.host, hba, recorded.zonePrefix));
  }
  if (!anything) return undefined;
  const read: HostZonesInputs = { host: known.host, fabrics };
  return { id, inputs: read, state: { ...known, ...read } };
}

function isLeft(
  zoning: ZoningState,
  bedId: BedId,
  host: string,
  hba: string,
  zonePrefix: string,
): boolean {
  const { alias, zone } = zoneNames(bedId, host, hba, zonePrefix);
  return zoning.aliases.has(alias) || isOurZone(zoning, zone, bedId);
}

/** Import id: `<host>@A=<switch>,B=<switch>`. */
function idOf(args: HostZonesInputs): string {
  const fabrics = Object.entries(args.fabrics).map(([fabric, one]) => `${fabric}=${one.device}`);
  return `${args.host}@${fabrics.join(",")}`;
}

async function discover(call: Call, id: string): Promise<HostZonesState | undefined> {
  const { bedId } = call.context;
  const [host, list] = id.split("@");
  if (host === undefined || list === undefined) return undefined;
  const found: HostZonesState = { host, fabrics: {}, owned: {}, configurations: {} };
  for (const part of list.split(",")) {
    const [fabric, device] = part.split("=");
    if (fabric === undefined || device === undefined) return undefined;
    const zoning = await readZoning(call, device);
    const seen = discoverSide(zoning, bedId, host);
    if (seen === undefined) continue;
    const { side: one, hbas } = seen;
    const { zonePrefix } = one;
    found.fabrics[fabric] = { device, initiators: {}, targets: [...one.targets], zonePrefix };
    found.owned[fabric] = {
      device,
      ports: Object.fromEntries(
        hbas.map((hba) => [hba, [zoneNames(bedId, host, hba, zonePrefix)]]),
      ),
    };
    found.configurations[fabric] = zoning.effective?.name ?? "";
  }
  return Object.keys(found.fabrics).length === 0 ? undefined : found;
}

function checkSides(args: Partial<HostZonesInputs>): readonly Problem[] {
  const problems: Problem[] = [];
  const seen = new Map<string, string>();
  for (const [fabric, one] of Object.entries(args.fabrics ?? {})) {
    // HostZonesInputs with unknown parts are partial at every level.
    const partial = one as Partial<HostZonesInputs["fabrics"][string]>;
    if (partial.targets?.length === 0) {
      problems.push({
        path: `fabrics.${fabric}.targets`,
        message: "at least one target is needed",
      });
    }
    for (const [hba, text] of Object.entries(partial.initiators ?? {})) {
      const wwpn = parseWwpn(text);
      const path = `fabrics.${fabric}.initiators.${hba}`;
      if (wwpn === undefined) continue;
      const other = seen.get(wwpn);
      seen.set(wwpn, path);
      if (other === undefined) continue;
      problems.push({ path, message: `WWPN ${wwpn} is also at ${other}: a port is on one fabric` });
    }
  }
  return problems;
}

/** The order of targets and the spelling of WWPNs are no changes. */
function dropSpelling(
  changes: readonly PropertyChange[],
  olds: HostZonesState,
  news: HostZonesInputs,
): readonly PropertyChange[] {
  const same = new Set<string>();
  for (const [fabric, one] of Object.entries(news.fabrics)) {
    const old = olds.fabrics[fabric];
    if (old === undefined) continue;
    if (canonical(old.targets).join() === canonical(one.targets).join()) {
      same.add(`fabrics.${fabric}.targets`);
    }
    for (const [hba, text] of Object.entries(one.initiators)) {
      const before = old.initiators[hba];
      if (before !== undefined && parseWwpn(before) === parseWwpn(text)) {
        same.add(`fabrics.${fabric}.initiators.${hba}`);
      }
    }
  }
  return changes.filter((change) => !same.has(change.path.replace(/\[\d+\]$/, "")));
}
