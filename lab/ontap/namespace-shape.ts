import { date, flag, integer, oneOf, other, ref, type Shape, size, text } from "./shape";
import { statisticsFields } from "./statistics";
import { svmLink } from "./svm-lookup";

/**
 * `/api/storage/namespaces`. No rename, and no growth before 9.10.1 (REST reference 9.8, "An NVMe
 * namespace cannot be renamed, resized, or moved").
 */
export const namespaceShape: Shape = {
  path: "/api/storage/namespaces",
  keys: ["uuid"],
  identity: ["uuid", "name", "svm.uuid", "svm.name"],
  fields: {
    uuid: text(),
    ...ref("svm", "POST"),
    name: text("POST"),
    os_type: oneOf(["linux", "vmware", "windows"], "POST"),
    enabled: flag(),
    comment: text("POST", "PATCH"),
    create_time: date(),
    auto_delete: flag("POST", "PATCH"),
    "location.namespace": text("POST"),
    ...ref("location.volume", "POST"),
    ...ref("location.node"),
    "location.qtree.id": integer(),
    "location.qtree.name": text(),
    "space.size": size("POST", "PATCH"),
    "space.block_size": integer("POST"),
    "space.used": size(),
    "space.guarantee.requested": flag(),
    "space.guarantee.reserved": flag(),
    "status.state": oneOf(["nvfail", "offline", "online", "space_error"]),
    "status.container_state": oneOf(["online", "aggregate_offline", "volume_offline"]),
    "status.read_only": flag(),
    "status.mapped": flag(),
    "subsystem_map.nsid": text(),
    "subsystem_map.anagrpid": text(),
    ...ref("subsystem_map.subsystem"),
    clone: other("POST", "PATCH"),
    convert: other("POST"),
    metric: other(),
    ...statisticsFields(),
  },
  since: { "location.node": "9.10.1", convert: "9.11.1" },
  expensive: ["auto_delete", "subsystem_map", "status.mapped", "statistics", "metric"],
  links: {
    ...svmLink,
    "location.volume": "/api/storage/volumes/{uuid}",
    "location.node": "/api/cluster/nodes/{uuid}",
    "subsystem_map.subsystem": "/api/protocols/nvme/subsystems/{uuid}",
  },
};
