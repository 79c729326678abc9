import type { Api, Apis } from "./api";
import { leaves } from "./shape";
import type { ZNode } from "./xml";

const getIter: Api = {
  scope: "cluster",
  record: "ems-message-info",
  shape: leaves(
    "ems-severity event event-xml-len kernel-gen kernel-seq-num message-name node " +
      "num-suppressed-since-last seq-num severity source time",
  ),
  keys: ["time", "node", "seq-num"],
  list: ({ ctx }) =>
    Object.values(ctx.view.records["events"] ?? {}).map((event): ZNode => {
      const message = event["message"] as { name: string; severity: string };
      const node = event["node"] as { name: string };
      return {
        "ems-severity": message.severity === "alert" ? "node_error" : "svc_error",
        event: event["log_message"] as string,
        "message-name": message.name,
        node: node.name,
        "seq-num": event["index"] as number,
        // The names of the severities begin with a capital nowhere in ONTAPI.
        severity: message.severity,
        source: "mgwd",
        time: Math.floor(Date.parse(event["time"] as string) / 1000),
      };
    }),
};

/** The cluster's event log (EMS). */
export const eventApis: Apis = { "ems-message-get-iter": getIter };
