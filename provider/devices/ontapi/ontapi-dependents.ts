import type { DeviceCall } from "../call";
import { exactly, inParts, namesPerQuery } from "../ontap/naming";
import type { Dependent } from "../ontap/objects";
import { foreignFiles, type VolumeOnArray } from "../ontap/volume-decisions";
import type { OntapiClient } from "./ontapi-client";
import { element } from "./ontapi-reader";

/** Something on a volume, by the volume that it hangs on. */
const snapshotShape = element((from) => ({
  svm: from.text("vserver"),
  volume: from.text("volume"),
  what: `snapshot ${from.text("name")}`,
}));

const cloneShape = element((from) => {
  const svm = from.text("vserver");
  return {
    svm: from.maybe("parent-vserver") ?? svm,
    volume: from.text("parent-volume"),
    what: `clone ${svm}/${from.text("volume")}`,
  };
});

const mirrorShape = element((from) => ({
  svm: from.text("source-vserver"),
  volume: from.text("source-volume"),
  what: `SnapMirror relationship to ${from.text("destination-location")}`,
}));

const mountShape = element((from) => ({
  svm: from.text("volume-id-attributes.owning-vserver-name"),
  volume: from.text("volume-id-attributes.name"),
  path: from.maybe("volume-id-attributes.junction-path"),
}));

const fileShape = element((from) => from.text("name"));

/** What others have on FlexVols over ONTAPI. Files are a list of each volume; the rest is asked at once. */
export async function dependentsOf(
  client: OntapiClient,
  call: DeviceCall,
  volumes: readonly VolumeOnArray[],
): Promise<readonly Dependent[]> {
  const flexVols = volumes.map(({ flexVol }) => flexVol);
  const parts = inParts(flexVols, namesPerQuery).map((part) =>
    exactly(
      client.device,
      part.map((flexVol) => flexVol.name),
    ),
  );
  const [files, found] = await Promise.all([
    Promise.all(volumes.map((volume) => filesOf(client, call, volume))),
    Promise.all(parts.flatMap((names) => listsOf(client, call, names))),
  ]);
  const others = found.flat().flatMap(({ svm, volume, what }) => {
    const parent = flexVols.find((one) => one.name === volume && one.svm === svm);
    return parent === undefined ? [] : [{ volume, what }];
  });
  return [...others, ...files.flat()];
}

type Found = readonly { readonly svm: string; readonly volume: string; readonly what: string }[];

function listsOf(client: OntapiClient, call: DeviceCall, names: string): readonly Promise<Found>[] {
  const mounts = client.list(call, mountShape, {
    api: "volume-get-iter",
    element: "volume-attributes",
    query: { "volume-id-attributes": { name: names } },
    desired: {
      "volume-id-attributes": { name: "", "owning-vserver-name": "", "junction-path": "" },
    },
    operation: "list mounts of volumes",
  });
  return [
    client.list(call, snapshotShape, {
      api: "snapshot-get-iter",
      element: "snapshot-info",
      query: { volume: names },
      operation: "list snapshots of volumes",
    }),
    client.list(call, cloneShape, {
      api: "volume-clone-get-iter",
      element: "volume-clone-info",
      query: { "parent-volume": names },
      operation: "list clones of volumes",
    }),
    client.list(call, mirrorShape, {
      api: "snapmirror-get-destination-iter",
      element: "snapmirror-destination-info",
      query: { "source-volume": names },
      operation: "list mirrors of volumes",
    }),
    mounts.then((all) =>
      all.flatMap(({ path, ...place }) =>
        path === undefined ? [] : [{ ...place, what: `mount at ${path}` }],
      ),
    ),
  ];
}

async function filesOf(
  client: OntapiClient,
  call: DeviceCall,
  { flexVol, units }: VolumeOnArray,
): Promise<readonly Dependent[]> {
  const names = await client.list(call, fileShape, {
    api: "file-list-directory-iter",
    vserver: flexVol.svm,
    element: "file-info",
    input: { path: `/vol/${flexVol.name}` },
    desired: { name: "" },
    operation: "list files of volume",
    object: flexVol.name,
  });
  return foreignFiles(names, units).map((file) => ({
    volume: flexVol.name,
    what: `file ${file}`,
  }));
}
