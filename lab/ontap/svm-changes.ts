import type { JsonObject } from "../world/state";
import type { Body } from "./body";
import { clusterName, isLicensed } from "./cluster";
import { type ArrayContext, attributeFlag, type Operation } from "./context";
import { entryMissing, invalidValue, NotModelled, OntapFault, required } from "./faults";
import { clusterWwn } from "./identity";
import { setNvmeService } from "./nvme-services";
import { findPool, poolFreeBytes } from "./pools";
import { drop, type Rec, textAt } from "./record";
import { snapshotPolicy } from "./snapshot-policies";
import { atLeast } from "./release";
import { fcpService, type Protocol, settlePorts, svmById, wwnSuffix } from "./svm-lookup";

const protocols: readonly Protocol[] = ["fcp", "iscsi", "nvme", "nfs", "cifs"];
const rootVolumeBytes = 1024n ** 3n;
const maxSvmJobs = 5;

/** Making, changing and removing SVMs: jobs, five at a time. */

function guardJobs(ctx: ArrayContext): void {
  if (ctx.jobs.active("svm") >= maxSvmJobs) {
    throw new OntapFault(
      "13434894",
      "Maximum allowed SVM jobs exceeded. Wait for the existing SVM jobs to complete and try again.",
    );
  }
}

function checkName(ctx: ArrayContext, name: string, self?: string): void {
  if (name.length > 47) {
    throw new OntapFault("13434911", "The SVM name is longer than 47 characters.", "name");
  }
  if (!/^[A-Za-z_][A-Za-z0-9._-]*$/.test(name)) throw invalidValue(name, "name");
  const taken =
    Object.values(ctx.view.tenants).some((svm) => svm.name === name && svm.id !== self) ||
    name === clusterName(ctx) ||
    name === "Default" ||
    name === "Cluster";
  if (taken) {
    throw new OntapFault("13434908", `SVM name "${name}" is already used in the cluster.`, "name");
  }
}

function assignedPools(ctx: ArrayContext, body: Body): string[] | undefined {
  const objects = body.objects("aggregates");
  if (objects.length === 0) return body.has("aggregates") ? [] : undefined;
  return objects.map((object) => {
    const name = typeof object["name"] === "string" ? object["name"] : undefined;
    const uuid = typeof object["uuid"] === "string" ? object["uuid"] : undefined;
    const id = findPool(ctx, name, uuid);
    if (id === undefined) {
      throw new OntapFault(
        "917508",
        `Aggregate "${name ?? uuid ?? ""}" does not exist.`,
        "aggregates",
      );
    }
    return id;
  });
}

function protocolSettings(ctx: ArrayContext, body: Body): JsonObject {
  const out: JsonObject = {};
  for (const protocol of protocols) {
    const allowed = body.flag(`${protocol}.allowed`);
    const enabled = body.flag(`${protocol}.enabled`) === true;
    if (enabled && protocol !== "fcp" && protocol !== "nvme") {
      throw new NotModelled(`service ${protocol} of an SVM`);
    }
    if (allowed !== undefined) out[`${protocol}Allowed`] = allowed;
    else if (enabled) out[`${protocol}Allowed`] = true;
  }
  checkNvmeAlone(ctx, out, body.flag("nvme.enabled") === true);
  return out;
}

/** Up to 9.9.1 one SVM serves SCSI protocols or NVMe. */
function checkNvmeAlone(ctx: ArrayContext, settings: JsonObject, asked: boolean): void {
  if (settings["nvmeAllowed"] !== true || atLeast(ctx.release, "9.12.1")) return;
  if (asked) {
    // Who asks for the NVMe service of a new SVM means an SVM for NVMe.
    settings["fcpAllowed"] ??= false;
    settings["iscsiAllowed"] ??= false;
  }
  const scsi = ["fcpAllowed", "iscsiAllowed"].some((name) => (settings[name] ?? true) === true);
  if (!scsi) return;
  throw new OntapFault("72089900", "An SVM with a SAN protocol cannot be configured for NVMe.");
}

/** Pool for the root volume: of those assigned, or any, the one with the most free space. */
function rootPool(ctx: ArrayContext, assigned: readonly string[]): string {
  const candidates = assigned.length > 0 ? assigned : Object.keys(ctx.view.pools);
  const best = [...candidates].sort((a, b) =>
    poolFreeBytes(ctx, a) > poolFreeBytes(ctx, b) ? -1 : 1,
  )[0];
  if (best === undefined) {
    throw new OntapFault("13434909", "No aggregate is available for the root volume.");
  }
  if (poolFreeBytes(ctx, best) < rootVolumeBytes) {
    throw new OntapFault("13434914", "Not enough space for the root volume of the SVM.");
  }
  return best;
}

export function createSvm(ctx: ArrayContext, body: Body): Operation {
  const name = body.text("name");
  if (name === undefined) throw required("name");
  guardJobs(ctx);
  const pending = `svm/${name}`;
  if (ctx.inCreation.has(pending)) {
    throw new OntapFault("13434915", `An SVM with the name "${name}" is being created.`);
  }
  checkName(ctx, name);
  const ipspace = body.text("ipspace.name") ?? "Default";
  if (ipspace !== "Default") {
    throw new OntapFault("13434912", `IPspace "${ipspace}" does not exist.`, "ipspace.name");
  }
  const assigned = assignedPools(ctx, body) ?? [];
  const settings = protocolSettings(ctx, body);
  const nvme = body.flag("nvme.enabled") === true;
  if (nvme && !isLicensed(ctx, "nvme_of")) {
    throw new OntapFault("1115127", "The cluster lacks a valid NVMe license.");
  }
  const policy = snapshotPolicy(body, "default");
  const uuid = ctx.newUuid();
  ctx.inCreation.add(pending);
  return {
    keys: [[uuid]],
    job: job(ctx, `POST /api/svm/svms/${uuid}`, { name, uuid }),
    release: () => ctx.inCreation.delete(pending),
    commit: () => {
      checkName(ctx, name);
      const pool = rootPool(ctx, assigned);
      const { wwnn } = clusterWwn(ctx.nextNumber("lastWwn"), wwnSuffix(ctx));
      ctx.change((array) => {
        array.tenants[uuid] = {
          id: uuid,
          name,
          attributes: {
            ...settings,
            comment: body.text("comment") ?? "",
            language: body.text("language") ?? "c.utf_8",
            snapshotPolicy: policy,
            aggregates: [...assigned],
            wwnn,
            fcp: body.flag("fcp.enabled") === true ? "enabled" : "none",
          },
        };
        const root = ctx.newUuid();
        array.containers[root] = {
          id: root,
          name: `${name.replace(/[^A-Za-z0-9_]/g, "_")}_root`,
          tenantId: uuid,
          poolId: pool,
          sizeBytes: rootVolumeBytes,
          reserved: true,
          online: true,
          attributes: { isRoot: true, snapshotPolicy: "none", snapshotReserve: 5 },
        };
      });
      if (nvme) setNvmeService(ctx, uuid, true);
    },
  };
}

function job(
  ctx: ArrayContext,
  description: string,
  svm: { name: string; uuid: string },
): NonNullable<Operation["job"]> {
  return { description, class: "svm", durationMs: ctx.timing.svmMs, svm };
}

export function updateSvm(ctx: ArrayContext, record: Rec, body: Body): Operation {
  const uuid = textAt(record, "uuid");
  guardJobs(ctx);
  const name = body.text("name");
  if (name !== undefined) checkName(ctx, name, uuid);
  const state = body.text("state");
  if (state !== undefined && state !== "running" && state !== "stopped") {
    throw invalidValue(state, "state");
  }
  const assigned = assignedPools(ctx, body);
  const policy = body.has("snapshot_policy") ? snapshotPolicy(body, "default") : undefined;
  const settings = protocolSettings(ctx, body);
  if (settings["fcpAllowed"] === false && fcpService(ctx, svmById(ctx, uuid)) !== undefined) {
    throw new NotModelled("fcp.allowed false on an SVM with the service");
  }
  return {
    keys: [[uuid]],
    job: job(ctx, `PATCH /api/svm/svms/${uuid}`, { name: textAt(record, "name"), uuid }),
    commit: () => {
      ctx.change((array) => {
        const svm = array.tenants[uuid];
        if (svm === undefined) throw entryMissing("uuid");
        Object.assign(svm.attributes, settings);
        if (name !== undefined) svm.name = name;
        if (state !== undefined) svm.attributes["state"] = state;
        if (assigned !== undefined) svm.attributes["aggregates"] = assigned;
        if (policy !== undefined) svm.attributes["snapshotPolicy"] = policy;
        const note = body.text("comment");
        if (note !== undefined) svm.attributes["comment"] = note;
        const language = body.text("language");
        if (language !== undefined) svm.attributes["language"] = language;
      });
      settlePorts(ctx, uuid);
    },
  };
}

export function removeSvm(ctx: ArrayContext, record: Rec): Operation {
  const uuid = textAt(record, "uuid");
  const name = textAt(record, "name");
  guardJobs(ctx);
  const pending = `svm-delete/${uuid}`;
  if (ctx.inCreation.has(pending)) {
    throw new OntapFault("13434916", `The SVM "${name}" is being deleted.`);
  }
  ctx.inCreation.add(pending);
  return {
    keys: [[uuid]],
    job: job(ctx, `DELETE /api/svm/svms/${uuid}`, { name, uuid }),
    release: () => ctx.inCreation.delete(pending),
    commit: () => {
      const data = Object.values(ctx.view.containers).filter(
        (container) =>
          container.tenantId === uuid && !attributeFlag(container.attributes, "isRoot", false),
      );
      if (data.length > 0) {
        throw new OntapFault(
          "460770",
          `Failed to delete SVM "${name}". Reason: SVM has volumes (${data.map((c) => c.name).join(", ")}). ` +
            "Data volumes must be offline and deleted first.",
        );
      }
      ctx.change((array) => {
        dropWhere(array.containers, (container) => container.tenantId === uuid);
        dropWhere(array.targetPorts, (port) => port.tenantId === uuid);
        const groups = Object.values(array.groups).filter((group) => group.tenantId === uuid);
        array.maps = array.maps.filter((map) => !groups.some((group) => group.id === map.groupId));
        dropWhere(array.groups, (group) => group.tenantId === uuid);
        const subsystems = array.subsystems ?? {};
        array.namespaceMaps =
          array.namespaceMaps?.filter((map) => subsystems[map.subsystemId]?.tenantId !== uuid) ??
          [];
        dropWhere(subsystems, (one) => one.tenantId === uuid);
        // Deleting an SVM drops its entries of the recovery queue for good (NetAppDocs/ontap#1958).
        dropWhere(array.records["recoveryQueue"] ?? {}, (entry) => entry["svmId"] === uuid);
        dropWhere(array.tenants, (svm) => svm.id === uuid);
      });
    },
  };
}

function dropWhere<T>(record: Record<string, T>, is: (value: T) => boolean): void {
  for (const [key, value] of Object.entries(record)) if (is(value)) drop(record, key);
}
