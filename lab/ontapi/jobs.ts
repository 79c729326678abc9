import type { ArrayContext, Operation } from "../ontap/context";
import { clusterName } from "../ontap/cluster";
import type { Job } from "../ontap/jobs";
import { type Api, type Apis, reader, startJob } from "./api";
import { errno, ZapiFault, zapiFault } from "./faults";
import { leaves, type Shape } from "./shape";
import type { ZNode } from "./xml";

const shape: Shape = leaves(
  "is-restarted job-affinity job-category job-completion job-description job-dropdead-time " +
    "job-end-time job-id job-name job-node job-priority job-process job-progress job-queue-time " +
    "job-schedule job-start-time job-state job-status-code job-type job-username job-uuid " +
    "job-vserver",
);

const getIter: Api = {
  scope: "both",
  record: "job-info",
  shape,
  keys: ["job-id"],
  list: ({ ctx, vserver }) =>
    ctx.jobs
      .list()
      .filter((job) => vserver === undefined || job.spec.svm?.uuid === vserver.id)
      .map((job) => record(ctx, job)),
};

export const jobApis: Apis = {
  "job-get-iter": getIter,
  "job-get": reader(
    "both",
    { "job-id": { type: "integer", required: true }, "desired-attributes": { type: "tree" } },
    ({ ctx, args }) => {
      const id = args.integer("job-id");
      const job = ctx.jobs.list().find((one) => one.number === id);
      if (job === undefined) throw new ZapiFault(errno.notFound, "entry doesn't exist");
      return { attributes: { "job-info": record(ctx, job) } };
    },
  ),
};

/** The answer of an `-async` API: the work goes on as a job whose number it names. */
export function asyncAnswer(ctx: ArrayContext, operation: Operation): ZNode {
  const job = startJob(ctx, operation);
  return { "result-jobid": job.number, "result-status": "in_progress" };
}

function record(ctx: ArrayContext, job: Job): ZNode {
  const fault = job.fault === undefined ? undefined : zapiFault(job.fault);
  const seconds = (ms: number): number => Math.floor(ms / 1000);
  return {
    "is-restarted": false,
    "job-completion":
      job.endedAtMs === undefined
        ? undefined
        : fault === undefined
          ? "Complete: Successful"
          : `Failed: ${fault.reason}`,
    "job-description": job.spec.description,
    "job-end-time": job.endedAtMs === undefined ? undefined : seconds(job.endedAtMs),
    "job-id": job.number,
    "job-name": job.spec.description.split(" ")[0] ?? "",
    "job-priority": "high",
    "job-progress":
      fault === undefined ? (job.state === "success" ? "Complete: Successful" : "") : fault.reason,
    "job-queue-time": seconds(job.startedAtMs),
    "job-start-time": seconds(job.startedAtMs),
    "job-state": job.state,
    "job-status-code": fault === undefined ? 0 : Number(fault.errno),
    "job-type": job.spec.class,
    "job-username": "admin",
    "job-uuid": job.uuid,
    "job-vserver": job.spec.svm?.name ?? clusterName(ctx),
  };
}
