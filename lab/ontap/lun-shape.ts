import { lunNames } from "./known-names";
import {
  date,
  flag,
  integer,
  oneOf,
  other,
  ref,
  type Shape,
  size,
  text,
  type WriteVerb,
} from "./shape";
import { statisticsFields } from "./statistics";
import { svmLink } from "./svm-lookup";

const any: WriteVerb[] = ["POST", "PATCH"];

/** Operating systems of a LUN (REST reference, lun `os_type`). */
const lunOsTypes = [
  "aix",
  "hpux",
  "hyper_v",
  "linux",
  "netware",
  "openvms",
  "solaris",
  "solaris_efi",
  "vmware",
  "windows",
  "windows_2008",
  "windows_gpt",
  "xen",
];

/** `/api/storage/luns`; `location.node` came with 9.10.1. */
export const lunShape: Shape = {
  path: "/api/storage/luns",
  keys: ["uuid"],
  identity: ["uuid", "name", "svm.uuid", "svm.name"],
  fields: {
    uuid: text(),
    ...ref("svm", "POST"),
    name: text(...any),
    "location.logical_unit": text(...any),
    ...ref("location.volume", ...any),
    "location.qtree.id": integer(),
    "location.qtree.name": text(),
    class: oneOf(["regular", "protocol_endpoint", "vvol"]),
    os_type: oneOf(lunOsTypes, "POST"),
    enabled: flag("PATCH"),
    comment: text(...any),
    create_time: date(),
    serial_number: text(),
    auto_delete: flag(...any),
    "space.size": size(...any),
    "space.used": size(),
    "space.guarantee.requested": flag(...any),
    "space.guarantee.reserved": flag(),
    "status.state": oneOf(["foreign_lun_error", "nvfail", "offline", "online", "space_error"]),
    "status.container_state": oneOf(["online", "aggregate_offline", "volume_offline"]),
    "status.read_only": flag(),
    "status.mapped": flag(),
    "lun_maps.logical_unit_number": integer(),
    ...ref("lun_maps.igroup"),
    clone: other("POST", "PATCH"),
    movement: other("POST", "PATCH"),
    qos_policy: other("POST", "PATCH"),
    metric: other(),
    ...statisticsFields(),
    ...ref("location.node"),
    ...lunNames.fields,
  },
  since: { ...lunNames.since, "location.node": "9.10.1" },
  expensive: ["auto_delete", "lun_maps", "movement", "status.mapped", "statistics", "metric"],
  links: {
    ...svmLink,
    "location.node": "/api/cluster/nodes/{uuid}",
    "location.volume": "/api/storage/volumes/{uuid}",
    lun_maps: "/api/protocols/san/lun-maps/{/uuid}/{igroup.uuid}",
    "lun_maps.igroup": "/api/protocols/san/igroups/{uuid}",
  },
};
