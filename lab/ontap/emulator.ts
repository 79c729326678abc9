import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { SanbedError } from "../../bed/errors";
import type {
  DeviceFault,
  Emulator,
  EmulatorOptions,
  EmulatorReply,
  EmulatorRequest,
} from "../emulator/emulator";
import { answerOntapi, injectedFault, ontapiPath, writesOntapi } from "../ontapi/answer";
import { answer, refusal } from "./api";
import { ArrayContext, defaultTiming, type Timing } from "./context";
import { isFaultCode, OntapFault, unknownRoute } from "./faults";
import type { Random } from "./identity";
import type { JobSpec } from "./jobs";
import { atLeast, defaultSwitches, type Release, releases, type Switches } from "./release";
import { tamperActions } from "./tamper";

export interface OntapOptions extends EmulatorOptions {
  readonly switches?: Partial<Switches>;
  readonly timing?: Partial<Timing>;
  /** Accounts besides the administrator; `readonly` may only read. */
  readonly accounts?: readonly Account[];
  readonly random?: Random;
}

interface Account {
  readonly user: string;
  readonly password: string;
  readonly role: "admin" | "readonly";
}

/**
 * An ONTAP cluster: REST below `/api`, ONTAPI at its servlet. `profile` is the release, see
 * {@link releases}; up to 9.5 REST tells no more than the version.
 * @throws {SanbedError} `lab` for another release.
 */
export function createOntapEmulator(options: OntapOptions): Emulator {
  const release = options.profile;
  if (!isRelease(release)) {
    throw new SanbedError("lab", `no ONTAP ${release}: ${Object.keys(releases).join(", ")}`);
  }
  return new OntapEmulator(options, release);
}

function isRelease(text: string): text is Release {
  return text in releases;
}

class OntapEmulator implements Emulator {
  readonly kind = "ontap";
  readonly device: string;
  readonly tamper: Emulator["tamper"];
  readonly #ctx: ArrayContext;
  readonly #accounts: Account[];
  #failedLogins = 0;

  constructor(options: OntapOptions, release: Release) {
    this.device = options.device;
    this.#ctx = new ArrayContext({
      world: options.world,
      device: options.device,
      release,
      switches: { ...defaultSwitches, ...options.switches },
      timing: { ...defaultTiming, ...options.timing },
      now: options.now ?? Date.now,
      random: options.random ?? randomBytes,
      nextFailure: (spec) => this.#nextFailure(spec),
    });
    this.#accounts = [{ ...options.credentials, role: "admin" }, ...(options.accounts ?? [])];
    this.tamper = tamperActions(this.#ctx);
  }

  async handle(request: EmulatorRequest): Promise<EmulatorReply> {
    const ontapi = request.path === ontapiPath;
    const rest = request.path === "/api" || request.path.startsWith("/api/");
    const absent = this.#ctx.release === "9.5" && this.#ctx.switches.restPreview === "absent";
    if (!ontapi && (!rest || absent)) {
      return { status: 404, headers: { "content-type": "text/html" }, unknownRoute: true };
    }
    const account = this.#authenticate(request.headers["authorization"]);
    if (account === undefined) {
      this.#failedLogins += 1;
      return this.#unauthorized(ontapi);
    }
    if (ontapi) {
      return answerOntapi(this.#ctx, request, {
        user: account.user,
        refuses: (api, writes) =>
          (writes && account.role === "readonly") || this.#ctx.behaviour.denied.includes(api),
      });
    }
    if (!atLeast(this.#ctx.release, "9.8") && request.path !== "/api/cluster") {
      // A preview on 9.4 and 9.5 (na_ontap: "we can't trust REST support on 9.5"): assumed to tell
      // the version and nothing that a client could provision with.
      return { ...refusal(unknownRoute(), true), unknownRoute: true };
    }
    if ((account.role === "readonly" && this.isWrite(request)) || this.#denies(request)) {
      // Text and number as a restricted role met them (netapp.ontap#139).
      return refusal(new OntapFault("6", "not authorized for that command"), true);
    }
    return answer(this.#ctx, request);
  }

  #denies({ method, path }: EmulatorRequest): boolean {
    return this.#ctx.behaviour.denied.some((command) => {
      const [verb = "", below = ""] = command.split(" ");
      return below !== "" && isBelow(path, below) && (verb === "*" || verb === method);
    });
  }

  isWrite(request: EmulatorRequest): boolean {
    if (request.path === ontapiPath) return writesOntapi(request.body);
    return !["GET", "HEAD", "OPTIONS"].includes(request.method);
  }

  fault(fault: DeviceFault, request: EmulatorRequest): EmulatorReply {
    if (fault.code === undefined) {
      return { status: fault.status ?? 503, headers: { "content-type": "text/html" } };
    }
    const text = injectedTexts[fault.code] ?? "The request could not be carried out.";
    if (request.path === ontapiPath) return injectedFault(this.#ctx, fault.code, text);
    const body = { error: { message: text, code: fault.code } };
    const known = isFaultCode(fault.code) ? new OntapFault(fault.code, text).status : 500;
    return {
      status: fault.status ?? known,
      headers: { "content-type": "application/hal+json" },
      body: JSON.stringify(body),
    };
  }

  status(): ReturnType<Emulator["status"]> {
    return {
      release: this.#ctx.release,
      jobs: this.#ctx.jobs.list().length,
      failedLogins: this.#failedLogins,
    };
  }

  reset(): void {
    this.#ctx.reset();
    this.#failedLogins = 0;
  }

  close(): void {
    this.#ctx.jobs.clear();
  }

  /** HTTP Basic on every request; there is no login call. */
  #authenticate(header: string | undefined): Account | undefined {
    const encoded = /^Basic\s+(\S+)$/i.exec(header ?? "")?.[1];
    if (encoded === undefined) return undefined;
    const given = Buffer.from(encoded, "base64").toString("utf8");
    const blocked = this.#ctx.view.attributes["accountsLocked"] === true;
    return blocked
      ? undefined
      : this.#accounts.find(({ user, password }) => same(given, `${user}:${password}`));
  }

  #unauthorized(ontapi: boolean): EmulatorReply {
    const challenge = {
      "www-authenticate": `Basic realm="${ontapi ? "Administration" : "Private Area"}"`,
    };
    if (ontapi) return { status: 401, headers: { ...challenge, "content-type": "text/html" } };
    if (this.#ctx.switches.unauthorizedBody === "empty") return { status: 401, headers: challenge };
    const reply = refusal(new OntapFault("6691623", "User is not authorized."), true);
    return { ...reply, headers: { ...reply.headers, ...challenge } };
  }

  #nextFailure(spec: JobSpec): OntapFault | undefined {
    const plan = this.#ctx.behaviour.failJobs;
    if (plan === undefined || plan.times === 0 || !spec.description.includes(plan.match)) {
      return undefined;
    }
    plan.times -= 1;
    const text = injectedTexts[plan.code] ?? "Job failed";
    return isFaultCode(plan.code) ? new OntapFault(plan.code, text) : undefined;
  }
}

/** Texts for numbers that rules and tamper actions make the array answer. */
const injectedTexts: Readonly<Record<string, string>> = {
  "2621573":
    "Node or cluster is temporarily locked because a configuration change is in progress. Wait and retry.",
  "19726382": "Another storage provisioning operation is in progress. Retry later.",
  "13434894":
    "Maximum allowed SVM jobs exceeded. Wait for the existing SVM jobs to complete and try again.",
  "524486": "The volume is busy with another operation.",
  "460770": "Job failed: internal error.",
  "6": "not authorized for that command",
};

function same(a: string, b: string): boolean {
  const hash = (value: string): Buffer => createHash("sha256").update(value).digest();
  return timingSafeEqual(hash(a), hash(b));
}

/** A path as a role names it: `*` stands for one part, and what lies below is meant too. */
function isBelow(path: string, named: string): boolean {
  const parts = path.split("/");
  return named.split("/").every((part, index) => part === "*" || part === parts[index]);
}
