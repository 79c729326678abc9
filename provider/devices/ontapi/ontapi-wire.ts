import type {
  Aggregate,
  ClusterNode,
  DataService,
  DeletedVolume,
  FcPort,
  FlexVol,
  Group,
  Svm,
  Unit,
  UnitMap,
} from "../ontap/objects";
import { element } from "./ontapi-reader";

/**
 * Answers of ONTAPI, as far as they are read, in ONTAP's objects. Element names from the data types of
 * NetApp's own bindings (Trident `azgo/type-*.go`). Unknown elements pass; what is needed and missing
 * fails with its path.
 */

export const versionShape = element((from) => ({
  version: from.text("version"),
  tuple: {
    generation: from.number("version-tuple.system-version-tuple.generation"),
    major: from.number("version-tuple.system-version-tuple.major"),
    minor: from.number("version-tuple.system-version-tuple.minor"),
  },
}));

export const identityShape = element((from) => ({
  name: from.text("attributes.cluster-identity-info.cluster-name"),
  uuid: from.text("attributes.cluster-identity-info.cluster-uuid"),
}));

export const svmShape = element((from): Svm => ({
  uuid: from.text("uuid"),
  name: from.text("vserver-name"),
  state: from.maybe("state"),
  comment: from.maybe("comment"),
  aggregates: from.texts("aggr-list", "aggr-name"),
}));

export const fcpServiceShape = element((from): DataService => ({
  svm: from.text("vserver"),
  enabled: from.flag("is-available") === true,
  target: from.maybe("node-name"),
}));

export const fcPortShape = element((from): FcPort => ({
  name: from.text("adapter"),
  node: from.text("node"),
  wwpn: from.text("port-name"),
  online: from.maybe("state") === "online",
  switchPort: from.maybe("switch-port"),
}));

/** A LIF of any protocol; only those with a WWPN are FC interfaces. */
export const interfaceShape = element((from) => ({
  uuid: from.maybe("lif-uuid") ?? from.text("interface-name"),
  name: from.text("interface-name"),
  svm: from.text("vserver"),
  protocols: from.texts("data-protocols", "data-protocol"),
  enabled: from.maybe("administrative-status") !== "down",
  up: from.maybe("operational-status") === "up",
  wwpn: from.maybe("wwpn"),
  comment: from.maybe("comment"),
  homeNode: from.maybe("home-node"),
  homePort: from.maybe("home-port"),
}));

export const flexVolShape = element((from): FlexVol & { readonly nodeRoot: boolean } => {
  const id = "volume-id-attributes";
  return {
    uuid: from.maybe(`${id}.instance-uuid`) ?? from.text(`${id}.uuid`),
    name: from.text(`${id}.name`),
    svm: from.text(`${id}.owning-vserver-name`),
    state: from.maybe("volume-state-attributes.state"),
    sizeBytes: from.maybeBytes("volume-space-attributes.size"),
    comment: from.maybe(`${id}.comment`),
    aggregate: from.maybe(`${id}.containing-aggregate-name`),
    guarantee: from.maybe("volume-space-attributes.space-guarantee"),
    reduction: undefined,
    isRoot: from.flag("volume-state-attributes.is-vserver-root") === true,
    nodeRoot: from.flag("volume-state-attributes.is-node-root") === true,
  };
});

/** The leaves that {@link flexVolShape} reads: a whole record has some hundred. */
export const flexVolLeaves = {
  "volume-id-attributes": {
    name: "",
    uuid: "",
    "instance-uuid": "",
    "owning-vserver-name": "",
    comment: "",
    "containing-aggregate-name": "",
  },
  "volume-state-attributes": { state: "", "is-vserver-root": "", "is-node-root": "" },
  "volume-space-attributes": { size: "", "space-guarantee": "" },
};

export const lunShape = element((from): Unit => ({
  uuid: from.text("uuid"),
  path: from.text("path"),
  svm: from.text("vserver"),
  serial: from.exact("serial-number"),
  osType: from.maybe("multiprotocol-type"),
  comment: from.maybe("comment"),
  sizeBytes: from.bytes("size"),
  blockBytes: undefined,
  state: from.maybe("state") ?? (from.flag("online") === false ? "offline" : undefined),
  reserved: from.flag("is-space-reservation-enabled"),
  mapped: from.flag("mapped") === true,
}));

export const igroupShape = element((from): Group => ({
  uuid: from.text("initiator-group-uuid"),
  name: from.text("initiator-group-name"),
  svm: from.text("vserver"),
  osType: from.maybe("initiator-group-os-type"),
  protocol: from.maybe("initiator-group-type"),
  // ONTAPI knows no comment of an igroup.
  comment: undefined,
  members: from
    .elements("initiators", "initiator-info")
    .flatMap((one) => one.string("initiator-name")?.trim() ?? []),
  nqn: undefined,
}));

export const lunMapShape = element((from): UnitMap => ({
  svm: from.text("vserver"),
  path: from.text("path"),
  unitUuid: from.text("lun-uuid"),
  group: from.text("initiator-group"),
  groupUuid: from.text("initiator-group-uuid"),
  number: from.number("lun-id"),
}));

export const aggregateShape = element(
  (from): Aggregate & { readonly root: boolean; readonly state: string | undefined } => {
    const raid = "aggr-raid-attributes";
    return {
      // Never used as a key here: ONTAPI takes names.
      uuid: from.maybe("aggregate-uuid") ?? from.text("aggregate-name"),
      name: from.text("aggregate-name"),
      node: from.maybe("aggr-ownership-attributes.home-name"),
      sizeBytes: from.maybeBytes("aggr-space-attributes.size-total"),
      freeBytes: from.maybeBytes("aggr-space-attributes.size-available"),
      disks: from.maybeNumber(`${raid}.disk-count`),
      raid: from.maybe(`${raid}.raid-type`),
      root: [`${raid}.is-root-aggregate`, `${raid}.has-local-root`].some(
        (path) => from.flag(path) === true,
      ),
      state: from.maybe(`${raid}.state`),
    };
  },
);

export const deletedShape = element((from): DeletedVolume => ({
  svm: from.text("vserver-name"),
  entry: from.text("volume-name"),
}));

export const nodeShape = element((from): ClusterNode => ({
  name: from.text("node"),
  model: from.maybe("node-model"),
  state: from.flag("is-node-healthy") === false ? "down" : "up",
}));

export const licencesShape = element((from): readonly string[] =>
  from
    .elements("licenses", "license-v2-info")
    .flatMap((one) => one.string("package")?.trim() ?? []),
);
