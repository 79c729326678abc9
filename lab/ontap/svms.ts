import type { Json } from "../world/state";
import { fixedIds } from "./cluster";
import { type ArrayContext, attribute, type Endpoint } from "./context";
import { entryMissing } from "./faults";
import { svmNames } from "./known-names";
import { poolRef } from "./pools";
import { defined, type Rec } from "./record";
import { atLeast } from "./release";
import { flag, integer, oneOf, other, ref, text } from "./shape";
import {
  allows,
  comment,
  fcpService,
  nvmeService,
  type Protocol,
  type Svm,
  svmState,
} from "./svm-lookup";

import { policyRef } from "./snapshot-policies";
import { createSvm, removeSvm, updateSvm } from "./svm-changes";

const protocols: readonly Protocol[] = ["fcp", "iscsi", "nvme", "nfs", "cifs"];

/** `/api/svm/svms`: data SVMs only. Everything that writes is a job. */
export const svms: Endpoint = {
  shape: {
    path: "/api/svm/svms",
    keys: ["uuid"],
    identity: ["uuid", "name"],
    fields: {
      uuid: text(),
      name: text("POST", "PATCH"),
      state: oneOf(["starting", "running", "stopping", "stopped", "deleting"], "PATCH"),
      subtype: oneOf(["default"], "POST"),
      language: text("POST", "PATCH"),
      comment: text("POST", "PATCH"),
      ...ref("ipspace", "POST"),
      ...ref("snapshot_policy", "POST", "PATCH"),
      ...ref("aggregates", "POST", "PATCH"),
      ...ref("volume_efficiency_policy"),
      aggregates_delegated: flag(),
      "fcp.enabled": flag("POST"),
      "iscsi.enabled": flag("POST"),
      "nvme.enabled": flag("POST"),
      "nfs.enabled": flag("POST"),
      "cifs.enabled": flag("POST"),
      "fcp.allowed": flag("POST", "PATCH"),
      "iscsi.allowed": flag("POST", "PATCH"),
      "nvme.allowed": flag("POST", "PATCH"),
      "nfs.allowed": flag("POST", "PATCH"),
      "cifs.allowed": flag("POST", "PATCH"),
      max_volumes: text(),
      fc_interfaces: other("POST"),
      ip_interfaces: other("POST"),
      routes: other("POST"),
      dns: other("POST"),
      ldap: other("POST"),
      nis: other("POST"),
      nsswitch: other("POST", "PATCH"),
      s3: other("POST"),
      certificate: other("PATCH"),
      qos_policy: other("PATCH"),
      snapmirror: other(),
      "statistics.iops": integer(),
      ...svmNames.fields,
    },
    since: {
      ...svmNames.since,
      "fcp.allowed": "9.9.1",
      "iscsi.allowed": "9.9.1",
      "nvme.allowed": "9.9.1",
      "nfs.allowed": "9.9.1",
      "cifs.allowed": "9.9.1",
      max_volumes: "9.9.1",
      qos_policy: "9.9.1",
    },
    expensive: ["snapmirror", "statistics"],
    links: { aggregates: "/api/storage/aggregates/{uuid}" },
  },
  list: (ctx) => Object.values(ctx.view.tenants).map((svm) => svmRecord(ctx, svm)),
  missing: () => entryMissing("uuid"),
  create: createSvm,
  update: updateSvm,
  remove: removeSvm,
};

function svmRecord(ctx: ArrayContext, svm: Svm): Rec {
  const allowed = atLeast(ctx.release, "9.9.1");
  const service = (protocol: Protocol): Rec =>
    defined({
      enabled: serviceEnabled(ctx, svm, protocol),
      allowed: allowed ? allows(svm, protocol) : undefined,
    });
  const policy = attribute(svm.attributes, "snapshotPolicy", "default");
  const assigned = svm.attributes["aggregates"];
  return defined({
    uuid: svm.id,
    name: svm.name,
    state: svmState(svm),
    subtype: "default",
    language: attribute(svm.attributes, "language", "c.utf_8"),
    comment: comment(svm.attributes) ?? "",
    ipspace: { name: "Default", uuid: fixedIds.ipspace },
    snapshot_policy: policyRef(policy),
    aggregates: Array.isArray(assigned) ? assigned.map((id) => poolRef(ctx, textOf(id))) : [],
    aggregates_delegated: Array.isArray(assigned) && assigned.length > 0,
    max_volumes: allowed ? "unlimited" : undefined,
    ...Object.fromEntries(protocols.map((protocol) => [protocol, service(protocol)])),
  });
}

function serviceEnabled(ctx: ArrayContext, svm: Svm, protocol: Protocol): boolean {
  if (protocol === "fcp") return fcpService(ctx, svm)?.enabled === true;
  return protocol === "nvme" && nvmeService(svm)?.enabled === true;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : "";
}
