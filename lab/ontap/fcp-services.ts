import type { Body } from "./body";
import { isLicensed } from "./cluster";
import { type ArrayContext, type Endpoint, type Operation } from "./context";
import { OntapFault } from "./faults";
import { textAt } from "./record";
import { flag, other, ref, text } from "./shape";
import { serviceIo, statisticsFields, statisticsRecord } from "./statistics";
import {
  allows,
  fcpService,
  isNvmeOnly,
  ofSvm,
  settlePorts,
  svmLink,
  svmOfBody,
  svmState,
} from "./svm-lookup";

/** `/api/protocols/san/fcp/services`: one per SVM, its target name is the SVM's WWNN. */
export const fcpServices: Endpoint = {
  shape: {
    path: "/api/protocols/san/fcp/services",
    keys: ["svm.uuid"],
    identity: ["svm.uuid", "svm.name"],
    fields: {
      ...ref("svm", "POST"),
      enabled: flag("POST", "PATCH"),
      "target.name": text(),
      metric: other(),
      ...statisticsFields(),
    },
    expensive: ["metric", "statistics"],
    links: svmLink,
  },
  list: (ctx) =>
    Object.values(ctx.view.tenants).flatMap((svm) => {
      const service = fcpService(ctx, svm);
      if (service === undefined) return [];
      return [
        {
          svm: ofSvm(ctx, svm.id),
          enabled: service.enabled,
          target: { name: service.wwnn },
          statistics: statisticsRecord(ctx, serviceIo(ctx, svm.id, undefined)),
        },
      ];
    }),
  missing: () =>
    new OntapFault("5374083", "There is no Fibre Channel Protocol service for the SVM."),
  create,
  update: (ctx, record, body) => {
    const uuid = textAt(record, "svm.uuid");
    return {
      keys: [[uuid]],
      commit: () => {
        setEnabled(ctx, uuid, body.flag("enabled"));
      },
    };
  },
  remove: (ctx, record) => {
    const uuid = textAt(record, "svm.uuid");
    if (record["enabled"] === true) {
      throw new OntapFault(
        "5373960",
        "The Fibre Channel Protocol service is enabled. It must be disabled before it can be deleted.",
      );
    }
    return {
      keys: [[uuid]],
      commit: () => {
        ctx.change((array) => {
          const svm = array.tenants[uuid];
          if (svm === undefined) return;
          svm.attributes["fcp"] = "none";
        });
        settlePorts(ctx, uuid);
      },
    };
  },
};

function create(ctx: ArrayContext, body: Body): Operation {
  const svm = svmOfBody(ctx, body);
  if (!isLicensed(ctx, "fcp")) {
    throw new OntapFault("1115127", "The cluster lacks a valid FCP license.");
  }
  if (!allows(svm, "fcp")) {
    throw new OntapFault("2621507", `The FCP protocol is not allowed on SVM "${svm.name}".`);
  }
  if (svmState(svm) !== "running") {
    throw new OntapFault("5374893", `The SVM "${svm.name}" is stopped.`);
  }
  if (fcpService(ctx, svm) !== undefined) {
    throw new OntapFault(
      "5374082",
      `A Fibre Channel Protocol service already exists for SVM "${svm.name}".`,
    );
  }
  if (isNvmeOnly(ctx, svm)) {
    // The reference names no number for the service; this is the one of its interfaces.
    throw new OntapFault(
      "5373966",
      `An FC Protocol service cannot be created in SVM "${svm.name}", which is configured for NVMe.`,
    );
  }
  return {
    keys: [[svm.id]],
    commit: () => {
      setEnabled(ctx, svm.id, body.flag("enabled") ?? true);
    },
  };
}

function setEnabled(ctx: ArrayContext, svmId: string, enabled: boolean | undefined): void {
  if (enabled === undefined) return;
  ctx.change((array) => {
    const svm = array.tenants[svmId];
    if (svm === undefined) return;
    svm.attributes["fcp"] = enabled ? "enabled" : "disabled";
  });
  settlePorts(ctx, svmId);
}
