import type { EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import type { ArrayContext } from "../ontap/context";
import { NotModelled, OntapFault } from "../ontap/faults";
import { releases } from "../ontap/release";
import type { Svm } from "../ontap/svm-lookup";
import { aggregateApis } from "./aggregates";
import { type Api, type Apis, isIterator } from "./api";
import { diskApis } from "./disks";
import { efficiencyApis } from "./efficiency";
import { eventApis } from "./events";
import { errno, ZapiFault, zapiFault } from "./faults";
import { fcpApis } from "./fcp";
import { igroupApis } from "./igroups";
import { checkInputs } from "./inputs";
import { interfaceApis } from "./interfaces";
import { iteratorInputs, page } from "./iterate";
import { jobApis } from "./jobs";
import { lunMapApis } from "./lun-maps";
import { lunApis } from "./luns";
import { performanceApis } from "./performance";
import { qosApis } from "./qos";
import { recoveryQueueApis } from "./recovery-queue";
import { snapshotApis } from "./snapshots";
import { systemApis } from "./system";
import { volumeApis } from "./volume-changes";
import { volumeModifyApis } from "./volume-modify";
import { vserverApis } from "./vservers";
import { type Elem, escapeXml, parseXml, renderNode, type ZNode } from "./xml";

/** Where ONTAPI is served. */
export const ontapiPath = "/servlets/netapp.servlets.admin.XMLrequest_filer";
const namespace = "http://www.netapp.com/filer/admin";

const apis: Apis = {
  ...systemApis,
  ...jobApis,
  ...aggregateApis,
  ...vserverApis,
  ...fcpApis,
  ...interfaceApis,
  ...volumeApis,
  ...volumeModifyApis,
  ...efficiencyApis,
  ...recoveryQueueApis,
  ...lunApis,
  ...igroupApis,
  ...lunMapApis,
  ...eventApis,
  ...diskApis,
  ...snapshotApis,
  ...performanceApis,
  ...qosApis,
};

/** Who calls, and what a role lets the account do. */
export interface Caller {
  readonly user: string;
  /** Undefined: everything. */
  readonly refuses: (api: string, writes: boolean) => boolean;
}

/** Answers an authenticated request to ONTAPI: always 200, with the refusal in the body. */
export async function answerOntapi(
  ctx: ArrayContext,
  request: EmulatorRequest,
  caller: Caller,
): Promise<EmulatorReply> {
  if (request.method !== "POST") {
    return { status: 405, headers: { allow: "POST" }, unknownRoute: true };
  }
  try {
    return reply(ctx, "passed", renderNode(await run(ctx, request.body, caller)));
  } catch (error) {
    if (error instanceof OntapFault) return failed(ctx, zapiFault(error));
    if (error instanceof ZapiFault) return failed(ctx, error);
    if (error instanceof NotModelled) {
      return failed(ctx, new ZapiFault("emulator", `emulator: ${error.message}`), 501);
    }
    throw error;
  }
}

/** The refusal that a fault rule asks for. */
export function injectedFault(ctx: ArrayContext, code: string, reason: string): EmulatorReply {
  return failed(ctx, new ZapiFault(code, reason));
}

/** Whether the request could change something: for the log, so it may be malformed. */
export function writesOntapi(body: string): boolean {
  const name = parseXml(body)?.children[0]?.name;
  const api = name === undefined ? undefined : apiOf(name);
  return api !== undefined && !isIterator(api) && api.writes;
}

function apiOf(name: string): Api | undefined {
  return Object.hasOwn(apis, name) ? apis[name] : undefined;
}

async function run(ctx: ArrayContext, body: string, caller: Caller): Promise<ZNode> {
  const root = parseXml(body);
  if (root === undefined) throw new ZapiFault(errno.general, "The request is no well-formed XML");
  checkEnvelope(ctx, root);
  const [elem, ...more] = root.children;
  if (elem === undefined) throw new ZapiFault(errno.general, "No elements in API request");
  if (more.length > 0) throw new NotModelled("several APIs in one request");
  const vserver = vserverOf(ctx, root.attributes["vfiler"]);
  const api = apiOf(elem.name);
  if (api === undefined || (vserver !== undefined && api.scope === "cluster")) {
    const where = vserver === undefined ? "" : ` on data vserver ${vserver.name}`;
    throw new UnknownApi(`Unable to find API: ${elem.name}${where}`, api === undefined);
  }
  const writes = !isIterator(api) && api.writes;
  if (caller.refuses(elem.name, writes)) {
    const access = writes ? "write" : "read";
    throw new ZapiFault(
      errno.privilege,
      `Insufficient privileges: user '${caller.user}' does not have ${access} access to this resource`,
    );
  }
  if (vserver === undefined && api.scope === "vserver") {
    throw new ZapiFault(errno.general, "Vserver API missing vserver parameter.");
  }
  const inputs = isIterator(api) ? { ...iteratorInputs, ...api.inputs } : api.inputs;
  const call = { ctx, vserver, args: checkInputs(elem.name, elem, inputs) };
  return isIterator(api) ? page(api, call) : api.run(call);
}

/** An API that this array does not have, there or at all. */
class UnknownApi extends ZapiFault {
  constructor(
    reason: string,
    readonly nowhere: boolean,
  ) {
    super(errno.noApi, reason);
  }
}

/** @throws {ZapiFault} for another root element, another namespace, or a version not yet known. */
function checkEnvelope(ctx: ArrayContext, root: Elem): void {
  if (root.name !== "netapp" || root.attributes["xmlns"] !== namespace) {
    throw new ZapiFault(errno.general, "The request is no <netapp> element of this API");
  }
  const version = root.attributes["version"];
  if (version === undefined) return;
  const [, major, minor] = /^(\d{1,3})\.(\d{1,4})$/.exec(version) ?? [];
  if (major !== "1" || Number(minor) > releases[ctx.release].ontapiMinor) {
    throw new ZapiFault(
      errno.version,
      "The request was for an API version which is not supported by the appliance",
    );
  }
}

function vserverOf(ctx: ArrayContext, name: string | undefined): Svm | undefined {
  if (name === undefined || name === "") return undefined;
  const found = Object.values(ctx.view.tenants).find((svm) => svm.name === name);
  if (found === undefined) throw new ZapiFault(errno.noVserver, "Specified vserver not found");
  return found;
}

function failed(ctx: ArrayContext, fault: ZapiFault, status = 200): EmulatorReply {
  const reason = escapeXml(fault.reason);
  const results = `<results reason="${reason}" status="failed" errno="${fault.errno}"/>`;
  const unknownRoute = fault instanceof UnknownApi && fault.nowhere;
  return { ...document(ctx, results, status), ...(unknownRoute ? { unknownRoute } : {}) };
}

function reply(ctx: ArrayContext, status: string, inside: string): EmulatorReply {
  return document(ctx, `<results status="${status}">${inside}</results>`, 200);
}

/** Declaration and DOCTYPE as in NetApp/netappdvp#92. */
function document(ctx: ArrayContext, results: string, status: number): EmulatorReply {
  const version = `1.${releases[ctx.release].ontapiMinor.toString()}`;
  return {
    status,
    headers: { "content-type": 'text/xml; charset="UTF-8"' },
    body:
      `<?xml version='1.0' encoding='UTF-8' ?>\n` +
      `<!DOCTYPE netapp SYSTEM 'file:/etc/netapp_gx.dtd'>\n` +
      `<netapp version='${version}' xmlns='${namespace}'>\n${results}</netapp>\n`,
  };
}
