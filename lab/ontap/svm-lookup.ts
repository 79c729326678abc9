import { parseWwnn, type Wwnn } from "../../bed/identities";
import type { Tenant } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { type ArrayContext, attribute, attributeFlag } from "./context";
import type { Body } from "./body";
import { OntapFault } from "./faults";
import { clusterWwn } from "./identity";
import type { Rec } from "./record";
import { atLeast } from "./release";

export type Svm = DeepReadonly<Tenant>;

export function svmRef(ctx: ArrayContext, id: string): { name: string; uuid: string } {
  return { name: ctx.view.tenants[id]?.name ?? "", uuid: id };
}

/** The SVM that a body names. @throws {OntapFault} when it names none, two, or an unknown one. */
export function svmOfBody(ctx: ArrayContext, body: Body): Svm {
  const name = body.text("svm.name");
  const uuid = body.text("svm.uuid");
  if (name === undefined && uuid === undefined) {
    throw new OntapFault(
      "2621707",
      'No SVM was specified. Either "svm.name" or "svm.uuid" must be supplied.',
    );
  }
  const byName = Object.values(ctx.view.tenants).find((svm) => svm.name === name);
  const byUuid = uuid === undefined ? undefined : ctx.view.tenants[uuid];
  if (name !== undefined && uuid !== undefined && byName !== byUuid) {
    throw new OntapFault("2621706", 'The specified "svm.uuid" and "svm.name" do not match.');
  }
  const found = byName ?? byUuid;
  if (found === undefined) {
    throw new OntapFault(
      "2621462",
      `SVM "${name ?? uuid ?? ""}" does not exist.`,
      name === undefined ? "svm.uuid" : "svm.name",
    );
  }
  return found;
}

export function svmById(ctx: ArrayContext, id: string): Svm {
  const svm = ctx.view.tenants[id];
  if (svm === undefined) throw new OntapFault("2621462", `SVM "${id}" does not exist.`, "svm.uuid");
  return svm;
}

export function svmState(svm: Svm): string {
  return attribute(svm.attributes, "state", "running");
}

export type Protocol = "fcp" | "iscsi" | "nvme" | "nfs" | "cifs" | "ndmp";

/** Protocols that an administrator of the SVM may use; all but NVMe unless said otherwise. */
export function allows(svm: Svm, protocol: Protocol): boolean {
  return attributeFlag(svm.attributes, `${protocol}Allowed`, protocol !== "nvme");
}

/** WWNN of an SVM; its FC interfaces all carry it. */
export function svmWwnn(ctx: ArrayContext, svm: Svm): Wwnn {
  const port = Object.values(ctx.view.targetPorts).find((p) => p.tenantId === svm.id);
  const own = parseWwnn(attribute(svm.attributes, "wwnn", ""));
  return own ?? port?.wwnn ?? clusterWwn(0, wwnSuffix(ctx)).wwnn;
}

/** Two bytes that tell this cluster's world wide names from other clusters'. */
export function wwnSuffix(ctx: ArrayContext): string {
  return attribute(ctx.view.attributes, "wwnSuffix", "5a:12");
}

/** The FC protocol service of an SVM. Tenants of a preset that have FC interfaces have one too. */
export function fcpService(
  ctx: ArrayContext,
  svm: Svm,
): { enabled: boolean; wwnn: string } | undefined {
  const ports = Object.values(ctx.view.targetPorts).some(
    (port) => port.tenantId === svm.id && port.protocol === undefined,
  );
  const state = attribute(svm.attributes, "fcp", ports ? "enabled" : "none");
  if (state === "none") return undefined;
  return { enabled: state === "enabled", wwnn: svmWwnn(ctx, svm) };
}

/** The NVMe service of an SVM. */
export function nvmeService(svm: Svm): { enabled: boolean } | undefined {
  const state = attribute(svm.attributes, "nvme", "none");
  return state === "none" ? undefined : { enabled: state === "enabled" };
}

/**
 * Up to 9.9.1 one SVM serves SCSI protocols or NVMe, never both (REST reference 9.9.1, errors of
 * `nvme/services`, `fc/interfaces` and `igroups`). Assumed to be gone in the later profile.
 */
export function isNvmeOnly(ctx: ArrayContext, svm: Svm): boolean {
  if (atLeast(ctx.release, "9.12.1")) return false;
  return svm.attributes["nvmeAllowed"] === true || nvmeService(svm) !== undefined;
}

export function isScsiOnly(ctx: ArrayContext, svm: Svm): boolean {
  if (atLeast(ctx.release, "9.12.1")) return false;
  return fcpService(ctx, svm) !== undefined;
}

/** Puts every FC interface of an SVM on or off the fabric: it is up when all above it is. */
export function settlePorts(ctx: ArrayContext, svmId: string): void {
  const svm = ctx.view.tenants[svmId];
  const runs = svm !== undefined && svmState(svm) === "running";
  const fcp = runs && fcpService(ctx, svm)?.enabled === true;
  const nvme = runs && nvmeService(svm)?.enabled === true;
  ctx.change((array) => {
    for (const port of Object.values(array.targetPorts)) {
      if (port.tenantId !== svmId) continue;
      const serves = port.protocol === "nvme" ? nvme : fcp;
      port.enabled = serves && attributeFlag(port.attributes, "adminEnabled", true);
    }
  });
}

export const svmLink = { svm: "/api/svm/svms/{uuid}" } as const;

export function comment(attributes: DeepReadonly<Tenant>["attributes"]): string | undefined {
  const value = attribute(attributes, "comment", "");
  return value === "" ? undefined : value;
}

/** `svm` of a record. */
export function ofSvm(ctx: ArrayContext, id: string): Rec {
  return { ...svmRef(ctx, id) };
}
