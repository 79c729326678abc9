import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { type Certificate, makeCertificate } from "../../../lab/emulator/certificate";
import type { Emulator } from "../../../lab/emulator/emulator";
import { FaultRules } from "../../../lab/emulator/faults";
import { RequestLog } from "../../../lab/emulator/request-log";
import { serveEmulator } from "../../../lab/emulator/server";
import { createOntapEmulator, type OntapOptions } from "../../../lab/ontap/emulator";
import { a250Preset } from "../../../lab/presets/a250";
import { World } from "../../../lab/world/world";

interface Ref {
  readonly uuid: string;
  readonly name: string;
}

interface Links {
  readonly self: { readonly href: string };
  readonly next?: { readonly href: string };
}

/** Properties of records that tests look at; whether an answer has them is what the tests find out. */
export interface WireRecord extends Ref {
  readonly _links?: Links;
  readonly svm: Ref;
  readonly node: Ref & { readonly _links: Links };
  readonly state: string;
  readonly status: { readonly mapped?: boolean; readonly state: string };
  readonly enabled: boolean;
  readonly size: number;
  readonly space: {
    readonly size: number;
    readonly block_storage: { readonly available: number };
  };
  readonly auto_delete?: boolean;
  readonly serial_number: string;
  readonly location: {
    readonly volume: Ref;
    readonly home_port: Ref;
  };
  readonly lun_maps: readonly object[];
  readonly lun: { readonly node: Ref };
  readonly igroup: { readonly initiators: readonly string[] };
  readonly initiators?: readonly { readonly name: string }[];
  readonly logical_unit_number: number;
  readonly wwpn: string;
  readonly wwnn: string;
  readonly port_address: string;
  readonly target: { readonly name: string };
  readonly message: string & { readonly name: string };
  readonly description: string;
  readonly volume: string;
  readonly vserver: string;
  readonly allowed_protocols: readonly string[];
  readonly target_nqn: string;
  readonly nsid: string;
  readonly interface: Ref & { readonly transport_address: string };
  readonly host: { readonly nqn: string; readonly transport_address: string };
  readonly hosts?: readonly { readonly nqn: string }[];
  readonly protocol: string;
}

interface WireBody extends WireRecord {
  readonly records: readonly WireRecord[];
  readonly num_records: number;
  readonly job: { readonly uuid: string; readonly _links: Links };
  readonly error: { readonly code: string; readonly message: string; readonly target?: string };
}

/** An ONTAP answer as a client gets it; an empty body is "". */
export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: WireBody;
}

interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly user?: string | undefined;
  readonly password?: string;
}

export interface Rig {
  readonly world: World;
  readonly emulator: Emulator;
  readonly faults: FaultRules;
  readonly log: RequestLog;
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  patch(path: string, body: unknown): Promise<Answer>;
  del(path: string, body?: unknown): Promise<Answer>;
  /** Reads a job until it has ended. */
  job(answer: Answer): Promise<WireBody>;
  tamper(action: string, args: Parameters<Emulator["tamper"][string]["run"]>[0]): void;
  /** Moves the array's clock on; jobs keep their own pace. */
  advance(ms: number): void;
  close(): Promise<void>;
}

let shared: Certificate | undefined;

/** An A250 behind real HTTPS on a free port, jobs in milliseconds. */
export async function startRig(options: Partial<OntapOptions> = {}): Promise<Rig> {
  shared ??= makeCertificate("a250");
  const certificate = shared;
  const world = options.world ?? new World(() => a250Preset());
  let ahead = 0;
  const emulator = createOntapEmulator({
    device: "array",
    world,
    credentials: { user: "admin", password: "geheim-1" },
    profile: "9.8",
    now: () => Date.now() + ahead,
    timing: { svmMs: 10, volumeMs: 10, aggregateMs: 20, purgeMs: 5 },
    ...options,
  });
  const faults = new FaultRules();
  const log = new RequestLog();
  const bugs: unknown[] = [];
  const server = await serveEmulator({
    emulator,
    port: 0,
    certificate,
    faults,
    log,
    onBug: (_device, error) => bugs.push(error),
  });
  const agent = new Agent({ connect: { ca: certificate.certPem, servername: "localhost" } });
  const call = async (method: string, path: string, o: CallOptions = {}): Promise<Answer> => {
    const user = "user" in o ? o.user : "admin";
    const basic = Buffer.from(`${user ?? ""}:${o.password ?? "geheim-1"}`).toString("base64");
    const response = await request(`https://127.0.0.1:${server.port.toString()}${path}`, {
      method: method as "GET",
      dispatcher: agent,
      headers: {
        ...(user === undefined ? {} : { authorization: `Basic ${basic}` }),
        ...o.headers,
      },
      body: o.body === undefined ? null : JSON.stringify(o.body),
    });
    const text = await response.body.text();
    if (bugs.length > 0) throw bugs[0] as Error;
    const isJson = text.startsWith("{");
    return {
      status: response.statusCode,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text) as WireBody,
    };
  };
  const rig: Rig = {
    world,
    emulator,
    faults,
    log,
    call,
    get: (path) => call("GET", path),
    post: (path, body) => call("POST", path, { body }),
    patch: (path, body) => call("PATCH", path, { body }),
    del: (path, body) => call("DELETE", path, body === undefined ? {} : { body }),
    job: async (answer) => {
      for (;;) {
        const job = await call("GET", `/api/cluster/jobs/${answer.body.job.uuid}`);
        if (job.body.state !== "queued" && job.body.state !== "running") return job.body;
        await sleep(5);
      }
    },
    tamper: (action, args) => {
      const found = emulator.tamper[action];
      if (found === undefined) throw new Error(`no tamper action ${action}`);
      found.run({ device: "array", action, ...args });
    },
    advance: (ms) => {
      ahead += ms;
    },
    close: async () => {
      await agent.destroy();
      await server.close();
    },
  };
  return rig;
}

/** What a bed needs before LUNs can be mapped: SVM, service, one interface per node and fabric. */
export async function makeSvm(rig: Rig, name = "svm_bed"): Promise<string> {
  await created(
    rig.post("/api/svm/svms?return_timeout=5", { name, aggregates: [{ name: "aggr_a" }] }),
  );
  await created(rig.post("/api/protocols/san/fcp/services", { svm: { name }, enabled: true }));
  return makeInterfaces(rig, name, "fcp");
}

/** The same for NVMe, on a release that allows protocols of an SVM over REST. */
export async function makeNvmeSvm(rig: Rig, name = "svm_nvme"): Promise<string> {
  await created(
    rig.post("/api/svm/svms?return_timeout=5", {
      name,
      aggregates: [{ name: "aggr_a" }],
      ...{ nvme: { allowed: true }, fcp: { allowed: false }, iscsi: { allowed: false } },
    }),
  );
  await created(rig.post("/api/protocols/nvme/services", { svm: { name } }));
  return makeInterfaces(rig, name, "fc_nvme");
}

async function makeInterfaces(rig: Rig, name: string, protocol: string): Promise<string> {
  for (const [node, port] of [
    ["a250-01", "2a"],
    ["a250-01", "2b"],
    ["a250-02", "2a"],
    ["a250-02", "2b"],
  ]) {
    await created(
      rig.post("/api/network/fc/interfaces", {
        svm: { name },
        name: `fc_${node ?? ""}_${port ?? ""}`,
        data_protocol: protocol,
        location: { home_port: { name: port, node: { name: node } } },
      }),
    );
  }
  const svm = await rig.get(`/api/svm/svms?name=${name}`);
  return first(svm).uuid;
}

export async function makeLun(
  rig: Rig,
  svm: string,
  volume: string,
  bytes: number,
): Promise<WireRecord> {
  await created(
    rig.post("/api/storage/volumes?return_timeout=5", {
      svm: { name: svm },
      name: volume,
      aggregates: [{ name: "aggr_a" }],
      size: Math.ceil(bytes * 1.1),
      guarantee: { type: "none" },
    }),
  );
  const answer = await created(
    rig.post("/api/storage/luns?return_records=true", {
      svm: { name: svm },
      name: `/vol/${volume}/lun0`,
      os_type: "vmware",
      space: { size: bytes },
    }),
  );
  return first(answer);
}

/** The first record of an answer. */
export function first(answer: Answer): WireRecord {
  const record = answer.body.records[0];
  if (record === undefined) throw new Error(`no record: ${JSON.stringify(answer)}`);
  return record;
}

/** The number of the error; undefined when there is none. */
export function code(answer: Answer): string | undefined {
  return (answer.body as Partial<WireBody>).error?.code;
}

/** Fails loudly when a preparation did not work. */
async function created(answer: Promise<Answer>): Promise<Answer> {
  const got = await answer;
  if (got.status !== 201) throw new Error(`expected 201: ${JSON.stringify(got)}`);
  return got;
}
