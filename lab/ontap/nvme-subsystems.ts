import { subsystemsOf } from "../world/nvme";
import type { Body } from "./body";
import { type ArrayContext, attribute, attributeFlag, type Call } from "./context";
import type { Endpoint, Operation } from "./context";
import { OntapFault, required } from "./faults";
import {
  checkNqns,
  hexNumber,
  noSubsystem,
  type Subsystem,
  subsystemById,
  subsystemNamed,
} from "./nvme-rules";
import { defined, drop, type Rec, textAt } from "./record";
import { flag, integer, oneOf, other, ref, text } from "./shape";
import { nvmeService, ofSvm, type Svm, svmLink, svmOfBody } from "./svm-lookup";

const maxNameLength = 64;
const serialSigns = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

/** Queues that the array offers a host that asks for none of its own. */
export const ioQueue = { count: 4, depth: 32 } as const;

/** `/api/protocols/nvme/subsystems`; names never change. */
export const nvmeSubsystems: Endpoint = {
  shape: {
    path: "/api/protocols/nvme/subsystems",
    keys: ["uuid"],
    identity: ["uuid", "name", "svm.uuid", "svm.name"],
    fields: {
      uuid: text(),
      ...ref("svm", "POST"),
      name: text("POST"),
      os_type: oneOf(["linux", "vmware", "windows"], "POST"),
      comment: text("POST", "PATCH"),
      delete_on_unmap: flag("POST", "PATCH"),
      target_nqn: text(),
      serial_number: text(),
      "io_queue.default.count": integer(),
      "io_queue.default.depth": integer(),
      "hosts.nqn": text("POST"),
      "hosts.dh_hmac_chap": other("POST"),
      "subsystem_maps.nsid": text(),
      "subsystem_maps.anagrpid": text(),
      ...ref("subsystem_maps.namespace"),
      vendor_uuids: other("POST"),
    },
    since: { vendor_uuids: "9.9.1", "hosts.dh_hmac_chap": "9.12.1" },
    expensive: ["subsystem_maps"],
    links: {
      ...svmLink,
      hosts: "/api/protocols/nvme/subsystems/{/uuid}/hosts/{nqn}",
      "subsystem_maps.namespace": "/api/storage/namespaces/{uuid}",
    },
  },
  list: (ctx) => subsystemsOf(ctx.view).map((one) => record(ctx, one)),
  missing: () => noSubsystem(),
  flags: { DELETE: ["allow_delete_while_mapped", "allow_delete_with_hosts"] },
  create,
  update,
  remove,
};

function record(ctx: ArrayContext, subsystem: Subsystem): Rec {
  const maps = (ctx.view.namespaceMaps ?? []).filter((map) => map.subsystemId === subsystem.id);
  return defined({
    uuid: subsystem.id,
    svm: ofSvm(ctx, subsystem.tenantId),
    name: subsystem.name,
    os_type: attribute(subsystem.attributes, "osType", "vmware"),
    comment: attribute(subsystem.attributes, "comment", "") || undefined,
    delete_on_unmap: attributeFlag(subsystem.attributes, "deleteOnUnmap", false),
    target_nqn: subsystem.nqn,
    serial_number: subsystem.serial,
    io_queue: { default: { ...ioQueue } },
    hosts: subsystem.hosts.length === 0 ? undefined : subsystem.hosts.map((nqn) => ({ nqn })),
    subsystem_maps:
      maps.length === 0
        ? undefined
        : maps.map((map) => ({
            nsid: hexNumber(map.nsid),
            anagrpid: hexNumber(map.anaGroup),
            namespace: { uuid: map.volumeId, name: ctx.view.volumes[map.volumeId]?.name ?? "" },
          })),
  });
}

function checkName(ctx: ArrayContext, svm: Svm, name: string): void {
  if (name.length < 1 || name.length > maxNameLength || !/^[A-Za-z0-9._:-]+$/.test(name)) {
    throw new OntapFault(
      "72089709",
      `The NVMe subsystem name "${name}" holds an invalid character.`,
      "name",
    );
  }
  if (subsystemNamed(ctx, svm.id, name) !== undefined) {
    throw new OntapFault(
      "72090025",
      `The NVMe subsystem "${name}" already exists in SVM "${svm.name}".`,
      "name",
    );
  }
  const group = Object.values(ctx.view.groups).some(
    (one) => one.tenantId === svm.id && one.name === name,
  );
  if (group) {
    throw new OntapFault(
      "72090043",
      `An initiator group with the name "${name}" already exists in SVM "${svm.name}".`,
      "name",
    );
  }
}

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  const name = body.text("name");
  const osType = body.text("os_type");
  if (name === undefined) throw required("name");
  if (osType === undefined) throw required("os_type");
  if (nvmeService(svm) === undefined) {
    throw new OntapFault("72090029", `The NVMe service does not exist in SVM "${svm.name}".`);
  }
  checkName(ctx, svm, name);
  const members = body.objects("hosts");
  const hosts = checkNqns(body.texts("hosts.nqn"));
  if (hosts.length < members.length) throw missingNqn();
  const uuid = ctx.newUuid();
  return {
    keys: [[uuid]],
    commit: () => {
      const serial = newSerial(ctx);
      const sn = attribute(svm.attributes, "nvmeSerial", svm.id.replaceAll("-", ""));
      ctx.change((array) => {
        array.subsystems ??= {};
        array.subsystems[uuid] = {
          id: uuid,
          name,
          tenantId: svm.id,
          nqn: `nqn.1992-08.com.netapp:sn.${sn}:subsystem.${name}`,
          serial,
          model: "NetApp ONTAP Controller",
          firmware: "FFFFFFFF",
          hosts,
          attributes: {
            osType,
            comment: body.text("comment") ?? "",
            deleteOnUnmap: body.flag("delete_on_unmap") ?? false,
          },
        };
      });
    },
  };
}

export function missingNqn(): OntapFault {
  return new OntapFault("72090003", "A host NQN is required to add an NVMe host.", "nqn");
}

/** Twenty characters: twelve of chance, then a counter in base 64 as documented examples show it. */
function newSerial(ctx: ArrayContext): string {
  const head = Array.from(ctx.random(12), (byte) => serialSigns.charAt(byte % 64)).join("");
  let count = ctx.nextNumber("lastSubsystem");
  let tail = "";
  for (let place = 0; place < 8; place++) {
    tail = `${serialSigns.charAt(count % 64)}${tail}`;
    count = Math.floor(count / 64);
  }
  return `${head}${tail}`;
}

function update(ctx: ArrayContext, rec: Rec, body: Body): Operation {
  const uuid = textAt(rec, "uuid");
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        const target = array.subsystems?.[uuid];
        if (target === undefined) throw noSubsystem();
        const note = body.text("comment");
        if (note !== undefined) target.attributes["comment"] = note;
        const deletes = body.flag("delete_on_unmap");
        if (deletes !== undefined) target.attributes["deleteOnUnmap"] = deletes;
      });
    },
  };
}

function remove(ctx: ArrayContext, rec: Rec, call: Call): Operation {
  const uuid = textAt(rec, "uuid");
  const subsystem = subsystemById(ctx, uuid);
  const mapped = (ctx.view.namespaceMaps ?? []).some((map) => map.subsystemId === uuid);
  if (mapped && !call.flag("allow_delete_while_mapped")) {
    throw new OntapFault(
      "72090023",
      "The NVMe subsystem contains one or more mapped namespaces and " +
        '"allow_delete_while_mapped" has not been specified.',
    );
  }
  if (subsystem.hosts.length > 0 && !call.flag("allow_delete_with_hosts")) {
    throw new OntapFault(
      "72090024",
      "The NVMe subsystem contains one or more NVMe hosts and " +
        '"allow_delete_with_hosts" has not been specified.',
    );
  }
  return {
    keys: [[uuid]],
    commit: () => {
      ctx.change((array) => {
        array.namespaceMaps = (array.namespaceMaps ?? []).filter((map) => map.subsystemId !== uuid);
        if (array.subsystems !== undefined) drop(array.subsystems, uuid);
      });
    },
  };
}
