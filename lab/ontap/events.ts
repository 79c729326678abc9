import type { ArrayContext, Endpoint } from "./context";
import { timestamp } from "./jobs";
import { date, integer, oneOf, other, ref, text } from "./shape";
import { drop } from "./record";

const kept = 500;

/** Writes an event into the cluster's log (EMS). */
export function logEvent(
  ctx: ArrayContext,
  event: { node: string; name: string; severity: "notice" | "error" | "alert"; text: string },
): void {
  const index = ctx.nextNumber("lastEvent");
  ctx.change((array) => {
    const events = (array.records["events"] ??= {});
    events[index.toString()] = {
      index,
      time: timestamp(ctx.now()),
      node: { name: event.node },
      message: { name: event.name, severity: event.severity },
      log_message: `${event.name}: ${event.text}`,
    };
    const old = (index - kept).toString();
    drop(events, old);
  });
}

/** `/api/support/ems/events`: what the emulated cluster itself has to report. */
export const events: Endpoint = {
  shape: {
    path: "/api/support/ems/events",
    keys: ["node.name", "index"],
    identity: ["node.name", "index"],
    fields: {
      ...ref("node"),
      index: integer(),
      time: date(),
      log_message: text(),
      "message.name": text(),
      "message.severity": oneOf([
        "emergency",
        "alert",
        "error",
        "notice",
        "informational",
        "debug",
      ]),
      parameters: other(),
      source: text(),
    },
  },
  list: (ctx) => Object.values(ctx.view.records["events"] ?? {}).map((event) => ({ ...event })),
};
