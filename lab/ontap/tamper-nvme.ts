import type { TamperAction } from "../emulator/emulator";
import type { ArrayContext } from "./context";
import { checkNqn } from "./nvme-rules";
import { drop } from "./record";
import { action, edit, find, missing, must, text } from "./tamper-arguments";

/** What other administrators do to namespaces and subsystems. */
export function nvmeActions(ctx: ArrayContext): Record<string, TamperAction> {
  const subsystems = (): NonNullable<typeof ctx.view.subsystems> => ctx.view.subsystems ?? {};
  return {
    removeNvmeHost: action("Takes a host out of a subsystem: { subsystem, nqn }", (args) => {
      const subsystem = find(subsystems(), args, "subsystem");
      const nqn = text(args, "nqn");
      if (!subsystem.hosts.includes(nqn)) throw missing(`host ${nqn}`);
      return edit(ctx, (array) => {
        const target = must(array.subsystems?.[subsystem.id]);
        target.hosts = target.hosts.filter((host) => host !== nqn);
      });
    }),
    addNvmeHost: action("Puts a host into a subsystem: { subsystem, nqn }", (args) => {
      const subsystem = find(subsystems(), args, "subsystem");
      const nqn = checkNqn(text(args, "nqn"));
      return edit(ctx, (array) => must(array.subsystems?.[subsystem.id]).hosts.push(nqn));
    }),
    unmapNamespace: action("Takes a namespace out of its subsystem: { namespace }", (args) => {
      const namespace = find(ctx.view.volumes, args, "namespace");
      return edit(ctx, (array) => {
        const before = array.namespaceMaps ?? [];
        array.namespaceMaps = before.filter((map) => map.volumeId !== namespace.id);
        if (array.namespaceMaps.length === before.length) {
          throw missing(`map of ${namespace.name}`);
        }
      });
    }),
    deleteSubsystem: action("Deletes a subsystem with its maps: { name }", (args) => {
      const subsystem = find(subsystems(), args, "name");
      return edit(ctx, (array) => {
        array.namespaceMaps = (array.namespaceMaps ?? []).filter(
          (map) => map.subsystemId !== subsystem.id,
        );
        drop(must(array.subsystems), subsystem.id);
      });
    }),
  };
}
