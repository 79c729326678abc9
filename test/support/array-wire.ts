/**
 * How requests of one meaning look on the wire, by the release of the array: for the lab's fault rules.
 */
export type ArrayObject =
  | "tenant"
  | "service"
  | "port"
  | "volume"
  | "LUN"
  | "group"
  | "initiators"
  | "map"
  | "deleted volume";

/** Part of a fault rule that picks requests. */
interface WireMatch {
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
}

export interface ArrayWire {
  readonly read: WireMatch;
  readonly write: WireMatch;
  create(what: ArrayObject): WireMatch;
  remove(what: ArrayObject): WireMatch;
  /** The array's own number for: not now. */
  readonly busy: { readonly configuration: string; readonly volume: string };
}

const restPaths: Readonly<Record<ArrayObject, string>> = {
  tenant: "/svm/svms",
  service: "/fcp/services",
  port: "/fc/interfaces",
  volume: "/storage/volumes",
  LUN: "/storage/luns",
  group: "/san/igroups",
  initiators: "/initiators",
  map: "/lun-maps",
  "deleted volume": "recovery-queue/purge",
};

const ontapiCalls: Readonly<Record<ArrayObject, readonly [create: string, remove: string]>> = {
  tenant: ["vserver-create", "vserver-destroy"],
  service: ["fcp-service-create", "fcp-service-destroy"],
  port: ["net-interface-create", "net-interface-delete"],
  volume: ["volume-create", "volume-destroy"],
  LUN: ["lun-create-by-size", "lun-destroy"],
  group: ["igroup-create", "igroup-destroy"],
  initiators: ["igroup-add", "igroup-remove"],
  map: ["lun-map", "lun-unmap"],
  "deleted volume": ["volume-recovery-queue-purge", "volume-recovery-queue-purge"],
};

export function wireOf(release: string): ArrayWire {
  if (release === "9.5") {
    return {
      read: { body: "-get-iter>" },
      write: { body: "-create" },
      create: (what) => ({ body: `<${ontapiCalls[what][0]}>` }),
      remove: (what) => ({ body: `<${ontapiCalls[what][1]}>` }),
      busy: { configuration: "16", volume: "13158" },
    };
  }
  return {
    read: { method: "GET" },
    write: { method: "POST" },
    create: (what) => ({ method: "POST", path: restPaths[what] }),
    remove: (what) => ({
      method: what === "deleted volume" ? "POST" : "DELETE",
      path: restPaths[what],
    }),
    busy: { configuration: "2621573", volume: "524486" },
  };
}
