import type { Body } from "./body";
import type { ArrayContext, Endpoint, Operation } from "./context";
import { invalidValue, OntapFault, required } from "./faults";
import { type Rec, textAt } from "./record";
import { purge, queueEntries } from "./recovery-queue";
import { text } from "./shape";
import { allows, type Protocol, svmRef } from "./svm-lookup";

/**
 * The passthrough to the command line, only those commands for which these releases have no REST
 * call and that clients of the FC path use. Records carry no links.
 */

/** Lists `vserver` and `volume` only; every other field, and `*`, is refused. */
export const recoveryQueue: Endpoint = {
  shape: {
    path: "/api/private/cli/volume/recovery-queue",
    keys: [],
    identity: ["vserver", "volume"],
    fields: { vserver: text(), volume: text() },
    noWildcard: true,
    plain: true,
  },
  list: (ctx) =>
    queueEntries(ctx).map((entry) => ({
      vserver: svmRef(ctx, entry.svmId).name,
      volume: entry.volume,
    })),
};

/** `volume recovery-queue purge`: 202 and a job, for good. */
export const recoveryQueuePurge: Endpoint = {
  shape: {
    path: "/api/private/cli/volume/recovery-queue/purge",
    keys: [],
    identity: [],
    fields: { vserver: text("POST"), volume: text("POST") },
    plain: true,
  },
  list: () => [],
  writeOnly: true,
  create: purgeOne,
};

function purgeOne(ctx: ArrayContext, body: Body): Operation {
  const vserver = body.text("vserver");
  const volume = body.text("volume");
  if (vserver === undefined) throw required("vserver");
  if (volume === undefined) throw required("volume");
  const find = (): string => {
    const entry = queueEntries(ctx).find(
      (e) => e.volume === volume && svmRef(ctx, e.svmId).name === vserver,
    );
    if (entry === undefined) {
      throw new OntapFault("4", "There are no entries matching your query.", "volume");
    }
    return entry.id;
  };
  find();
  return {
    keys: [],
    job: {
      description: `Purge volume ${vserver}:${volume}`,
      class: "other",
      durationMs: ctx.timing.purgeMs,
    },
    commit: () => {
      purge(ctx, find());
    },
  };
}

const protocols: readonly Protocol[] = ["fcp", "iscsi", "nfs", "cifs", "nvme", "ndmp"];

/** `vserver show`: the protocols of an SVM before 9.9.1 gave them to REST. */
export const vservers: Endpoint = {
  shape: {
    path: "/api/private/cli/vserver",
    keys: [],
    identity: ["vserver"],
    fields: { vserver: text(), allowed_protocols: text(), admin_state: text() },
    plain: true,
  },
  list: vserverRecords,
};

function vserverRecords(ctx: ArrayContext): Rec[] {
  return Object.values(ctx.view.tenants).map((svm) => ({
    vserver: svm.name,
    allowed_protocols: protocols.filter((protocol) => allows(svm, protocol)),
    admin_state: "running",
  }));
}

/** `vserver add-protocols` and `remove-protocols`, selected by `vserver=` in the query. */
export const addProtocols = protocolCommand("add-protocols", true);
export const removeProtocols = protocolCommand("remove-protocols", false);

function protocolCommand(command: string, allowed: boolean): Endpoint {
  return {
    shape: {
      path: `/api/private/cli/vserver/${command}`,
      keys: [],
      identity: ["vserver"],
      fields: { vserver: text(), protocols: text("PATCH") },
      plain: true,
    },
    list: vserverRecords,
    writeOnly: true,
    update: (ctx, record, body) => {
      const wanted = body.texts("protocols");
      const unknown = wanted.find((name) => !protocols.some((protocol) => protocol === name));
      if (unknown !== undefined) throw invalidValue(unknown, "protocols");
      return {
        keys: [],
        commit: () => {
          const name = textAt(record, "vserver");
          ctx.change((array) => {
            const svm = Object.values(array.tenants).find((tenant) => tenant.name === name);
            for (const protocol of wanted) {
              if (svm !== undefined) svm.attributes[`${protocol}Allowed`] = allowed;
            }
          });
        },
      };
    },
  };
}
