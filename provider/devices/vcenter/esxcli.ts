import type { DeviceCall } from "../call";
import type { VimClient } from "./client";
import type { Attempt } from "./faults";
import { faultError } from "./faults";
import type { MoRef } from "./values";
import { object, refOf } from "./values";
import type { XmlElement } from "../xml";
import { escapeXml, parseXml } from "../xml";

/**
 * Runs an esxcli command on a host through the vCenter, without SSH: the host's managed method
 * executer takes the command as a method of a dynamic type (`vim.EsxCLI.storage.core.device.list`).
 * VMware's own clients (PowerCLI `Get-EsxCli`, govc `host.esxcli`) use the same way in.
 *
 * @param command words of the command, `["storage", "core", "device", "list"]`.
 * @param args by the names of the dynamic type: the long option without dashes, `schednumreqoutstanding`.
 * @returns the answer's root element. Structured lists hold one `DataObject` per row.
 * @throws {DeviceError} `unsupported` where the host has no such command, `refused` with the
 * command's own message.
 */
export async function esxcli(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  host: MoRef,
  command: readonly string[],
  args: Readonly<Record<string, string>> = {},
): Promise<XmlElement | undefined> {
  const executer = await executerOf(client, call, attempt, host);
  const answer = await client.invoke(
    call,
    attempt,
    "ExecuteSoap",
    executer,
    {
      moid: `ha-cli-handler-${command.slice(0, -1).join("-")}`,
      version: "urn:vim25/5.0",
      method: `vim.EsxCLI.${command.join(".")}`,
      argument: Object.entries(args).map(([name, value]) =>
        object("ReflectManagedMethodExecuterSoapArgument", {
          name,
          val: `<${name}>${escapeXml(value)}</${name}>`,
        }),
      ),
    },
    { write: command.at(-1) !== "list" && command.at(-1) !== "get" },
  );
  refuseFault(client, attempt, answer, command);
  const response = answer.string("returnval.response");
  return response === undefined || response === "" ? undefined : parseXml(response);
}

/** Executers of the hosts, by client and host id: they live as long as the host's connection. */
const executers = new WeakMap<VimClient, Map<string, MoRef>>();

async function executerOf(
  client: VimClient,
  call: DeviceCall,
  attempt: Attempt,
  host: MoRef,
): Promise<MoRef> {
  const known = executers.get(client) ?? new Map<string, MoRef>();
  executers.set(client, known);
  const kept = known.get(host.value);
  if (kept !== undefined) return kept;
  const answer = await client.invoke(call, attempt, "RetrieveManagedMethodExecuter", host, {});
  const executer = refOf(answer.find("returnval"));
  if (executer === undefined) {
    throw client.protocolError(attempt, "the host gave no managed method executer");
  }
  known.set(host.value, executer);
  return executer;
}

function refuseFault(
  client: VimClient,
  attempt: Attempt,
  answer: XmlElement,
  command: readonly string[],
): void {
  const fault = answer.find("returnval.fault");
  if (fault === undefined) return;
  const message = fault.string("faultMsg") ?? "";
  const detail = fault.string("faultDetail") ?? "";
  // The detail is a LocalizedMethodFault as text; a command that the host does not have is a
  // method or a handler object that is not found.
  const unknown = /\b(?:MethodNotFound|ManagedObjectNotFound|NotFound)\b/.test(detail);
  throw faultError(client.device, attempt, {
    name: unknown ? "MethodNotFound" : "HostConfigFault",
    message: `esxcli ${command.join(" ")}: ${[message, plainText(detail)].join(" ").trim()}`,
    data: undefined,
  });
}

function plainText(detail: string): string {
  const text = detail
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ")
    .trim();
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}
