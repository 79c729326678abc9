import { z } from "zod";
import type { DeviceCall } from "../../call";
import { exactly, inParts, namesPerQuery } from "../naming";
import type { Dependent, FlexVol } from "../objects";
import { foreignFiles, type VolumeOnArray } from "../volume-decisions";
import type { RestClient } from "./rest-client";

const named = z.looseObject({ name: z.string() });

const cloneShape = z.looseObject({
  name: z.string(),
  svm: named,
  clone: z.looseObject({ parent_volume: named, parent_svm: named.optional() }),
});

const useShape = z.looseObject({
  name: z.string(),
  nas: z.looseObject({ path: z.string().optional() }).optional(),
  snapmirror: z.looseObject({ is_protected: z.boolean().optional() }).optional(),
});

/** What others have on FlexVols. Snapshots and files are lists of each volume; the rest is asked at once. */
export class RestDependents {
  readonly #client: RestClient;

  constructor(client: RestClient) {
    this.#client = client;
  }

  async of(call: DeviceCall, volumes: readonly VolumeOnArray[]): Promise<readonly Dependent[]> {
    const flexVols = volumes.map(({ flexVol }) => flexVol);
    const parts = inParts(flexVols, namesPerQuery);
    const lists = await Promise.all([
      ...flexVols.map((flexVol) => this.#snapshots(call, flexVol)),
      ...volumes.map((volume) => this.#files(call, volume)),
      ...parts.map((part) => this.#clones(call, part)),
      ...parts.map((part) => this.#uses(call, part)),
    ]);
    return lists.flat();
  }

  async #snapshots(call: DeviceCall, { uuid, name }: FlexVol): Promise<readonly Dependent[]> {
    const snapshots = await this.#client.list(call, named, {
      path: `/storage/volumes/${uuid}/snapshots`,
      query: { fields: "name" },
      operation: "list snapshots of volume",
      object: name,
    });
    return snapshots.map((snapshot) => ({ volume: name, what: `snapshot ${snapshot.name}` }));
  }

  async #files(
    call: DeviceCall,
    { flexVol: { uuid, name }, units }: VolumeOnArray,
  ): Promise<readonly Dependent[]> {
    const entries = await this.#client.list(call, named, {
      path: `/storage/volumes/${uuid}/files`,
      query: { fields: "name" },
      operation: "list files of volume",
      object: name,
    });
    const names = entries.map((entry) => entry.name);
    return foreignFiles(names, units).map((file) => ({ volume: name, what: `file ${file}` }));
  }

  /** A clone may lie in another SVM: asked by its parent's name, told apart by the parent's SVM. */
  async #clones(call: DeviceCall, flexVols: readonly FlexVol[]): Promise<readonly Dependent[]> {
    const clones = await this.#client.list(call, cloneShape, {
      path: "/storage/volumes",
      query: {
        "clone.parent_volume.name": exactly(
          this.#client.device,
          flexVols.map((flexVol) => flexVol.name),
        ),
        fields: "name,svm.name,clone.parent_volume.name,clone.parent_svm.name",
      },
      operation: "list clones of volumes",
    });
    return clones.flatMap(({ name, svm, clone }) => {
      const parent = flexVols.find(
        (one) =>
          one.name === clone.parent_volume.name && one.svm === (clone.parent_svm?.name ?? svm.name),
      );
      return parent === undefined
        ? []
        : [{ volume: parent.name, what: `clone ${svm.name}/${name}` }];
    });
  }

  async #uses(call: DeviceCall, flexVols: readonly FlexVol[]): Promise<readonly Dependent[]> {
    const used = await this.#client.list(call, useShape, {
      path: "/storage/volumes",
      query: {
        uuid: flexVols.map((flexVol) => flexVol.uuid).join("|"),
        fields: "name,nas.path,snapmirror.is_protected",
      },
      operation: "list mirrors and mounts of volumes",
    });
    return used.flatMap(({ name, nas, snapmirror }) => [
      ...(nas?.path ? [{ volume: name, what: `mount at ${nas.path}` }] : []),
      ...(snapmirror?.is_protected === true
        ? [{ volume: name, what: "SnapMirror relationship (snapmirror list-destinations)" }]
        : []),
    ]);
  }
}
