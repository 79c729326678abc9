import type { Endpoint } from "./context";
import { entryMissing, OntapFault, required } from "./faults";
import { jobRecord } from "./jobs";
import { textAt } from "./record";
import { date, integer, oneOf, ref, text } from "./shape";
import { svmLink } from "./svm-lookup";

/** `/api/cluster/jobs`. An ended job is deleted after a default time of 300 seconds. */
export const jobEndpoint: Endpoint = {
  shape: {
    path: "/api/cluster/jobs",
    keys: ["uuid"],
    identity: ["uuid"],
    fields: {
      uuid: text(),
      description: text(),
      state: oneOf(["queued", "running", "paused", "success", "failure"]),
      message: text(),
      code: integer(),
      start_time: date(),
      end_time: date(),
      ...ref("svm"),
      "error.code": text(),
      "error.message": text(),
      "error.target": text(),
    },
    since: { error: "9.9.1" },
    links: svmLink,
  },
  list: (ctx) => ctx.jobs.list().map(jobRecord),
  missing: () => entryMissing("uuid"),
  byQuery: false,
  flags: { PATCH: ["action"] },
  update: (_ctx, record, _body, call) => {
    if (call.text("action") === undefined) throw required("action");
    // "Individual operations indicate if they support PATCH requests on the job": none here does.
    throw new OntapFault(
      "458773",
      `The job "${textAt(record, "uuid")}" does not support this action.`,
    );
  },
};
