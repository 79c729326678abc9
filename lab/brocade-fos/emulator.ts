import type { DeviceFault, Emulator, EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import { fabricOf } from "../world/fabric";
import type { Json } from "../world/state";
import { errorReply } from "./error-reply";
import { FosError, invalidUri, methodNotAllowed, noEntries, notOwner } from "./errors";
import { type Access, FosLogin } from "./login";
import { reply, type Tree } from "./media";
import { moduleVersions } from "./modules";
import { zoneOperation } from "./operations";
import { fosRelease, type Release, usualReadings } from "./release";
import {
  readChassis,
  readFabric,
  readNameServer,
  readPorts,
  readSwitch,
  type SwitchReads,
} from "./switch-reads";
import type { BrocadeFosOptions, FosParts } from "./parts";
import { fosTamper } from "./tamper";
import { unlimited } from "./throttle";
import { type Owner, ZoningControl } from "./zoning";
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

  constructor(options: BrocadeFosOptions) {
    this.device = options.device;
    this.#release = fosRelease(options.profile);
    this.#now = options.now ?? Date.now;
    const fabric = fabricOf(options.world.view, options.device);
    if (fabric === undefined) throw new Error(`no switch ${options.device} in the world`);
    const readings = { ...usualReadings, ...options.readings };
    const now = this.#now;
    const zoning = new ZoningControl(options.world, fabric.name, this.#release, readings, now);
    const login = new FosLogin({
      credentials: options.credentials,
      release: this.#release,
      now,
      onEnd: (session) => {
        zoning.sessionEnded(session.id);
      },
    });
    this.#parts = { options, zoning, login, readings, throttle: unlimited };
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
    const open = this.#parts.zoning.transaction;
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
    this.#parts.zoning.drop();
    this.#parts.zoning.loseAbove = undefined;
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
    checkFabricId(request);
    if (area === "operations" && module === "fibrechannel-zone" && path.length === 0) {
      const owner = ownerOf(access);
      if (owner === undefined) throw methodNotAllowed();
      return zoneOperation(this.#parts.zoning, this.#release, owner, request);
    }
    if (area !== "running" || module === undefined) throw invalidUri();
    if (request.method === "OPTIONS") return this.#options(module);
    return this.#running(request, access, module, path);
  }

  #running(
    request: EmulatorRequest,
    access: Access,
    module: string,
    path: readonly string[],
  ): EmulatorReply {
    if (module === this.#zoneRoot(module)) {
      const { zoning, readings } = this.#parts;
      const [release, now] = [this.#release, this.#now];
      const owner = ownerOf(access);
      const principalDomain = this.#reads().device.domain;
      const route = { zoning, readings, release, now, owner, principalDomain };
      return zoningRequest(route, request, path);
    }
    const read = this.#reader(module, path, request.query);
    if (read === undefined) throw invalidUri();
    if (request.method !== "GET") throw methodNotAllowed();
    return reply(request, 200, read());
  }

  /** The read-only lists, by module and list. */
  #reader(
    module: string,
    [list, ...path]: readonly string[],
    query: URLSearchParams,
  ): (() => Tree) | undefined {
    const reads = this.#reads();
    const { newRoots, oldRoots } = this.#release;
    const always: Record<string, () => Tree> = {
      "brocade-interface/fibrechannel": () => readPorts(reads, path),
      "brocade-fabric/fabric-switch": () => readFabric(reads, path),
    };
    const old: Record<string, () => Tree> = {
      "switch/fibrechannel-switch": () => readSwitch(reads, path),
    };
    const renamed: Record<string, () => Tree> = {
      "brocade-fibrechannel-switch/fibrechannel-switch": () => readSwitch(reads, path),
      "brocade-name-server/fibrechannel-name-server": () => readNameServer(reads, path, query),
      "brocade-chassis/chassis": () => readChassis(reads, path),
      "brocade-module-version/": () => moduleVersions(this.#release),
    };
    const served = { ...always, ...(oldRoots ? old : {}), ...(newRoots ? renamed : {}) };
    return served[`${module}/${list ?? ""}`];
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

  #reads(): SwitchReads {
    const { world, device } = this.#parts.options;
    const fabric = fabricOf(world.view, device);
    const own = fabric?.switches[device];
    if (fabric === undefined || own === undefined) throw new Error(`no switch ${device}`);
    return { world: world.view, fabric, device: own, release: this.#release };
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

/** Virtual Fabrics are off: only the value that means so is taken. */
function checkFabricId(request: EmulatorRequest): void {
  const id = request.query.get("vf-id");
  if (id !== null && id !== "-1") {
    throw new FosError(400, "Virtual Fabrics is not enabled", {
      module: "rest",
      tag: "invalid-value",
    });
  }
}

/** Over the sampling limit the switch answers 503 and nothing of the request takes effect. */
function throttled(request: EmulatorRequest): EmulatorReply {
  return errorReply(request, new FosError(503, "Service Unavailable", { type: "protocol" }));
}
