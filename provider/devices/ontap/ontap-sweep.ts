import { DeviceError } from "../../../bed/errors";
import type { BedId, DeviceName } from "../../../bed/identities";
import { bedOfComment, bedOfName } from "../../../bed/mark";
import type { BlockArray, NvmeArray, PoolBuilder, Scope } from "../block-array";
import type { DataProtocol } from "../data-protocol";
import type { DeviceCall } from "../call";
import type { ArrayRemains } from "../sweep";
import { bedOfGroup, bedOfUnit, grouped, volumeOfPath } from "./naming";
import type { ClusterContent, SideContent } from "./ontap-inventory";
import type { FlexVol, Group, Unit } from "./objects";
import { volumeOfEntry } from "./recovery-queue";

/** The array as the sweep works with it. */
type SweptArray = BlockArray & PoolBuilder & { readonly nvme: NvmeArray };

/** What of one side belongs to a bed. */
interface OurSide extends SideContent {
  readonly ourUnits: ReadonlyMap<string, Unit>;
  readonly ourGroups: readonly Group[];
}

/** What hosts call the units of a bed. */
export function markedDevices(content: ClusterContent, bedId: BedId): readonly DeviceName[] {
  return sidesOfBed(content, bedId).flatMap(({ side, ourUnits }) =>
    [...ourUnits.values()].map((unit) => side.deviceName(unit)),
  );
}

/** Everything of a bed that hosts could see or that would keep a tenant from going. */
export function remainsOf(content: ClusterContent, bedId: BedId): ArrayRemains {
  const sides = sidesOfBed(content, bedId);
  return {
    groups: sides.flatMap(({ side: { protocol }, ourGroups }) =>
      ourGroups.map(({ svm: target, name }) => ({ protocol, target, name })),
    ),
    volumes: content.volumes
      .filter((volume) => bedOfComment(volume.comment) === bedId)
      .map((volume) => ({
        protocol: protocolOf(volume, sides),
        target: volume.svm,
        name: volume.name,
      })),
    maps: sides.flatMap(({ side, maps, ourUnits, ourGroups }) =>
      maps.flatMap((map) => {
        const unit = ourUnits.get(map.unitUuid);
        const ours = ourGroups.some((group) => group.uuid === map.groupUuid);
        if (unit === undefined || !ours) return [];
        return [
          {
            protocol: side.protocol,
            target: map.svm,
            volume: volumeOfPath(map.path),
            group: map.group,
            device: side.deviceName(unit),
          },
        ];
      }),
    ),
  };
}

/** Removes everything of a bed, in the order in which nothing is pulled from under another. */
export async function sweepArray(
  content: ClusterContent,
  array: SweptArray,
  call: DeviceCall,
  bedId: BedId,
): Promise<readonly string[]> {
  const sides = sidesOfBed(content, bedId);
  for (const side of sides) refuseForeignMaps(array.device, side);
  const removed: string[] = [];
  for (const side of sides) removed.push(...(await sweepMaps(array, call, bedId, side)));
  removed.push(...(await sweepVolumes(array, call, bedId, content)));
  const scope = (target: string): Scope => ({ bedId, target });
  for (const { side, ourGroups } of sides) {
    for (const { svm, name } of ourGroups) {
      await faceOf(array, side.protocol).hosts.removeGroup(call, scope(svm), name);
      removed.push(`hostGroup ${svm}/${name}`);
    }
  }
  for (const svm of content.svms.filter((one) => bedOfComment(one.comment) === bedId)) {
    await array.targets.remove(call, scope(svm.name));
    removed.push(`tenant ${svm.name}`);
  }
  for (const pool of content.aggregates.filter((one) => bedOfName(one.name) === bedId)) {
    await array.removePool(call, scope(""), pool.name);
    removed.push(`pool ${pool.name}`);
  }
  return removed;
}

async function sweepMaps(
  array: SweptArray,
  call: DeviceCall,
  bedId: BedId,
  { side, maps, ourGroups }: OurSide,
): Promise<string[]> {
  const removed: string[] = [];
  for (const group of ourGroups) {
    const here = maps.filter((map) => map.groupUuid === group.uuid);
    const leaving = here.map((map) => ({
      volume: volumeOfPath(map.path),
      group: group.name,
      lun: map.number,
    }));
    await faceOf(array, side.protocol).maps.remove(call, { bedId, target: group.svm }, leaving);
    removed.push(...here.map((map) => `map ${group.name}${map.path}`));
  }
  return removed;
}

/** Volumes, whatever they hold, and what of them lies in the recovery queue. */
async function sweepVolumes(
  array: SweptArray,
  call: DeviceCall,
  bedId: BedId,
  content: ClusterContent,
): Promise<string[]> {
  const removed: string[] = [];
  const volumes = content.volumes.filter((volume) => bedOfComment(volume.comment) === bedId);
  for (const [target, list] of grouped(volumes, (volume) => volume.svm)) {
    const names = list.map((volume) => volume.name);
    await array.volumes.remove(call, { bedId, target }, names);
    removed.push(...names.map((name) => `volume ${target}/${name}`));
  }
  const deleted = content.deleted.filter(({ entry }) => bedOfName(entry) === bedId);
  for (const [target, list] of grouped(deleted, (one) => one.svm)) {
    const names = list.flatMap(({ entry }) => volumeOfEntry(entry) ?? []);
    await array.volumes.remove(call, { bedId, target }, names);
    removed.push(...list.map(({ entry }) => `deletedVolume ${target}/${entry}`));
  }
  return removed;
}

function sidesOfBed(content: ClusterContent, bedId: BedId): readonly OurSide[] {
  return content.sides.map((side) => ({
    ...side,
    ourUnits: new Map(
      side.units
        .filter((unit) => bedOfUnit(unit, content.volumes) === bedId)
        .map((unit) => [unit.uuid, unit]),
    ),
    ourGroups: side.groups.filter((group) => bedOfGroup(group) === bedId),
  }));
}

/** A FlexVol without a unit yet may go either way. */
function protocolOf(volume: FlexVol, sides: readonly OurSide[]): DataProtocol {
  const holder = sides.find(({ units }) =>
    units.some((unit) => unit.svm === volume.svm && unit.path.startsWith(`/vol/${volume.name}/`)),
  );
  return holder?.side.protocol ?? "fcp";
}

function faceOf(
  array: SweptArray,
  protocol: DataProtocol,
): Pick<BlockArray, "hosts" | "maps"> | Pick<NvmeArray, "hosts" | "maps"> {
  return protocol === "fcp" ? array : array.nvme;
}

/** Hosts may use what somebody mapped to our group: nothing is taken from under them. */
function refuseForeignMaps(device: string, { side, maps, ourUnits, ourGroups }: OurSide): void {
  const foreign = maps.filter(
    (map) => ourGroups.some((group) => group.uuid === map.groupUuid) && !ourUnits.has(map.unitUuid),
  );
  if (foreign.length === 0) return;
  throw new DeviceError({
    kind: "refused",
    device,
    operation: "sweep",
    object: [...new Set(foreign.map((map) => map.group))].join(", "),
    reason: `${side.words.unit}s that are not the bed's are mapped to it: ${foreign.map((map) => map.path).join(", ")}`,
    remedy: "Let their hosts go, unmap them, then run again. Nothing was removed.",
  });
}
