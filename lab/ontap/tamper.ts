import { SanbedError } from "../../bed/errors";
import type { TamperAction } from "../emulator/emulator";
import type { Json } from "../world/state";
import { type ArrayContext, type Behaviour, plainBehaviour } from "./context";
import { logEvent } from "./events";
import { deviceName, newSerial } from "./identity";
import { initiatorName } from "./igroup-rules";
import { poolFreeBytes } from "./pools";
import { readings, releases } from "./release";
import { drop } from "./record";
import { action, type Args, edit, find, missing, must, text } from "./tamper-arguments";
import { nvmeActions } from "./tamper-nvme";
import { volumeActions } from "./tamper-volumes";

/** What happens to the array behind the product's back: other administrators, faults, shortages. */
export function tamperActions(ctx: ArrayContext): Readonly<Record<string, TamperAction>> {
  return {
    ...lunActions(ctx),
    ...groupActions(ctx),
    ...nvmeActions(ctx),
    ...volumeActions(ctx),
    ...foreignActions(ctx),
    ...stateActions(ctx),
  };
}

function lunActions(ctx: ArrayContext): Record<string, TamperAction> {
  return {
    deleteLun: action("Deletes a LUN or namespace and its maps: { name }", (args) => {
      const lun = find(ctx.view.volumes, args, "name");
      return ctx.change((array) => {
        array.maps = array.maps.filter((map) => map.volumeId !== lun.id);
        array.namespaceMaps = array.namespaceMaps?.filter((map) => map.volumeId !== lun.id) ?? [];
        drop(array.volumes, lun.id);
        return null;
      });
    }),
    resizeLun: action("Sets the size of a LUN: { name, sizeBytes }", (args) => {
      const lun = find(ctx.view.volumes, args, "name");
      const size = BigInt(text(args, "sizeBytes"));
      return edit(ctx, (array) => (must(array.volumes[lun.id]).sizeBytes = size));
    }),
    renameLun: action("Renames a LUN: { name, newName }", (args) => {
      const lun = find(ctx.view.volumes, args, "name");
      return edit(ctx, (array) => (must(array.volumes[lun.id]).name = text(args, "newName")));
    }),
    offlineLun: action("Takes a LUN offline: { name }", (args) => {
      const lun = find(ctx.view.volumes, args, "name");
      return edit(ctx, (array) => (must(array.volumes[lun.id]).online = false));
    }),
    setLunComment: action("Sets the comment of a LUN: { name, comment }", (args) => {
      const lun = find(ctx.view.volumes, args, "name");
      const note = text(args, "comment");
      return edit(ctx, (array) => (must(array.volumes[lun.id]).attributes["comment"] = note));
    }),
    renameVolume: action("Renames a FlexVol: { name, newName }", (args) => {
      const container = find(ctx.view.containers, args, "name");
      return edit(ctx, (array) => {
        must(array.containers[container.id]).name = text(args, "newName");
      });
    }),
  };
}

function groupActions(ctx: ArrayContext): Record<string, TamperAction> {
  return {
    renameIgroup: action("Renames an initiator group: { name, newName }", (args) => {
      const group = find(ctx.view.groups, args, "name");
      return edit(ctx, (array) => (must(array.groups[group.id]).name = text(args, "newName")));
    }),
    removeInitiator: action("Takes a member out of an igroup: { igroup, initiator }", (args) => {
      const group = find(ctx.view.groups, args, "igroup");
      const gone = initiatorName(text(args, "initiator"));
      if (!group.initiators.includes(gone)) throw missing(`initiator ${gone}`);
      return edit(ctx, (array) => {
        const target = must(array.groups[group.id]);
        target.initiators = target.initiators.filter((member) => member !== gone);
      });
    }),
    addInitiator: action("Puts a member into an igroup: { igroup, initiator }", (args) => {
      const group = find(ctx.view.groups, args, "igroup");
      const added = initiatorName(text(args, "initiator"));
      return edit(ctx, (array) => must(array.groups[group.id]).initiators.push(added));
    }),
    removeMap: action("Unmaps a LUN from an igroup: { lun, igroup }", (args) => {
      const lun = find(ctx.view.volumes, args, "lun");
      const group = find(ctx.view.groups, args, "igroup");
      return edit(ctx, (array) => {
        const before = array.maps.length;
        array.maps = array.maps.filter((m) => m.volumeId !== lun.id || m.groupId !== group.id);
        if (array.maps.length === before) throw missing(`map of ${lun.name} to ${group.name}`);
      });
    }),
    deleteIgroup: action("Deletes an igroup with its maps: { name }", (args) => {
      const group = find(ctx.view.groups, args, "name");
      return edit(ctx, (array) => {
        array.maps = array.maps.filter((map) => map.groupId !== group.id);
        drop(array.groups, group.id);
      });
    }),
    setInterfaceComment: action(
      "Sets the comment of an FC interface: { name, comment }",
      (args) => {
        const lif = find(ctx.view.targetPorts, args, "name");
        const note = text(args, "comment");
        return edit(ctx, (array) => (must(array.targetPorts[lif.id]).attributes["comment"] = note));
      },
    ),
    deleteInterface: action("Deletes an FC interface: { name }", (args) => {
      const lif = find(ctx.view.targetPorts, args, "name");
      return edit(ctx, (array) => {
        drop(array.targetPorts, lif.id);
      });
    }),
  };
}

/** Objects of other people, without our mark, under a given name. */
function foreignActions(ctx: ArrayContext): Record<string, TamperAction> {
  return {
    createSvm: action("Someone else's SVM: { name }", (args) => {
      const id = ctx.newUuid();
      const attributes = { comment: "", fcp: "none" };
      return edit(ctx, (array) => {
        array.tenants[id] = { id, name: text(args, "name"), attributes };
      });
    }),
    createIgroup: action("Someone else's igroup: { svm, name }", (args) => {
      const svm = find(ctx.view.tenants, args, "svm");
      const id = ctx.newUuid();
      const attributes = { osType: "vmware", protocol: "fcp", comment: "" };
      return edit(ctx, (array) => {
        const name = text(args, "name");
        array.groups[id] = { id, name, tenantId: svm.id, initiators: [], attributes };
      });
    }),
    createLun: action(
      "Someone else's FlexVol with one LUN: { svm, volume, lun, sizeBytes }",
      (args) => createForeignLun(ctx, args),
    ),
  };
}

function createForeignLun(ctx: ArrayContext, args: Args): Json {
  const svm = find(ctx.view.tenants, args, "svm");
  const sizeBytes = BigInt(text(args, "sizeBytes"));
  const volume = text(args, "volume");
  const poolId = must(Object.keys(ctx.view.pools)[0]);
  const [containerId, lunId] = [ctx.newUuid(), ctx.newUuid()];
  const serial = newSerial(ctx.random);
  return edit(ctx, (array) => {
    const common = { tenantId: svm.id, poolId, sizeBytes, online: true };
    array.containers[containerId] = {
      ...common,
      id: containerId,
      name: volume,
      reserved: false,
      attributes: { comment: "" },
    };
    array.volumes[lunId] = {
      ...common,
      id: lunId,
      name: `/vol/${volume}/${text(args, "lun")}`,
      containerId,
      serial,
      deviceName: deviceName(serial),
      vendor: "NETAPP",
      model: "LUN C-Mode",
      revision: releases[ctx.release].revision,
      thin: true,
      vmfs: undefined,
      attributes: { comment: "", osType: "vmware" },
    };
  });
}

function stateActions(ctx: ArrayContext): Record<string, TamperAction> {
  return {
    fillPool: action("Leaves so much free space in an aggregate: { pool, freeBytes }", (args) => {
      const pool = find(ctx.view.pools, args, "pool");
      const wanted = BigInt(text(args, "freeBytes"));
      const already = BigInt(
        typeof pool.attributes["otherUse"] === "string" ? pool.attributes["otherUse"] : "0",
      );
      const use = already + poolFreeBytes(ctx, pool.id) - wanted;
      if (use < 0n) throw new SanbedError("lab", `aggregate ${pool.name} has less free space`);
      return edit(ctx, (array) => {
        must(array.pools[pool.id]).attributes["otherUse"] = use.toString();
      });
    }),
    takeOver: action("A node fails, its partner takes over: { node }", (args) => {
      const node = find(ctx.view.controllers, args, "node");
      edit(ctx, (array) => (must(array.controllers[node.name]).up = false));
      const what = { name: "cf.fsm.takeoverStarted", text: `takeover of ${node.name} started` };
      logEvent(ctx, { node: node.name, severity: "alert", ...what });
      return null;
    }),
    giveBack: action("The node is back: { node }", (args) => {
      const node = find(ctx.view.controllers, args, "node");
      edit(ctx, (array) => (must(array.controllers[node.name]).up = true));
      const what = { name: "cf.rsrc.givebackComplete", text: `giveback to ${node.name} completed` };
      logEvent(ctx, { node: node.name, severity: "notice", ...what });
      return null;
    }),
    removeLicence: action("Takes a licence away: { name }", (args) => {
      const name = text(args, "name");
      return edit(ctx, (array) => {
        const before = array.attributes["licencesMissing"];
        array.attributes["licencesMissing"] = [...(Array.isArray(before) ? before : []), name];
      });
    }),
    lockAccounts: action("Accounts locked or expired: 401 for everybody: { locked }", (args) =>
      edit(ctx, (array) => (array.attributes["accountsLocked"] = args["locked"] !== false)),
    ),
    denyCommands: action(
      'Restricts the role of the account: { commands: ["POST /api/storage/luns", "lun-destroy"] }',
      (args) => {
        const commands = args["commands"];
        if (!Array.isArray(commands) || commands.some((one) => typeof one !== "string")) {
          throw new SanbedError("lab", 'tamper: "commands" is a list of texts');
        }
        ctx.behaviour.denied = commands as string[];
        return null;
      },
    ),
    setSwitches: action(
      `Chooses readings of the documentation: { ${Object.keys(readings).join(", ")} }`,
      (args) => setSwitches(ctx, args),
    ),
    behave: action(
      "How the array behaves; absent means as is: { jobSlowness, jobKeepMs, lunVisibleAfterMs, " +
        "pageLimit, partialLuns, failJobs: { code, times, match } }",
      (args) => behave(ctx, args),
    ),
  };
}

function setSwitches(ctx: ArrayContext, args: Args): Json {
  for (const [name, value] of Object.entries(args)) {
    const choices: readonly Json[] = isReading(name) ? readings[name] : [];
    if (!choices.includes(value)) {
      throw new SanbedError(
        "lab",
        `no reading ${name}=${JSON.stringify(value)} of the documentation`,
      );
    }
  }
  ctx.switches = { ...ctx.switches, ...args };
  return null;
}

function isReading(name: string): name is keyof typeof readings {
  return name in readings;
}

function behave(ctx: ArrayContext, args: Args): Json {
  const known = Object.keys(plainBehaviour()).filter((name) => name !== "denied");
  for (const [name, value] of Object.entries(args)) {
    if (!known.includes(name)) throw new SanbedError("lab", `no behaviour "${name}"`);
    if (name !== "failJobs") {
      if (typeof value !== "number") throw new SanbedError("lab", `"${name}" is a number`);
      Object.assign(ctx.behaviour, { [name]: value });
      continue;
    }
    const plan = value as Record<string, Json>;
    ctx.behaviour.failJobs = {
      code: text(plan, "code"),
      times: Number(plan["times"] ?? 1),
      match: typeof plan["match"] === "string" ? plan["match"] : "",
    } satisfies Behaviour["failJobs"];
  }
  return null;
}
