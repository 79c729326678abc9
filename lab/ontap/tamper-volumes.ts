import type { TamperAction } from "../emulator/emulator";
import type { ArrayContext } from "./context";
import { drop } from "./record";
import { newDsid } from "./recovery-queue";
import { addSnapshot, dropSnapshots, snapshotsOf } from "./snapshots";
import { action, type Args, edit, find, must, text } from "./tamper-arguments";

/** What other people do to a FlexVol without being asked. */
export function volumeActions(ctx: ArrayContext): Record<string, TamperAction> {
  return { ...copyActions(ctx), ...useActions(ctx) };
}

function useActions(ctx: ArrayContext): Record<string, TamperAction> {
  const note = (args: Args, name: string, value: string): null => {
    const { id } = find(ctx.view.containers, args, "volume");
    return edit(ctx, (array) => {
      const { attributes } = must(array.containers[id]);
      const before = attributes[name];
      attributes[name] = [...(Array.isArray(before) ? before : []), value];
    });
  };
  return {
    mountVolume: action("A FlexVol into the namespace of its SVM: { volume, path }", (args) => {
      const { id } = find(ctx.view.containers, args, "volume");
      const path = text(args, "path");
      return edit(ctx, (array) => (must(array.containers[id]).attributes["junction"] = path));
    }),
    mirrorVolume: action(
      "A SnapMirror relationship from a FlexVol: { volume, destination: 'svm:volume' }",
      (args) => note(args, "mirrors", text(args, "destination")),
    ),
    limitVolume: action("A QoS policy on a FlexVol: { volume, policy, maxIops }", (args) => {
      const { id: volumeId, tenantId: svmId } = find(ctx.view.containers, args, "volume");
      const name = text(args, "policy");
      const fixed = { capacity_shared: false, max_throughput_iops: Number(text(args, "maxIops")) };
      const id = ctx.newUuid();
      return edit(ctx, (array) => {
        (array.records["qosPolicies"] ??= {})[id] = { id, name, svmId, fixed };
        must(array.containers[volumeId]).attributes["qosPolicy"] = id;
      });
    }),
    writeFile: action("A file in a FlexVol: { volume, file }", (args) =>
      note(args, "files", text(args, "file")),
    ),
    restrictVolume: action("A FlexVol restricted: { volume }", (args) => {
      const { id } = find(ctx.view.containers, args, "volume");
      return edit(ctx, (array) => {
        const container = must(array.containers[id]);
        container.online = false;
        container.attributes["state"] = "restricted";
      });
    }),
    tidyVolume: action("Takes back what was done to a FlexVol: { volume }", (args) => {
      const { id } = find(ctx.view.containers, args, "volume");
      return edit(ctx, (array) => {
        const { attributes } = must(array.containers[id]);
        for (const name of ["junction", "mirrors", "files"])
          Reflect.deleteProperty(attributes, name);
        dropSnapshots(array.records, id);
      });
    }),
  };
}

function copyActions(ctx: ArrayContext): Record<string, TamperAction> {
  return {
    createSnapshot: action("A snapshot of a FlexVol: { volume, name }", (args) => {
      const volume = find(ctx.view.containers, args, "volume");
      addSnapshot(ctx, volume.id, text(args, "name"));
      return null;
    }),
    deleteSnapshot: action("A snapshot goes: { volume, name }", (args) => {
      const volume = find(ctx.view.containers, args, "volume");
      const name = text(args, "name");
      const gone = snapshotsOf(ctx, volume.id).filter((snapshot) => snapshot.name === name);
      return edit(ctx, (array) => {
        for (const { id } of gone) drop(array.records["snapshots"] ?? {}, id);
      });
    }),
    cloneVolume: action("A FlexClone of a FlexVol: { volume, name }", (args) => {
      const parent = find(ctx.view.containers, args, "volume");
      const snapshotId = addSnapshot(ctx, parent.id, `clone_${text(args, "name")}.0`);
      const id = ctx.newUuid();
      const dsid = newDsid(ctx);
      const cloneOf = { volumeId: parent.id, snapshotId };
      return edit(ctx, (array) => {
        array.containers[id] = {
          ...{ ...parent, id, name: text(args, "name"), reserved: false },
          attributes: { comment: "", cloneOf, dsid },
        };
      });
    }),
  };
}
