import type { PortCounter, SwitchPort } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Command } from "./command";
import { argument, type Arguments } from "./grammar";
import { lines, type Output } from "./output";
import type { Shell } from "./shell";
import { type Body, leafText, table } from "./table";

/** State and counters of the switch's FC ports. */
export const showInterfaceCommands: readonly Command[] = [
  ...perPort("brief", brief),
  ...perPort("counters", counters),
  ...perPort("counters brief", countersBrief),
  ...perPort("description", description),
  {
    mode: "exec",
    pattern: "show interface <interface> counters detailed",
    show: true,
    run: (shell, args) => countersDetailed(portsOf(shell, args)),
  },
];

interface Port {
  readonly port: DeepReadonly<SwitchPort>;
  readonly vsan: number;
  readonly online: boolean;
}

function perPort(what: string, run: (ports: readonly Port[]) => Output): Command[] {
  return [`show interface ${what}`, `show interface <interface> ${what}`].map((pattern) => ({
    mode: "exec",
    pattern,
    show: true,
    run: (shell, args) => run(portsOf(shell, args)),
  }));
}

function portsOf(shell: Shell, args: Arguments): Port[] {
  const { device } = shell.context;
  const wanted =
    args["interface"] === undefined ? undefined : shell.port(argument(args, "interface")).port.name;
  const all = shell.fabrics.flatMap((fabric) => {
    const online = shell.loggedIn(fabric.name);
    return Object.values(fabric.switches[device]?.ports ?? {}).map((port) => ({
      port,
      vsan: fabric.id ?? 1,
      online: online.has(`${device} ${port.name}`),
    }));
  });
  return all
    .filter(({ port }) => wanted === undefined || port.name === wanted)
    .sort((a, b) => a.port.index - b.port.index);
}

function statusOf({ port, online }: Port): string {
  if (!port.enabled) return "down";
  if (port.failed) return "sfpAbsent";
  return online ? "up" : "notConnected";
}

function brief(ports: readonly Port[]): Output {
  const rows = ports.map((one) => ({
    interface: one.port.name,
    vsan: one.vsan,
    admin_mode: "auto",
    admin_trunk_mode: "on",
    status: statusOf(one),
    fcot_info: one.port.failed ? "--" : "swl",
    oper_mode: one.online ? "F" : "--",
    oper_speed: one.online ? one.port.speedGbps.toString() : "--",
    port_channel: "--",
    logical_type: one.online ? "edge" : "--",
  }));
  const text = rows.map((row) =>
    [
      row.interface.padEnd(10),
      row.vsan.toString().padEnd(6),
      row.admin_mode.padEnd(7),
      row.admin_trunk_mode.padEnd(7),
      row.status.padEnd(17),
      row.fcot_info.padEnd(7),
      row.oper_mode.padEnd(6),
      row.oper_speed.padEnd(8),
      row.port_channel.padEnd(9),
      row.logical_type,
    ].join(" "),
  );
  return lines(
    [
      rule,
      "Interface  Vsan   Admin  Admin   Status          SFP    Oper  Oper   Port     Logical",
      "                  Mode   Trunk                          Mode  Speed  Channel   Type",
      rule,
      ...text,
    ],
    table("interface_brief_fc", rows),
  );
}

const rule = "-".repeat(80);

function description(ports: readonly Port[]): Output {
  return lines(
    [
      rule,
      "Interface          Description",
      rule,
      ...ports.map(({ port }) => `${port.name.padEnd(19)}--`),
    ],
    table(
      "interface",
      ports.map(({ port }) => ({ interface: port.name, description: "--" })),
    ),
  );
}

function countersBrief(ports: readonly Port[]): Output {
  const rows = ports.map(({ port }) => ({
    interface: port.name,
    rx_rate_MBps: 0,
    rx_total_frames: counted(port, "framesInCount"),
    tx_rate_MBps: 0,
    tx_total_frames: counted(port, "framesOutCount"),
  }));
  return lines(
    [
      rule,
      "Interface          Input (rate is 5 min avg)      Output (rate is 5 min avg)",
      rule,
      ...rows.map(
        (row) =>
          `${row.interface.padEnd(19)}0           ${row.rx_total_frames.padEnd(19)}0           ${row.tx_total_frames}`,
      ),
    ],
    table("counters_brief", rows),
  );
}

/** The flat form; key names as the switch spells them (`rx_link_faliures`). */
function counters(ports: readonly Port[]): Output {
  const rows = ports.map(({ port }): Body => ({
    interface: port.name,
    ...rates,
    rx_frames: counted(port, "framesInCount"),
    tx_frames: counted(port, "framesOutCount"),
    rx_bytes: counted(port, "octetsInCount"),
    tx_bytes: counted(port, "octetsOutCount"),
    rx_c3_frames: counted(port, "framesInCount"),
    rx_c3_bytes: counted(port, "octetsInCount"),
    tx_c3_frames: counted(port, "framesOutCount"),
    tx_c3_bytes: counted(port, "octetsOutCount"),
    rx_crc_fcs: counted(port, "crcErrorCount"),
    rx_discard_frames: counted(port, "class3DiscardCount"),
    rx_error_frames: counted(port, "encodingErrorCount"),
    tx_discard_frames: counted(port, "timeoutDiscardCount"),
    rx_link_faliures: counted(port, "linkFailureCount"),
    rx_sync_loss: counted(port, "lossOfSyncCount"),
    rx_signal_loss: counted(port, "lossOfSignalCount"),
    ...congestion(port),
    last_cleared_time: "never",
  }));
  return lines(rows.flatMap(flatText), table("counters", rows));
}

function flatText(row: Body): string[] {
  return [
    leafText(row["interface"]),
    ...Object.entries(row)
      .filter(([name]) => name !== "interface")
      .map(([name, value]) => `    ${leafText(value)} ${name.replaceAll("_", " ")}`),
    "",
  ];
}

/** The grouped form. Here the switch spells `rx_link_failures` right. */
function countersDetailed(ports: readonly Port[]): Output {
  const rows = ports.map(({ port }): Body => ({
    interface: port.name,
    ...table("rate", [rates]),
    ...table("totals", [
      {
        rx_frames: counted(port, "framesInCount"),
        tx_frames: counted(port, "framesOutCount"),
        rx_bytes: counted(port, "octetsInCount"),
        tx_bytes: counted(port, "octetsOutCount"),
        rx_discard_frames: counted(port, "class3DiscardCount"),
        tx_discard_frames: counted(port, "timeoutDiscardCount"),
        rx_error_frames: counted(port, "encodingErrorCount"),
        tx_error_frames: "0",
        rx_c3_discard_frames: counted(port, "class3DiscardCount"),
      },
    ]),
    ...table("link", [linkBody(port)]),
    ...table("congestion", [congestion(port)]),
    ...table("others", [
      {
        pg_acl_drops: "0",
        pg_fib_drops: "0",
        pg_xbar_drops: "0",
        pg_other_drops: "0",
        last_cleared_time: "never",
      },
    ]),
  }));
  const text = rows.flatMap((row) => [
    leafText(row["interface"]),
    ...Object.entries(row).flatMap(([name, value]) =>
      name === "interface" ? [] : groupText(name, value as Body),
    ),
  ]);
  return lines(text, table("counters", rows));
}

function groupText(name: string, group: Body): string[] {
  const title = name.replace("TABLE_", "");
  const [row] = Object.values(group) as (readonly Body[])[];
  return [
    `  ${title}:`,
    ...Object.entries(row?.[0] ?? {}).map(
      ([key, value]) => `    ${key.replaceAll("_", " ")}: ${leafText(value)}`,
    ),
  ];
}

function linkBody(port: DeepReadonly<SwitchPort>): Body {
  return {
    rx_link_failures: counted(port, "linkFailureCount"),
    rx_sync_loss: counted(port, "lossOfSyncCount"),
    rx_signal_loss: counted(port, "lossOfSignalCount"),
    rx_inv_trans_err: counted(port, "invalidWordCount"),
    rx_inv_crc: counted(port, "crcErrorCount"),
    rx_fec_uncorrected: counted(port, "fecUncorrectedCount"),
  };
}

function congestion(port: DeepReadonly<SwitchPort>): Body {
  return {
    tx_timeout_discards: counted(port, "timeoutDiscardCount"),
    tx_credit_loss: counted(port, "creditLossCount"),
    tx_b2b_credit_to_zero: counted(port, "creditZeroCount"),
  };
}

/** Nobody measures rates in the lab: what it carries does not pass through the emulated switch. */
const rates: Body = {
  rx_rate_bits_ps: "0",
  tx_rate_bits_ps: "0",
  rx_rate_frames_ps: "0",
  tx_rate_frames_ps: "0",
};

/** Counters are strings of digits: they are 64 bits wide. */
function counted(port: DeepReadonly<SwitchPort>, counter: PortCounter): string {
  return (port.counters?.[counter] ?? 0n).toString();
}
