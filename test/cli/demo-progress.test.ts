import type { EngineEvent } from "@pulumi/pulumi/automation";
import { showProgress } from "../../cli/demo/progress";
import { createTerminal, table } from "../../cli/terminal";

const run = "sanbed:bench:Run";
const zones = "sanbed:fabric:HostZones";

function step(
  kind: "resourcePreEvent" | "resOutputsEvent",
  type: string,
  op = "create",
): EngineEvent {
  return {
    sequence: 0,
    timestamp: 0,
    [kind]: { metadata: { op, type, urn: `urn:${type}` } },
  };
}

function shown(direction: "up" | "destroy", events: readonly [number, EngineEvent][]): string[] {
  let clock = 0;
  let text = "";
  const terminal = createTerminal(
    (part) => (text += part),
    () => clock,
  );
  const show = showProgress(terminal, direction, () => clock);
  for (const [at, event] of events) {
    clock = at;
    show(event);
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.replace(/^ *[\d.]+s {2}/, ""));
}

describe("the demo's progress", () => {
  it("says when a stage begins, when nothing of it runs any more, and what comes next", () => {
    const lines = shown("up", [
      [0, step("resourcePreEvent", zones)],
      [100, step("resourcePreEvent", zones)],
      [1100, step("resOutputsEvent", zones)],
      [1600, step("resOutputsEvent", zones)],
    ]);
    expect(lines).toEqual([
      "zoning on both fabrics ...",
      "zoning on both fabrics: 2 done, 1.6 s; next: volumes, host group, maps",
    ]);
  });

  it("counts stages backwards on destroy, and leaves out what stays as it is", () => {
    const lines = shown("destroy", [
      [0, step("resourcePreEvent", zones, "same")],
      [0, step("resOutputsEvent", zones, "same")],
      [0, step("resourcePreEvent", zones, "delete")],
      [500, step("resOutputsEvent", zones, "delete")],
    ]);
    expect(lines.at(-1)).toBe("zoning on both fabrics: 1 done, 0.5 s; next: array targets");
    expect(lines).toHaveLength(2);
  });

  it("passes live status of a run at most every two seconds, errors always", () => {
    const status = (message: string, severity = "info", ephemeral = true): EngineEvent =>
      ({
        sequence: 0,
        timestamp: 0,
        diagnosticEvent: { urn: `x::${run}::y`, message, severity, ephemeral, color: "" },
      }) as unknown as EngineEvent;
    const lines = shown("up", [
      [3000, status("10 TPS")],
      [3500, status("11 TPS")],
      [3600, status("it broke", "error", false)],
      [5100, status("12 TPS")],
    ]);
    expect(lines).toEqual(["  10 TPS", "error: it broke", "  12 TPS"]);
  });
});

describe("a table on the terminal", () => {
  it("lines up words left and figures right", () => {
    expect(
      table([
        ["name", "n"],
        ["a", "100"],
        ["longer", "1"],
      ]),
    ).toEqual(["name      n", "a       100", "longer    1"]);
  });
});
