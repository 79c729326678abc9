import type { Command } from "./command";
import { argument } from "./grammar";
import { lines, message, type Output, silent } from "./output";
import type { Shell } from "./shell";
import { table } from "./table";
import { span, switchTime } from "./time";

/** What a fixed switch of the lab is: Cisco MDS 9148T. */
const chassis = "MDS 9148T 48X32G FC (1 RU) Chassis";
const productId = "DS-C9148T-K9";

/** Commands about the switch itself and about the command line. */
export const systemCommands: readonly Command[] = [
  ...terminalCommands(),
  ...copyCommands(),
  ...showCommands(),
];

function terminalCommands(): Command[] {
  const quiet = (mode: Command["mode"], pattern: string, run: (shell: Shell) => void): Command => ({
    mode,
    pattern,
    show: true,
    run: (shell) => {
      run(shell);
      return silent;
    },
  });
  const toTop = (shell: Shell): void => {
    shell.place = { mode: "exec" };
  };
  return [
    quiet("exec", "configure terminal", (shell) => {
      shell.place = { mode: "config" };
    }),
    quiet("exec", "end", toTop),
    quiet("exec", "exit", (shell) => {
      const inner = !["exec", "config"].includes(shell.place.mode);
      shell.place = { mode: inner ? "config" : "exec" };
    }),
    quiet("exec", "terminal dont-ask", (shell) => {
      shell.dontAsk = true;
    }),
    quiet("exec", "no terminal dont-ask", (shell) => {
      shell.dontAsk = false;
    }),
    quiet("exec", "terminal length <lines>", () => undefined),
    quiet("exec", "terminal width <columns>", () => undefined),
  ];
}

function copyCommands(): Command[] {
  const copied = lines(["[########################################] 100%", "Copy complete."]);
  const run = (): Output => copied;
  return [
    { mode: "exec", pattern: "copy running-config startup-config", run },
    { mode: "exec", pattern: "copy running-config startup-config fabric", run },
  ];
}

function showCommands(): Command[] {
  const show = (pattern: string, run: Command["run"]): Command => ({
    mode: "exec",
    pattern,
    show: true,
    run,
  });
  return [
    show("show version", version),
    show("show inventory", inventory),
    show("show switchname", (shell) => message(shell.device.name)),
    show("show hostname", (shell) => message(shell.device.name)),
    show("show clock", (shell) => message(switchTime(shell.context.now()).status)),
    show("show wwn switch", (shell) => message(`Switch WWN is ${shell.device.wwn}`)),
    show("show system uptime", uptime),
    show("show logging", (shell) => lines(shell.context.log.last(1000))),
    show("show logging logfile", (shell) => lines(shell.context.log.last(1000))),
    show("show logging last <count>", (shell, args) =>
      lines(shell.context.log.last(Number(argument(args, "count")) || 0)),
    ),
    show("show feature", () => featureOutput()),
    show("show feature-set", () => message("Feature Set Name      ID        State")),
  ];
}

/** Key names: mdssdk versionkeys.py and the vendor's own clients on 9.x. */
function version(shell: Shell): Output {
  const { release } = shell.context;
  const up = span(shell.context.now() - shell.context.bootedAtMs);
  const image = `m9148-s6ek9-mz.${release.version.replace("(", ".").replace(")", "")}.bin`;
  const kick = `m9148-s6ek9-kickstart-mz.${release.version.replace("(", ".").replace(")", "")}.bin`;
  const numbers = `${up.days.toString()} day(s), ${up.hours.toString()} hour(s), ${up.minutes.toString()} minute(s), ${up.seconds.toString()} second(s)`;
  return lines(
    [
      "Cisco Nexus Operating System (NX-OS) Software",
      "",
      "Software",
      `  kickstart: version ${release.version}`,
      `  system:    version ${release.version}`,
      `  kickstart image file is: bootflash:///${kick}`,
      `  system image file is:    bootflash:///${image}`,
      "",
      "Hardware",
      `  cisco ${chassis} ("Supervisor/Fabric-Switch")`,
      `  Device name: ${shell.device.name}`,
      "",
      `Kernel uptime is ${numbers}`,
    ],
    {
      header_str: "Cisco Nexus Operating System (NX-OS) Software\n",
      kickstart_ver_str: release.version,
      sys_ver_str: release.version,
      kick_file_name: `bootflash:///${kick}`,
      isan_file_name: `bootflash:///${image}`,
      chassis_id: chassis,
      module_id: "Supervisor/Fabric-Switch",
      host_name: shell.device.name,
      proc_board_id: serialOf(shell),
      kern_uptm_days: up.days,
      kern_uptm_hrs: up.hours,
      kern_uptm_mins: up.minutes,
      kern_uptm_secs: up.seconds,
      rr_reason: "Reset Requested by CLI command reload",
      rr_sys_ver: release.version,
      manufacturer: "Cisco Systems, Inc.",
    },
  );
}

function inventory(shell: Shell): Output {
  const row = {
    name: "Chassis",
    desc: chassis,
    productid: productId,
    vendorid: "V01",
    serialnum: serialOf(shell),
  };
  return lines(
    [
      `NAME: "Chassis",  DESCR: "${chassis}"`,
      `PID: ${productId}       ,  VID: V01 ,  SN: ${row.serialnum}`,
    ],
    table("inv", [row]),
  );
}

function uptime(shell: Shell): Output {
  const { bootedAtMs, now } = shell.context;
  const up = span(now() - bootedAtMs);
  const text = `${up.days.toString()} days, ${up.hours.toString()} hours, ${up.minutes.toString()} minutes, ${up.seconds.toString()} seconds`;
  return lines([
    `System start time:          ${switchTime(bootedAtMs).full}`,
    `System uptime:              ${text}`,
    `Kernel uptime:              ${text}`,
  ]);
}

function featureOutput(): Output {
  return lines([
    "Feature Name          Instance  State",
    "--------------------  --------  --------",
    "nxapi                 1         enabled",
    "npiv                  1         enabled",
  ]);
}

function serialOf(shell: Shell): string {
  return `LAB${shell.device.wwn.replaceAll(":", "").slice(-8).toUpperCase()}`;
}
