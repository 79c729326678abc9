import type { Command } from "./command";
import { argument, type Arguments, vsanArgument } from "./grammar";
import { vsanNotConfigured } from "./errors";
import { lines, type Output } from "./output";
import type { Shell } from "./shell";
import { type Body, leafText, table } from "./table";
import { vsanSettings } from "./vsan-state";

/** VSANs, their ports, and the links between switches. */
export const showVsanCommands: readonly Command[] = [
  show("show vsan", (shell) => vsans(shell, undefined)),
  show("show vsan <vsan>", (shell, args) => vsans(shell, vsanArgument(args))),
  show("show vsan usage", usage),
  show("show vsan membership", (shell) => membership(shell, undefined)),
  show("show vsan <vsan> membership", (shell, args) => membership(shell, vsanArgument(args))),
  show("show vsan membership interface <interface>", portMembership),
];

/** VSANs that every switch has and nobody configures. */
const reserved = [
  {
    id: 4079,
    name: "evfp_isolated_vsan",
    key: "evfp_control_vsan_name",
    memberKey: "vsan_evfp_control_name",
  },
  { id: 4094, name: "isolated_vsan", key: "inactive_vsan_name", memberKey: "vsan_inactive_name" },
] as const;

function show(pattern: string, run: (shell: Shell, args: Arguments) => Output): Command {
  return { mode: "exec", pattern, show: true, run };
}

function vsans(shell: Shell, wanted: number | undefined): Output {
  const fabrics = shell.fabrics.filter(({ id }) => wanted === undefined || id === wanted);
  const special = reserved.filter(({ id }) => wanted === undefined || id === wanted);
  if (fabrics.length + special.length === 0) throw vsanNotConfigured(wanted ?? 0);
  const rows = fabrics.map((fabric): Body => {
    const settings = vsanSettings(fabric);
    return {
      vsan: fabric.id,
      name: settings.name,
      state: settings.suspended ? "suspended" : "active",
      interop_mode: "default",
      load_balancing: "src-id/dst-id/oxid",
      operational_state: isUp(shell, fabric.id) ? "up" : "down",
    };
  });
  const text = rows.flatMap((row) => [
    `vsan ${leafText(row["vsan"])} information`,
    `         name:${leafText(row["name"])}  state:${leafText(row["state"])}  `,
    `         interoperability mode:default  `,
    `         loadbalancing:src-id/dst-id/oxid  `,
    `         operational state:${leafText(row["operational_state"])}  `,
    "",
  ]);
  const tail = special.flatMap(({ id, name }) => [`vsan ${id.toString()}:${name}`, ""]);
  const bodies = special.map(({ id, name, key }) => ({ vsan: id, [key]: name }));
  return lines([...text, ...tail], table("vsan", [...rows, ...bodies]));
}

/** A VSAN is up with a port of it that is up, or with another switch in it. */
function isUp(shell: Shell, vsan: number | undefined): boolean {
  const fabric = shell.fabrics.find(({ id }) => id === vsan);
  const own = fabric?.switches[shell.context.device];
  if (fabric === undefined || own?.enabled !== true) return false;
  if (Object.keys(fabric.switches).length > 1) return true;
  return shell.loggedIn(fabric.name).size > 0;
}

function usage(shell: Shell): Output {
  const ids = shell.fabrics.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const taken = new Set<number>([...ids, ...reserved.map(({ id }) => id)]);
  const free = ranges(
    Array.from({ length: 4093 }, (_, index) => index + 1).filter((id) => !taken.has(id)),
  );
  return lines(
    [
      `${ids.length.toString()} vsan configured`,
      `configured vsans: ${ranges(ids)}`,
      `vsans available for configuration: ${free}`,
    ],
    {
      no_of_vsan_configured: ids.length,
      configured_range_of_vsans: ranges(ids),
      vsans_available_to_configure: free,
    },
  );
}

function membership(shell: Shell, wanted: number | undefined): Output {
  const fabrics = shell.fabrics.filter(({ id }) => wanted === undefined || id === wanted);
  if (fabrics.length === 0) throw vsanNotConfigured(wanted ?? 0);
  const rows = fabrics.map((fabric) => ({
    vsan: fabric.id ?? 1,
    interfaces: Object.keys(fabric.switches[shell.context.device]?.ports ?? {}),
  }));
  const special = wanted === undefined ? reserved : [];
  return lines(
    [
      ...rows.flatMap(({ vsan, interfaces }) => [
        `vsan ${vsan.toString()} interfaces:`,
        ...columns(interfaces),
        "",
      ]),
      ...special.flatMap(({ id, name }) => [`vsan ${id.toString()}(${name}) interfaces:`, ""]),
    ],
    table("vsan_membership", [
      ...rows.map(({ vsan, interfaces }): Body => ({
        vsan,
        ...(interfaces.length === 0 ? {} : { interfaces }),
      })),
      ...special.map(({ id, name, memberKey }) => ({ vsan: id, [memberKey]: name })),
    ]),
  );
}

function portMembership(shell: Shell, args: Arguments): Output {
  const name = argument(args, "interface");
  const { vsan } = shell.port(name);
  const row = { name, vsan, allowed_vsan_list: "1-4078,4080-4093" };
  return lines(
    [name, `        vsan:${vsan.toString()}`, `        allowed list:${row.allowed_vsan_list}`],
    table("vsan_membership_interface", [row]),
  );
}

function columns(names: readonly string[]): string[] {
  const rows: string[] = [];
  for (let at = 0; at < names.length; at += 4) {
    const row = names.slice(at, at + 4).map((name) => name.padEnd(18));
    rows.push(`    ${row.join("").trimEnd()}`);
  }
  return rows;
}

/** `1,20-22`. */
function ranges(numbers: readonly number[]): string {
  const parts: [number, number][] = [];
  for (const value of numbers) {
    const last = parts.at(-1);
    if (last?.[1] === value - 1) last[1] = value;
    else parts.push([value, value]);
  }
  return parts
    .map(([from, to]) => (from === to ? from.toString() : `${from.toString()}-${to.toString()}`))
    .join(",");
}
