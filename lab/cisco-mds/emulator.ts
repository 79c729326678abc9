import type {
  DeviceFault,
  Emulator,
  EmulatorOptions,
  EmulatorReply,
  EmulatorRequest,
} from "../emulator/emulator";
import { fabricsOf } from "../world/fabric";
import type { Json } from "../world/state";
import { readsOnly, splitCommands } from "./command-run";
import { allCommands } from "./commands";
import { sharedControls } from "./controls";
import { faultReply } from "./faults";
import { insApi } from "./ins-api";
import { jsonRpc } from "./json-rpc";
import { htmlReply } from "./nxapi-codes";
import { type Access, NxapiLogin } from "./nxapi-login";
import type { MdsParts } from "./parts";
import { mdsRelease, type Readings, usualReadings } from "./release";
import { Shell } from "./shell";
import { SwitchLog } from "./switch-log";
import { mdsTamper } from "./tamper";
import type { Owner } from "./zone-control";

export interface CiscoMdsOptions extends EmulatorOptions {
  readonly readings?: Partial<Readings>;
}

/** Largest request body: what the web server takes as it comes (assumed). */
const maxRequestBytes = 1024 * 1024;

/**
 * A Cisco MDS switch: NX-API CLI in its JSON-RPC and ins_api forms, over one switch of a fabric of the
 * world. Releases 8.4(1) to 9.x (`profile`). Sources stand at each part and in
 * docs/devices/cisco-mds-emulator.md.
 */
export function createCiscoMdsEmulator(options: CiscoMdsOptions): Emulator {
  return new CiscoMds(options);
}

class CiscoMds implements Emulator {
  readonly kind = "cisco-mds";
  readonly device: string;
  readonly tamper: Emulator["tamper"];
  readonly #parts: MdsParts;

  constructor(options: CiscoMdsOptions) {
    const { device, world, now = Date.now } = options;
    this.device = device;
    const release = mdsRelease(options.profile);
    const readings = { ...usualReadings, ...options.readings };
    const host = (): string => fabricsOf(world.view, device)[0]?.switches[device]?.name ?? device;
    const login = new NxapiLogin(options.credentials, now);
    const controls = sharedControls({ world, device, release, readings, now });
    const log = new SwitchLog(host, now);
    const bootedAtMs = now();
    const shared = { world, device, release, controls, commands: allCommands, log, now };
    this.#parts = { context: { ...shared, bootedAtMs }, login, readOnly: false };
    log.add("MODULE-5-ACTIVE_SUP_OK", "Supervisor 1 is active");
    this.tamper = mdsTamper(this.#parts);
  }

  handle(request: EmulatorRequest): EmulatorReply {
    if (request.path !== "/ins") return { ...htmlReply(404, "Not Found"), unknownRoute: true };
    const access = this.#parts.login.access(request);
    if (access === undefined) return unauthorized();
    if (request.method !== "POST") return htmlReply(405, "Not Allowed");
    if (Buffer.byteLength(request.body) > maxRequestBytes) {
      return htmlReply(413, "Request Entity Too Large");
    }
    return withCookie(this.#answer(request, access), access);
  }

  /** Anything that is not a `show` could change the switch. */
  isWrite(request: EmulatorRequest): boolean {
    return commandsOf(request.body).some((line) => !readsOnly(line));
  }

  fault(fault: DeviceFault, request: EmulatorRequest): EmulatorReply {
    return faultReply(fault, request, this.#readings);
  }

  status(): Json {
    const { context, login } = this.#parts;
    const { controls, release } = context;
    const holder = (owner: Owner | undefined): Json =>
      owner === undefined ? null : { user: owner.user, device: owner.device };
    return {
      release: release.version,
      cookies: login.count,
      aliasSession: holder(controls.aliases.session?.owner),
      zoneSessions: Object.fromEntries(
        controls
          .vsans()
          .map((vsan) => [vsan.toString(), holder(controls.zoning(vsan)?.session?.owner)]),
      ),
    };
  }

  reset(): void {
    this.#parts.login.endAll();
    this.#parts.context.controls.drop();
    this.#parts.context.log.clear();
    this.#parts.readOnly = false;
  }

  close(): void {
    this.#parts.context.controls.drop();
  }

  get #readings(): Readings {
    return this.#parts.context.controls.readings;
  }

  #answer(request: EmulatorRequest, access: Access): EmulatorReply {
    const { context } = this.#parts;
    const owner = { user: access.user, device: this.device, address: request.remoteAddress };
    const shell = new Shell(context, owner);
    shell.readOnly = this.#parts.readOnly;
    if (this.isWrite(request)) {
      context.log.add(
        "VSHD-5-VSHD_SYSLOG_CONFIG_I",
        `Configured from vty by ${access.user} on ${request.remoteAddress}@nginx`,
      );
    }
    const type = (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase();
    switch (type) {
      case "application/json-rpc":
        return jsonRpc(shell, this.#readings, request.body);
      case "application/json":
        return insApi(shell, this.#readings, request.body);
      case undefined:
      default:
        return htmlReply(415, "Unsupported Media Type");
    }
  }
}

function withCookie(reply: EmulatorReply, access: Access): EmulatorReply {
  if (access.setCookie === undefined) return reply;
  return { ...reply, headers: { ...reply.headers, "set-cookie": access.setCookie } };
}

function unauthorized(): EmulatorReply {
  const page = htmlReply(401, "Authorization Required");
  const headers = { ...page.headers, "www-authenticate": 'Basic realm="Secure Zone"' };
  return { ...page, headers };
}

/** Command lines of a body in either form; none where it is malformed. */
function commandsOf(body: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return [];
  }
  const all: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  return all.flatMap((one) => {
    const { ins_api: legacy, params } = (one ?? {}) as {
      ins_api?: { input?: unknown };
      params?: { cmd?: unknown };
    };
    const input = legacy?.input ?? params?.cmd;
    return typeof input === "string" ? splitCommands(input) : [];
  });
}
