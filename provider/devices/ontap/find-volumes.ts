import type { DeviceCall } from "../call";
import type { OntapGateway, VolumeFilter } from "./gateway";
import type { Side } from "./side";
import type { VolumeOnArray } from "./volume-decisions";

/** FlexVols by name, with all units of the sides in them, whoever made them. */
export async function findVolumes(
  ontap: OntapGateway,
  call: DeviceCall,
  filter: VolumeFilter,
  sides: readonly Side[],
): Promise<Map<string, VolumeOnArray>> {
  const [flexVols, ...lists] = await Promise.all([
    ontap.flexVols.list(call, filter),
    ...sides.map((side) => side.calls.units.list(call, filter)),
  ]);
  const units = lists.flat();
  return new Map(
    flexVols.map((flexVol) => [
      flexVol.name,
      { flexVol, units: units.filter((unit) => unit.path.startsWith(`/vol/${flexVol.name}/`)) },
    ]),
  );
}
