import { subsystemsOf } from "../world/nvme";
import type { Body } from "./body";
import { isLicensed } from "./cluster";
import type { ArrayContext, Endpoint, Operation } from "./context";
import { OntapFault } from "./faults";
import { textAt } from "./record";
import { flag, other, ref } from "./shape";
import { serviceIo, statisticsFields, statisticsRecord } from "./statistics";
import {
  allows,
  isScsiOnly,
  nvmeService,
  ofSvm,
  settlePorts,
  svmLink,
  svmOfBody,
  svmState,
} from "./svm-lookup";

/** `/api/protocols/nvme/services`: one per SVM, and only where no SCSI protocol is served. */
export const nvmeServices: Endpoint = {
  shape: {
    path: "/api/protocols/nvme/services",
    keys: ["svm.uuid"],
    identity: ["svm.uuid", "svm.name"],
    fields: {
      ...ref("svm", "POST"),
      enabled: flag("POST", "PATCH"),
      metric: other(),
      ...statisticsFields(),
    },
    expensive: ["metric", "statistics"],
    links: svmLink,
  },
  list: (ctx) =>
    Object.values(ctx.view.tenants).flatMap((svm) => {
      const service = nvmeService(svm);
      if (service === undefined) return [];
      return [
        {
          svm: ofSvm(ctx, svm.id),
          enabled: service.enabled,
          statistics: statisticsRecord(ctx, serviceIo(ctx, svm.id, "nvme")),
        },
      ];
    }),
  missing: () => new OntapFault("72089651", "There is no NVMe service for the SVM."),
  create,
  update: (ctx, record, body) => {
    const uuid = textAt(record, "svm.uuid");
    return {
      keys: [[uuid]],
      commit: () => {
        setNvmeService(ctx, uuid, body.flag("enabled"));
      },
    };
  },
  remove: (ctx, record) => {
    const uuid = textAt(record, "svm.uuid");
    checkRemoval(ctx, uuid, record["enabled"] === true);
    return {
      keys: [[uuid]],
      commit: () => {
        ctx.change((array) => {
          const svm = array.tenants[uuid];
          if (svm !== undefined) svm.attributes["nvme"] = "none";
        });
        settlePorts(ctx, uuid);
      },
    };
  },
};

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  if (!isLicensed(ctx, "nvme_of")) {
    throw new OntapFault("1115127", "The cluster lacks a valid NVMe license.");
  }
  if (!allows(svm, "nvme")) {
    throw new OntapFault("2621507", `The NVMe protocol is not allowed on SVM "${svm.name}".`);
  }
  if (svmState(svm) !== "running") {
    throw new OntapFault("5374893", `The SVM "${svm.name}" is stopped.`);
  }
  if (nvmeService(svm) !== undefined) {
    throw new OntapFault("72089650", `An NVMe service already exists for SVM "${svm.name}".`);
  }
  if (isScsiOnly(ctx, svm)) {
    throw new OntapFault(
      "72089900",
      "An NVMe service cannot be created in an SVM with a SAN protocol configured.",
    );
  }
  return {
    keys: [[svm.id]],
    commit: () => {
      setNvmeService(ctx, svm.id, body.flag("enabled") ?? true);
    },
  };
}

export function setNvmeService(
  ctx: ArrayContext,
  svmId: string,
  enabled: boolean | undefined,
): void {
  if (enabled === undefined) return;
  // The serial in the names of the SVM's subsystems comes with its first NVMe service.
  const serial = ctx.newUuid().replaceAll("-", "");
  ctx.change((array) => {
    const svm = array.tenants[svmId];
    if (svm === undefined) return;
    svm.attributes["nvme"] = enabled ? "enabled" : "disabled";
    svm.attributes["nvmeSerial"] ??= serial;
  });
  settlePorts(ctx, svmId);
}

function checkRemoval(ctx: ArrayContext, svmId: string, enabled: boolean): void {
  if (enabled) {
    throw new OntapFault(
      "72090028",
      "The NVMe service is enabled. It must be disabled before it can be deleted.",
    );
  }
  if (subsystemsOf(ctx.view).some((one) => one.tenantId === svmId)) {
    throw new OntapFault(
      "72089653",
      "There are subsystems associated with the NVMe service. They must be removed first.",
    );
  }
  const interfaces = Object.values(ctx.view.targetPorts);
  if (interfaces.some((one) => one.tenantId === svmId && one.protocol === "nvme")) {
    throw new OntapFault(
      "72089654",
      "There are NVMe interfaces associated with the NVMe service. They must be removed first.",
    );
  }
}
