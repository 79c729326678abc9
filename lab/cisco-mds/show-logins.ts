import { type Login, logins } from "../world/fabric";
import type { Command } from "./command";
import { argument, type Arguments, optionalVsan } from "./grammar";
import { lines, message, type Output, silent } from "./output";
import type { Shell } from "./shell";
import { type Body, table } from "./table";

/** Who is logged in: to this switch (`flogi`), and to the whole fabric (`fcns`, the name server). */
export const showLoginCommands: readonly Command[] = [
  show("show flogi database", flogi),
  show("show flogi database vsan <vsan>", flogi),
  show("show flogi database interface <interface>", flogi),
  show("show fcns database", (shell, args) => fcns(shell, args)),
  show("show fcns database vsan <vsan>", (shell, args) => fcns(shell, args)),
  show("show fcns database detail", (shell, args) => fcnsDetail(shell, args)),
  show("show fcns database detail vsan <vsan>", (shell, args) => fcnsDetail(shell, args)),
  show("show fcns database fcid <fcid> vsan <vsan>", (shell, args) => fcns(shell, args)),
  show("show fcns database fcid <fcid> detail vsan <vsan>", (shell, args) =>
    fcnsDetail(shell, args),
  ),
];

function show(pattern: string, run: Command["run"]): Command {
  return { mode: "exec", pattern, show: true, run };
}

interface Entry {
  readonly vsan: number;
  readonly login: Login;
  readonly alias: string | undefined;
}

function entriesOf(shell: Shell, args: Arguments): Entry[] {
  const vsan = optionalVsan(args);
  const aliases = Object.entries(shell.context.controls.aliases.committed);
  const aliasOf = new Map(aliases.map(([name, wwn]) => [wwn, name]));
  const vsanOf = new Map(shell.fabrics.map((fabric) => [fabric.name, fabric.id ?? 1]));
  return logins(shell.view).flatMap((login) => {
    const of = vsanOf.get(login.fabric);
    if (of === undefined || (vsan !== undefined && of !== vsan)) return [];
    if (args["fcid"] !== undefined && `0x${login.fcId}` !== args["fcid"].toLowerCase()) return [];
    return [{ vsan: of, login, alias: aliasOf.get(login.wwpn) }];
  });
}

const rule = "-".repeat(80);

function flogi(shell: Shell, args: Arguments): Output {
  const wanted = args["interface"] === undefined ? undefined : argument(args, "interface");
  const entries = entriesOf(shell, args)
    .filter(({ login }) => login.switch === shell.context.device)
    .filter(({ login }) => wanted === undefined || login.switchPort.name === wanted);
  if (entries.length === 0) return { ...message("No flogi sessions found."), body: {} };
  const text = entries.flatMap(({ vsan, login, alias }) => [
    `${login.switchPort.name.padEnd(17)}${vsan.toString().padEnd(6)}0x${login.fcId}  ${login.wwpn} ${login.wwnn}`,
    ...(alias === undefined ? [] : [`${" ".repeat(27)}[${alias}]`]),
  ]);
  return lines(
    [
      rule,
      "INTERFACE        VSAN    FCID           PORT NAME               NODE NAME",
      rule,
      ...text,
      "",
      `Total number of flogi = ${entries.length.toString()}.`,
    ],
    {
      ...table(
        "flogi_entry",
        entries.map(({ vsan, login, alias }) => ({
          interface: login.switchPort.name,
          vsan,
          fcid: `0x${login.fcId}`,
          port_name: login.wwpn,
          node_name: login.wwnn,
          device_alias_for_pwwn: alias,
        })),
      ),
      total_no_of_flogi: entries.length,
    },
  );
}

function fcns(shell: Shell, args: Arguments): Output {
  const entries = entriesOf(shell, args);
  if (entries.length === 0) return nothing(shell, args);
  const vsans = [...new Set(entries.map(({ vsan }) => vsan))];
  const rows = vsans.map((vsan): Body => {
    const own = entries.filter((entry) => entry.vsan === vsan);
    return {
      vsan_id: vsan,
      ...table(
        "fcns_database",
        own.map(({ login, alias }) => ({
          fcid: `0x${login.fcId}`,
          type: "N",
          pwwn: login.wwpn,
          vendor: vendorOf(login.wwpn),
          device_alias: alias,
          ...features(login, "fc4_type_feature", "fc4_type", "fc4_feature"),
        })),
      ),
      total_number_of_entries: own.length,
    };
  });
  const text = vsans.flatMap((vsan) =>
    fcnsText(
      vsan,
      entries.filter((entry) => entry.vsan === vsan),
    ),
  );
  return lines(text, table("fcns_vsan", rows));
}

/** No error and no structured output, also for a VSAN that is not there (mdssdk fcns.py). */
function nothing(shell: Shell, args: Arguments): Output {
  const vsan = optionalVsan(args);
  const known = vsan === undefined || shell.context.controls.vsans().includes(vsan);
  return { ...(known ? silent : message("vsan not present")), body: {} };
}

function fcnsText(vsan: number, entries: readonly Entry[]): string[] {
  return [
    "",
    `VSAN ${vsan.toString()}:`,
    rule,
    "FCID        TYPE  PWWN                    (VENDOR)        FC4-TYPE:FEATURE",
    rule,
    ...entries.flatMap(({ login, alias }) => [
      `0x${login.fcId}    N     ${login.wwpn} ${`(${vendorOf(login.wwpn)})`.padEnd(16)}${featureText(login)}`,
      ...(alias === undefined ? [] : [`${" ".repeat(18)}[${alias}]`]),
    ]),
    "",
    `Total number of entries = ${entries.length.toString()}`,
  ];
}

/** In the detail form every device has a VSAN row of its own; the total stands in the last one. */
function fcnsDetail(shell: Shell, args: Arguments): Output {
  const entries = entriesOf(shell, args);
  if (entries.length === 0) return nothing(shell, args);
  const rows = entries.map(({ vsan, login, alias }, index): Body => ({
    vsan_id: vsan,
    ...table("fcns_database", [detailBody(shell, login, alias)]),
    ...(index === entries.length - 1 ? { total_number_of_entries: entries.length } : {}),
  }));
  const text = entries.flatMap(({ vsan, login, alias }) => detailText(shell, vsan, login, alias));
  return lines([...text, `Total number of entries = ${entries.length.toString()}`], {
    ...table("fcns_vsan", rows),
  });
}

function detailBody(shell: Shell, login: Login, alias: string | undefined): Body {
  return {
    fcid: `0x${login.fcId}`,
    pwwn: login.wwpn,
    vendor: vendorOf(login.wwpn),
    device_alias: alias,
    nwwn: login.wwnn,
    class: "3",
    node_ip_addr: "0.0.0.0",
    ipa: "ff ff ff ff ff ff ff ff",
    ...features(login, "fc4_types_fc4_features", "fc4_types", "fc4_features"),
    symbolic_port_name: "",
    symbolic_node_name: nodeSymbol(login),
    port_type: "N",
    port_ip_addr: "0.0.0.0",
    fabric_port_wwn: login.switchPort.wwn,
    hard_addr: "0x000000",
    permanent_pwwn: login.permanentWwpn,
    permanent_vendor: vendorOf(login.permanentWwpn),
    connected_interface: login.switchPort.name,
    switch_name: switchName(shell, login),
    switch_ip: "127.0.0.1",
  };
}

/** Form: template of mdssdk, expressions of CoprHD networksystem-mds-dialog.properties. */
function detailText(shell: Shell, vsan: number, login: Login, alias: string | undefined): string[] {
  return [
    "------------------------",
    `VSAN:${vsan.toString()}     FCID:0x${login.fcId}`,
    "------------------------",
    `port-wwn (vendor)           :${login.wwpn} (${vendorOf(login.wwpn)})`,
    ...(alias === undefined ? [] : [`                             [${alias}]`]),
    `node-wwn                    :${login.wwnn}`,
    `class                       :3`,
    `node-ip-addr                :0.0.0.0`,
    `ipa                         :ff ff ff ff ff ff ff ff`,
    `fc4-types:fc4_features      :${featureText(login)}`,
    `symbolic-port-name          :`,
    `symbolic-node-name          :${nodeSymbol(login)}`,
    `port-type                   :N`,
    `port-ip-addr                :0.0.0.0`,
    `fabric-port-wwn             :${login.switchPort.wwn}`,
    `hard-addr                   :0x000000`,
    `permanent-port-wwn (vendor) :${login.permanentWwpn} (${vendorOf(login.permanentWwpn)})`,
    `connected interface         :${login.switchPort.name}`,
    `switch name (IP address)    :${switchName(shell, login)} (127.0.0.1)`,
    "",
  ];
}

function features(login: Login, name: string, type: string, feature: string): Body {
  if (login.kind === "silent") return {};
  return table(name, [{ [type]: "scsi-fcp", [feature]: featureOf(login) }]);
}

function featureText(login: Login): string {
  return login.kind === "silent" ? "" : `scsi-fcp:${featureOf(login)}`;
}

function featureOf(login: Login): string {
  return login.kind === "initiator" ? "init" : "target";
}

function nodeSymbol(login: Login): string {
  if (login.owner.type === "hba") return `host ${login.owner.host}`;
  return login.owner.type === "other" ? login.owner.label : "";
}

function switchName(shell: Shell, login: Login): string {
  return shell.view.fabrics[login.fabric]?.switches[login.switch]?.name ?? login.switch;
}

/** By the vendor's part of the WWN (IEEE registry); the ones that the lab has. */
function vendorOf(wwn: string): string {
  const oui = wwn.startsWith("5")
    ? wwn.replaceAll(":", "").slice(1, 7)
    : wwn.replaceAll(":", "").slice(4, 10);
  const known: Readonly<Record<string, string>> = {
    "00109b": "Emulex",
    "0024ff": "Qlogic",
    "00a098": "NetApp",
    "006016": "EMC",
  };
  return known[oui] ?? "";
}
