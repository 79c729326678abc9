import { type ArrayContext, type Endpoint, texts } from "./context";
import { entryMissing } from "./faults";
import type { Rec } from "./record";
import { integer, oneOf, other, ref, text } from "./shape";

/** An entry of the root directory of a FlexVol. */
export interface VolumeFile {
  readonly name: string;
  readonly type: "directory" | "file" | "lun";
}

/**
 * What lies in the root directory of a FlexVol: its LUNs and namespaces, and what other people wrote there.
 * Of a volume that is not online nothing can be seen.
 */
export function filesOf(ctx: ArrayContext, volumeId: string): readonly VolumeFile[] {
  const container = ctx.view.containers[volumeId];
  if (container?.online !== true) return [];
  const units = Object.values(ctx.view.volumes)
    .filter((unit) => unit.containerId === volumeId)
    .map((unit): VolumeFile => ({ name: unit.name.split("/")[3] ?? "", type: "lun" }));
  const files = texts(container.attributes["files"]).map((name): VolumeFile => ({
    name,
    type: "file",
  }));
  const directories = [".", "..", ".snapshot"].map((name): VolumeFile => ({
    name,
    type: "directory",
  }));
  return [...directories, ...units, ...files];
}

/** `/api/storage/volumes/{volume.uuid}/files`: the root directory, read only here. */
export const volumeFiles: Endpoint = {
  shape: {
    path: "/api/storage/volumes/{volume.uuid}/files",
    keys: ["name"],
    identity: ["path", "name"],
    fields: {
      path: text(),
      name: text(),
      type: oneOf([
        "file",
        "directory",
        "blockdev",
        "chardev",
        "symlink",
        "socket",
        "fifo",
        "stream",
        "lun",
      ]),
      size: integer(),
      ...ref("volume"),
      analytics: other(),
      qos_policy: other(),
      target: other(),
    },
  },
  list: (ctx, [volumeId = ""]) => {
    const volume = ctx.view.containers[volumeId];
    if (volume === undefined) throw entryMissing("volume.uuid");
    return filesOf(ctx, volumeId).map((file): Rec => ({
      path: "",
      ...file,
      volume: { uuid: volume.id, name: volume.name },
    }));
  },
};
