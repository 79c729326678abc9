import type { DeviceFault, Emulator, EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import type { Json } from "../world/state";
import { errorReply } from "./error-reply";
import { FosError, invalidUri, methodNotAllowed, noEntries, notOwner } from "./errors";
import { type LogicalSwitch, LogicalSwitches } from "./logical-switches";
import { type Access, FosLogin } from "./login";
import { reply } from "./media";
import { moduleVersions } from "./modules";
import { zoneOperation } from "./operations";
import { fosRelease, type Release, usualReadings } from "./release";
import { readsOf } from "./reads";
import { SwitchLog } from "./switch-log";
import type { SwitchReads } from "./switch-reads";
import type { BrocadeFosOptions, FosParts } from "./parts";
import { fosTamper } from "./tamper";
import { unlimited } from "./throttle";
import type { Owner } from "./transactions";
import type { ZoningRoute } from "./zoning-route";
import { zoningRequest } from "./zoning-routes";

/**
 * A Brocade switch with Fabric OS: the REST interface of one switch in a fabric of the world.
 * Releases 8.2.x and 9.x (`profile`). Sources stand at each part.
 */
export function createBrocadeFosEmulator(options: BrocadeFosOptions): Emulator {
  return new BrocadeFos(options);
}

class BrocadeFos implements Emulator {
  readonly kind = "brocade-fos";
  readonly device: string;
  readonly tamper: Emulator["tamper"];
  readonly #release: Release;
  readonly #parts: FosParts;
  readonly #now: () => number;
  readonly #bootedAtMs: number;

  constructor(options: BrocadeFosOptions) {
    this.device = options.device;
    this.#release = fosRelease(options.profile);
    this.#now = options.now ?? Date.now;
    const { world, device } = options;
    const readings = { ...usualReadings, ...options.readings };
    const now = this.#now;
    const log = new SwitchLog(now);
    const release = this.#release;
    const logical = new LogicalSwitches({ world, device, release, readings, log, now });
    const login = new FosLogin({
      credentials: options.credentials,
      release: this.#release,
      now,
      onEnd: (session) => {
        logical.sessionEnded(session.id);
      },
    });
    log.add({ id: "HAM-1004", text: "Processor rebooted - Reboot requested" });
    this.#parts = { options, logical, log, login, readings, throttle: unlimited };
    this.#bootedAtMs = now();
    this.tamper = fosTamper(this.#parts);
  }

  handle(request: EmulatorRequest): EmulatorReply {
    try {
      if (!this.#parts.throttle.admits(this.#now())) return throttled(request);
      return this.#route(request);
    } catch (error) {
      if (error instanceof FosError) return errorReply(request, error);
      throw error;
    }
  }

  isWrite(request: EmulatorRequest): boolean {
    return (
      ["POST", "PATCH", "PUT", "DELETE"].includes(request.method) &&
      !["/rest/login", "/rest/logout"].includes(request.path)
    );
  }

  fault(fault: DeviceFault, request: EmulatorRequest): EmulatorReply {
    switch (fault.code) {
      case "busy":
        return errorReply(request, new FosError(400, "The Fabric is busy, try it later.", {}));
      case "booting":
        return errorReply(request, new FosError(503, "Chassis is not ready for management"));
      case "-3":
        return errorReply(request, notOwner());
      case "no-entries":
        return errorReply(request, noEntries());
      case undefined:
      default: {
        if (fault.status === 503 && fault.code === undefined) return throttled(request);
        const code = fault.code === undefined ? {} : { code: Number(fault.code) };
        return errorReply(
          request,
          new FosError(fault.status ?? 400, "Injected failure", { module: "zone", ...code }),
        );
      }
    }
  }

  status(): Json {
    const open = this.#parts.logical.first().zoning.transaction;
    return {
      release: this.#release.version,
      sessions: this.#parts.login.sessions.list().map((session) => ({
        id: session.id,
        user: session.user,
        application: session.application,
      })),
      sessionCap: this.#parts.login.sessions.cap,
      transaction:
        open === undefined
          ? null
          : { user: open.owner.user, session: open.owner.session ?? null, token: open.token },
    };
  }

  reset(): void {
    this.#parts.login.sessions.endAll();
    this.#parts.logical.reset();
    this.#parts.log.clear();
    this.#parts.throttle = unlimited;
  }

  close(): void {
    this.#parts.login.sessions.endAll();
  }

  #route(request: EmulatorRequest): EmulatorReply {
    const [root, area, module, ...path] = segments(request.path);
    if (root !== "rest") throw invalidUri();
    if (area === "login" && module === undefined) return this.#parts.login.login(request);
    if (area === "logout" && module === undefined) return this.#parts.login.logout(request);
    const access = this.#parts.login.access(request);
    if (area === "brocade-module-version") return this.#moduleVersions(request, module);
    const target = this.#parts.logical.select(request.query.get("vf-id"));
    if (area === "operations" && module === "fibrechannel-zone" && path.length === 0) {
      const owner = ownerOf(access);
      if (owner === undefined) throw methodNotAllowed();
      return zoneOperation(target.zoning, this.#release, owner, request);
    }
    if (area !== "running" || module === undefined) throw invalidUri();
    if (request.method === "OPTIONS") return this.#options(module);
    if (module === this.#zoneRoot(module)) {
      return zoningRequest(this.#zoningRoute(target, access), request, path);
    }
    return this.#read(this.#reads(target), request, module, path);
  }

  /** Beside `running`, as clients ask for it: PyFOS, brcdapi. */
  #moduleVersions(request: EmulatorRequest, list: string | undefined): EmulatorReply {
    if (!this.#release.newRoots || ![undefined, "module"].includes(list)) throw invalidUri();
    if (request.method !== "GET") throw methodNotAllowed();
    return reply(request, 200, moduleVersions(this.#release));
  }

  #zoningRoute(target: LogicalSwitch, access: Access): ZoningRoute {
    const { logical, readings } = this.#parts;
    const { fabric, zoning } = target;
    return {
      zoning,
      readings,
      release: this.#release,
      now: this.#now,
      owner: ownerOf(access),
      device: this.device,
      domainOf: (device) => fabric.switches[device]?.domain ?? target.device.domain,
      chassisBytes: () => logical.all().reduce((sum, one) => sum + one.zoning.committedBytes, 0),
    };
  }

  /** The read-only lists, by module and list. */
  #read(
    reads: SwitchReads,
    request: EmulatorRequest,
    module: string,
    [list, ...path]: readonly string[],
  ): EmulatorReply {
    const served = readsOf(reads, path, request.query, this.#parts);
    const read = served[`${module}/${list ?? ""}`];
    if (read === undefined) throw invalidUri();
    if (request.method !== "GET") throw methodNotAllowed();
    return reply(request, 200, read());
  }

  #zoneRoot(module: string): string | undefined {
    if (module === "brocade-zone" && this.#release.newRoots) return module;
    return module === "zoning" && this.#release.oldRoots ? module : undefined;
  }

  #options(module: string): EmulatorReply {
    const zoning = this.#zoneRoot(module) !== undefined;
    return {
      status: 200,
      headers: { allow: zoning ? "GET, HEAD, POST, PATCH, DELETE, OPTIONS" : "GET, HEAD, OPTIONS" },
    };
  }

  #reads({ fid, fabric, device }: LogicalSwitch): SwitchReads {
    return {
      world: this.#parts.options.world.view,
      fabric,
      device,
      fid,
      logical: this.#parts.logical.all(),
      release: this.#release,
      readings: this.#parts.readings,
      now: this.#now,
      bootedAtMs: this.#bootedAtMs,
    };
  }
}

function ownerOf(access: Access): Owner | undefined {
  if (access.type === "read") return undefined;
  const { id, user, address, application } = access.session;
  return { session: id, user, address, application };
}

function segments(path: string): string[] {
  try {
    return path
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
  } catch {
    throw invalidUri();
  }
}

/** Over the sampling limit the switch answers 503 and nothing of the request takes effect. */
function throttled(request: EmulatorRequest): EmulatorReply {
  return errorReply(request, new FosError(503, "Service Unavailable", { type: "protocol" }));
}
