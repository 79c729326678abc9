import { labError } from "../emulator/lab-error";
import { atLeast, type Release, releases } from "../ontap/release";
import type { ArrayPort, StorageArray } from "../world/state";
import type { WorldView } from "../world/world";
import { hex2, naa, wwnn, wwpn } from "./names";

const tebibyte = 1024n ** 4n;
const gibibyte = 1024n ** 3n;
/** NetApp serial number of the foreign LUN; the host's name for it is the OUI and the serial in hex. */
const foreignSerial = "80Xs3$Q7mP1z";

/** What tells one model from another. */
interface Model {
  /** First release that runs on it, as far as the lab has releases. */
  readonly since: Release;
  /** Release when none is asked for: that of the model's FCP review. */
  readonly usual: Release;
  /** Name of the cluster; its nodes are numbered. */
  readonly cluster: string;
  readonly model: string;
  /** FC ports of a node, those with an even place on fabric A, the others on fabric B. */
  readonly ports: readonly string[];
  readonly poolBytes: bigint;
}

const models = {
  "aff-a250": {
    since: "9.8",
    usual: "9.8",
    cluster: "a250",
    model: "AFF-A250",
    ports: ["2a", "2b", "2c", "2d"],
    poolBytes: 10n * tebibyte,
  },
  // Its 32 Gbit/s adapters sit in slot 5.
  "aff-a800": {
    since: "9.5",
    usual: "9.5",
    cluster: "a800",
    model: "AFF-A800",
    ports: ["5a", "5b", "5c", "5d"],
    poolBytes: 15n * tebibyte,
  },
} as const satisfies Record<string, Model>;

export type NetappModel = keyof typeof models;

export const netappModels = Object.keys(models) as readonly NetappModel[];

/** The model that an array of a world is. */
export function netappModelOf(array: WorldView["arrays"][string]): NetappModel | undefined {
  return netappModels.find((name) => models[name].model === array.attributes["model"]);
}

/**
 * The release for an array of this model: what is asked for, else the model's usual one.
 * @throws {SanbedError} `lab` for one that came before the model.
 */
export function netappRelease(which: NetappModel, asked: string | undefined): string {
  const { model, since, usual } = models[which];
  const known = Object.keys(releases).find((one) => one === asked) as Release | undefined;
  if (known !== undefined && !atLeast(known, since)) {
    throw labError(`there is no ${model} with ONTAP ${known}: it came with ${since}`);
  }
  return asked ?? usual;
}

/**
 * A NetApp AFF: two controllers, four 32 Gbit/s FC ports each (every second one on fabric B), one
 * pool per controller, and another team's tenant with one mapped volume.
 * Attributes hold what only this family's emulator reads; it takes defaults where they are absent.
 */
export function netappArray(name: string, which: NetappModel): StorageArray {
  const model = models[which];
  const nodes = ["01", "02"].map((number) => `${model.cluster}-${number}`);
  const ports = nodes.flatMap((node, index) =>
    model.ports.map((port, place) => arrayPort(node, index, port, place)),
  );
  return {
    name,
    family: "ontap",
    attributes: { clusterName: model.cluster, model: model.model },
    controllers: Object.fromEntries(
      nodes.map((node) => [node, { name: node, up: true, attributes: {} }]),
    ),
    ports: Object.fromEntries(ports.map((port) => [port.id, port])),
    pools: Object.fromEntries(
      nodes.map((controller, index) => {
        const id = `6f1d7c50-0000-4000-8000-0000000000a${(index + 1).toString()}`;
        const pool = {
          id,
          name: `aggr_${"ab".charAt(index)}`,
          controller,
          sizeBytes: model.poolBytes,
        };
        return [id, { ...pool, attributes: {} }];
      }),
    ),
    ...foreignStorage(),
    records: {},
  };
}

function arrayPort(node: string, index: number, name: string, place: number): ArrayPort {
  const onA = place % 2 === 0;
  const switchPort = 16 + index * 4 + Math.floor(place / 2);
  return {
    id: portId(index, place),
    controller: node,
    name,
    wwpn: wwpn(`50:0a:09:8${(place + 1).toString()}:80:5a:00:${hex2(index + 1)}`),
    wwnn: wwnn(`50:0a:09:80:80:5a:00:${hex2(index + 1)}`),
    enabled: true,
    speedGbps: 32,
    cable: { switch: onA ? "fabricA" : "fabricB", port: `0/${switchPort.toString()}` },
    // Hosts reach LUNs through the tenants' own NPIV ports only.
    servesVolumes: false,
    attributes: {},
  };
}

const foreign = {
  tenant: "0b0e7a10-0000-4000-8000-00000000f001",
  container: "0b0e7a10-0000-4000-8000-00000000f002",
  volume: "0b0e7a10-0000-4000-8000-00000000f003",
  group: "0b0e7a10-0000-4000-8000-00000000f004",
  pool: "6f1d7c50-0000-4000-8000-0000000000a1",
} as const;

/** Another team's tenant with two ports, one volume, its container, its host group and the map. */
function foreignStorage(): Pick<
  StorageArray,
  "tenants" | "targetPorts" | "containers" | "volumes" | "groups" | "maps"
> {
  const lifs = [foreignPort("a", 0), foreignPort("b", 1)];
  return {
    tenants: { [foreign.tenant]: { id: foreign.tenant, name: "svm_erp", attributes: {} } },
    targetPorts: Object.fromEntries(lifs.map((lif) => [lif.id, lif])),
    containers: {
      [foreign.container]: {
        id: foreign.container,
        name: "erp_data01",
        tenantId: foreign.tenant,
        poolId: foreign.pool,
        sizeBytes: 220n * gibibyte,
        reserved: true,
        online: true,
        attributes: {},
      },
    },
    volumes: { [foreign.volume]: foreignVolume() },
    groups: {
      [foreign.group]: {
        id: foreign.group,
        name: "ig_erp_db",
        tenantId: foreign.tenant,
        initiators: [wwpn("21:00:00:24:ff:7b:10:01"), wwpn("21:00:00:24:ff:7b:10:02")],
        attributes: {},
      },
    },
    maps: [{ volumeId: foreign.volume, groupId: foreign.group, lun: 0, attributes: {} }],
  };
}

function foreignPort(key: "a" | "b", place: number): StorageArray["targetPorts"][string] {
  return {
    id: `0b0e7a10-0000-4000-8000-00000000f01${place.toString()}`,
    name: `erp_fc_${key}`,
    tenantId: foreign.tenant,
    portId: portId(0, place),
    wwpn: wwpn(`20:0${(place + 1).toString()}:00:a0:98:f0:00:01`),
    wwnn: wwnn("20:00:00:a0:98:f0:00:01"),
    enabled: true,
    npivIndex: 1,
    attributes: {},
  };
}

function foreignVolume(): StorageArray["volumes"][string] {
  return {
    id: foreign.volume,
    name: "/vol/erp_data01/lun0",
    tenantId: foreign.tenant,
    poolId: foreign.pool,
    containerId: foreign.container,
    serial: foreignSerial,
    deviceName: naa(`naa.600a0980${Buffer.from(foreignSerial, "latin1").toString("hex")}`),
    vendor: "NETAPP",
    model: "LUN C-Mode",
    revision: "9800",
    sizeBytes: 200n * gibibyte,
    thin: false,
    online: true,
    vmfs: undefined,
    attributes: {},
  };
}

function portId(node: number, place: number): string {
  return `6f1d7c50-0000-4000-8000-000000000${hex2(node + 1)}${place.toString()}`;
}
