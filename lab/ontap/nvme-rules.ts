import type { NvmeSubsystem } from "../world/state";
import type { DeepReadonly } from "../world/world";
import { subsystemsOf } from "../world/nvme";
import type { ArrayContext } from "./context";
import { OntapFault } from "./faults";

export type Subsystem = DeepReadonly<NvmeSubsystem>;

const maxNqnBytes = 223;

/**
 * An NQN, checked as far as ONTAP tells mistakes apart. Its case matters: it is kept as given.
 * @throws {OntapFault} for anything else.
 */
export function checkNqn(nqn: string): string {
  if (!nqn.startsWith("nqn.")) {
    throw new OntapFault("72089772", `The NQN "${nqn}" is invalid. Add the prefix "nqn".`, "nqn");
  }
  const [, date, rest = ""] = /^nqn\.([^.]*)\.?(.*)$/.exec(nqn) ?? [];
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(date ?? "")) {
    throw new OntapFault(
      "72089773",
      `The NQN "${nqn}" is invalid. The date field must be formatted yyyy-mm.`,
      "nqn",
    );
  }
  const [authority = "", ...name] = rest.split(":");
  if (authority === "" || name.join(":") === "" || nqn.length > maxNqnBytes || /\s/.test(nqn)) {
    throw new OntapFault(
      "72089771",
      `The NQN "${nqn}" is invalid. A non-empty qualifier is required after the prefix.`,
      "nqn",
    );
  }
  return nqn;
}

/** @throws {OntapFault} when a request names a host twice. */
export function checkNqns(given: readonly string[]): string[] {
  const nqns = given.map(checkNqn);
  if (new Set(nqns).size < nqns.length) {
    throw new OntapFault("72090036", "The request names an NVMe host more than once.", "hosts");
  }
  return nqns;
}

export function subsystemById(ctx: ArrayContext, id: string): Subsystem {
  const found = ctx.view.subsystems?.[id];
  if (found === undefined) throw noSubsystem();
  return found;
}

export function noSubsystem(): OntapFault {
  return new OntapFault("72090001", "The NVMe subsystem does not exist.");
}

export function subsystemNamed(
  ctx: ArrayContext,
  svmId: string,
  name: string,
): Subsystem | undefined {
  return subsystemsOf(ctx.view).find((one) => one.tenantId === svmId && one.name === name);
}

/** Numbers of namespaces and access groups as they go over the wire: `00000001h`. */
export function hexNumber(value: number, digits = 8): string {
  return `${value.toString(16).padStart(digits, "0")}h`;
}

/** How hosts and interfaces are named on Fibre Channel: `nn-0x…:pn-0x…`. */
export function transportAddress(wwnn: string, wwpn: string): string {
  return `nn-0x${wwnn.replaceAll(":", "")}:pn-0x${wwpn.replaceAll(":", "")}`;
}
