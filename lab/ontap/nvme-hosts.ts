import type { Body } from "./body";
import type { ArrayContext, Call, Endpoint, Operation } from "./context";
import { OntapFault } from "./faults";
import { checkNqns, noSubsystem, subsystemById } from "./nvme-rules";
import { ioQueue, missingNqn } from "./nvme-subsystems";
import { defined, type Rec, textAt } from "./record";
import { atLeast } from "./release";
import { integer, other, text } from "./shape";

/** `/api/protocols/nvme/subsystems/{subsystem.uuid}/hosts`: one, or several as `records`. */
export const nvmeHosts: Endpoint = {
  shape: {
    path: "/api/protocols/nvme/subsystems/{subsystem.uuid}/hosts",
    keys: ["nqn"],
    identity: ["nqn", "subsystem.uuid", "subsystem.name"],
    fields: {
      nqn: text("POST"),
      "io_queue.count": integer(),
      "io_queue.depth": integer(),
      "subsystem.uuid": text(),
      "subsystem.name": text(),
      dh_hmac_chap: other("POST"),
      "records.nqn": text("POST"),
      "records.dh_hmac_chap": other("POST"),
    },
    since: {
      "subsystem.name": "9.12.1",
      dh_hmac_chap: "9.12.1",
      "records.dh_hmac_chap": "9.12.1",
    },
    links: { subsystem: "/api/protocols/nvme/subsystems/{uuid}" },
  },
  list: (ctx, parents) => {
    const subsystem = subsystemById(ctx, parents[0] ?? "");
    const named = atLeast(ctx.release, "9.12.1");
    return subsystem.hosts.map((nqn) => ({
      nqn,
      io_queue: { ...ioQueue },
      subsystem: defined({ uuid: subsystem.id, name: named ? subsystem.name : undefined }),
    }));
  },
  missing: (keys) =>
    new OntapFault(
      "72090004",
      `The NVMe subsystem host "${keys[keys.length - 1] ?? ""}" does not exist.`,
    ),
  create,
  remove: (ctx, record, call) => removeHost(ctx, record, call),
};

function create(ctx: ArrayContext, body: Body, call: Call): Operation {
  const subsystem = subsystemById(ctx, call.parents[0] ?? "");
  const records = body.objects("records");
  const single = body.text("nqn");
  if (single !== undefined && body.has("records")) {
    throw new OntapFault(
      "262186",
      'The field "records" cannot be used with the field "nqn".',
      "records",
    );
  }
  const given = single === undefined ? body.texts("records.nqn") : [single];
  if (given.length === 0 || given.length < records.length) throw missingNqn();
  const nqns = checkNqns(given);
  const known = nqns.find((nqn) => subsystem.hosts.includes(nqn));
  if (known !== undefined) {
    throw new OntapFault(
      "72089705",
      `The NVMe subsystem host "${known}" already exists for subsystem "${subsystem.name}".`,
      "nqn",
    );
  }
  return {
    keys: nqns.map((nqn) => [nqn]),
    commit: () => {
      ctx.change((array) => {
        const target = array.subsystems?.[subsystem.id];
        if (target === undefined) throw noSubsystem();
        target.hosts.push(...nqns);
      });
    },
  };
}

function removeHost(ctx: ArrayContext, record: Rec, call: Call): Operation {
  const id = call.parents[0] ?? "";
  const nqn = textAt(record, "nqn");
  return {
    keys: [[nqn]],
    commit: () => {
      ctx.change((array) => {
        const target = array.subsystems?.[id];
        if (target === undefined) throw noSubsystem();
        target.hosts = target.hosts.filter((host) => host !== nqn);
      });
    },
  };
}
