import { Agent, request } from "undici";
import { XMLParser } from "fast-xml-parser";
import { type Certificate, makeCertificate } from "../../../lab/emulator/certificate";
import type { Emulator } from "../../../lab/emulator/emulator";
import { FaultRules } from "../../../lab/emulator/faults";
import { RequestLog } from "../../../lab/emulator/request-log";
import { serveEmulator } from "../../../lab/emulator/server";
import { createOntapEmulator, type OntapOptions } from "../../../lab/ontap/emulator";
import { a250Preset } from "../../../lab/presets/a250";
import { World } from "../../../lab/world/world";

/** An answer of ONTAPI: status, number and reason of `results`, and what is below it. */
export interface ZapiAnswer {
  readonly http: number;
  readonly status: string | undefined;
  readonly errno: string | undefined;
  readonly reason: string | undefined;
  readonly results: Tree;
  readonly text: string;
}

/** Elements by name; those that come several times, or may, are lists. */
export interface Tree {
  readonly [name: string]: Leaf;
}
type Leaf = string | Tree | readonly Leaf[];

export interface Rig {
  readonly world: World;
  readonly emulator: Emulator;
  readonly faults: FaultRules;
  readonly log: RequestLog;
  /** Sends one API inside a `netapp` element; `inside` is its XML. */
  zapi(api: string, inside?: string, options?: CallOptions): Promise<ZapiAnswer>;
  /** The same, tunnelled to `svm_bed`. */
  bed(api: string, inside?: string): Promise<ZapiAnswer>;
  raw(body: string, options?: CallOptions & { method?: string }): Promise<ZapiAnswer>;
  get(path: string): Promise<{ status: number; body: string }>;
  tamper(action: string, args: Parameters<Emulator["tamper"][string]["run"]>[0]): void;
  close(): Promise<void>;
}

interface CallOptions {
  readonly vfiler?: string;
  readonly version?: string;
  readonly user?: string;
  readonly password?: string;
}

const path = "/servlets/netapp.servlets.admin.XMLrequest_filer";
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  parseAttributeValue: false,
  isArray: (name) =>
    name.endsWith("-info") || name === "aggr-attributes" || name === "instance-data",
});

let shared: Certificate | undefined;

/** A cluster running 9.5 behind real HTTPS on a free port, jobs in milliseconds. */
export async function startRig(options: Partial<OntapOptions> = {}): Promise<Rig> {
  shared ??= makeCertificate("a800");
  const certificate = shared;
  const world = options.world ?? new World(() => a250Preset("aff-a800"));
  const emulator = createOntapEmulator({
    device: "array",
    world,
    credentials: { user: "admin", password: "geheim-1" },
    profile: "9.5",
    timing: { svmMs: 10, volumeMs: 10, aggregateMs: 20, purgeMs: 5 },
    ...options,
  });
  const faults = new FaultRules();
  const log = new RequestLog();
  const bugs: unknown[] = [];
  const onBug = (_device: string, error: unknown): void => void bugs.push(error);
  const server = await serveEmulator({ emulator, port: 0, certificate, faults, log, onBug });
  const agent = new Agent({ connect: { ca: certificate.certPem, servername: "localhost" } });
  const origin = `https://127.0.0.1:${server.port.toString()}`;
  const headers = (o: CallOptions): Record<string, string> => {
    const user = `${o.user ?? "admin"}:${o.password ?? "geheim-1"}`;
    return { authorization: `Basic ${Buffer.from(user).toString("base64")}` };
  };
  const raw: Rig["raw"] = async (body, o = {}) => {
    const response = await request(`${origin}${path}`, {
      method: (o.method ?? "POST") as "POST",
      dispatcher: agent,
      headers: { ...headers(o), "content-type": "text/xml" },
      body: o.method === "GET" ? null : body,
    });
    const text = await response.body.text();
    if (bugs.length > 0) throw bugs[0] as Error;
    return answerOf(response.statusCode, text);
  };
  const zapi: Rig["zapi"] = (api, inside = "", o = {}) => {
    const vfiler = o.vfiler === undefined ? "" : ` vfiler="${o.vfiler}"`;
    const attributes = `xmlns="http://www.netapp.com/filer/admin" version="${o.version ?? "1.150"}"`;
    return raw(`<netapp ${attributes}${vfiler}><${api}>${inside}</${api}></netapp>`, o);
  };
  return {
    world,
    emulator,
    faults,
    log,
    zapi,
    bed: (api, inside) => zapi(api, inside, { vfiler: "svm_bed" }),
    raw,
    get: async (url) => {
      const response = await request(`${origin}${url}`, {
        dispatcher: agent,
        headers: headers({}),
      });
      return { status: response.statusCode, body: await response.body.text() };
    },
    tamper: (action, args) => {
      const found = emulator.tamper[action];
      if (found === undefined) throw new Error(`no tamper action ${action}`);
      found.run({ device: "array", action, ...args });
    },
    close: async () => {
      await agent.destroy();
      await server.close();
    },
  };
}

function answerOf(http: number, text: string): ZapiAnswer {
  const tree = text.startsWith("<?xml") ? (parser.parse(text) as { netapp?: Tree }) : {};
  const results = (tree.netapp?.["results"] ?? {}) as Tree;
  const attribute = (name: string): string | undefined => results[`@${name}`] as string | undefined;
  return {
    http,
    status: attribute("status"),
    errno: attribute("errno"),
    reason: attribute("reason"),
    results,
    text,
  };
}

/** The records of a page. */
export function records(answer: ZapiAnswer, name: string): readonly Tree[] {
  const list = answer.results["attributes-list"] as Tree | undefined;
  return [list?.[name] ?? []].flat() as readonly Tree[];
}

/** The one record of a page. */
export function only(answer: ZapiAnswer, name: string): Tree {
  const [record, ...more] = records(answer, name);
  if (record === undefined || more.length > 0) throw new Error(`not one record: ${answer.text}`);
  return record;
}

/** The leaf at a path of names. */
export function leaf(tree: Tree, ...steps: string[]): string | undefined {
  let at: Leaf | undefined = tree;
  for (const step of steps) {
    const elem: Leaf | undefined = Array.isArray(at) ? (at as readonly Leaf[])[0] : at;
    at = typeof elem === "object" ? (elem as Tree)[step] : undefined;
  }
  return typeof at === "string" ? at : undefined;
}

/** Fails loudly when a preparation did not work. */
export async function passed(answer: Promise<ZapiAnswer>): Promise<ZapiAnswer> {
  const got = await answer;
  if (got.status !== "passed") throw new Error(`expected passed: ${got.text}`);
  return got;
}

const ports = [
  ["a800-01", "5a"],
  ["a800-01", "5b"],
  ["a800-02", "5a"],
  ["a800-02", "5b"],
] as const;

/** What a bed needs before LUNs can be mapped: vserver, service, one interface per node and fabric. */
export async function makeVserver(rig: Rig, name = "svm_bed"): Promise<void> {
  await passed(
    rig.zapi(
      "vserver-create",
      `<vserver-name>${name}</vserver-name><root-volume>${name}_root</root-volume>` +
        "<root-volume-aggregate>aggr_a</root-volume-aggregate>" +
        "<root-volume-security-style>unix</root-volume-security-style>",
    ),
  );
  await passed(rig.zapi("fcp-service-create", "<start>true</start>", { vfiler: name }));
  for (const [node, port] of ports) {
    await passed(
      rig.zapi(
        "net-interface-create",
        `<interface-name>fc_${node}_${port}</interface-name><vserver>${name}</vserver>` +
          `<role>data</role><home-node>${node}</home-node><home-port>${port}</home-port>` +
          "<data-protocols><data-protocol>fcp</data-protocol></data-protocols>",
      ),
    );
  }
}

export async function makeVolume(rig: Rig, name: string, size = "2g"): Promise<void> {
  await passed(
    rig.bed(
      "volume-create",
      `<volume>${name}</volume><containing-aggr-name>aggr_a</containing-aggr-name>` +
        `<size>${size}</size><space-reserve>none</space-reserve>` +
        "<snapshot-policy>none</snapshot-policy>" +
        "<percentage-snapshot-reserve>0</percentage-snapshot-reserve>",
    ),
  );
}

export async function makeLun(rig: Rig, path: string, bytes = 1_073_741_824): Promise<ZapiAnswer> {
  return passed(
    rig.bed(
      "lun-create-by-size",
      `<path>${path}</path><size>${bytes.toString()}</size><ostype>vmware</ostype>` +
        "<space-reservation-enabled>false</space-reservation-enabled>" +
        "<use-exact-size>true</use-exact-size><comment>owner=x</comment>",
    ),
  );
}

export async function makeIgroup(rig: Rig, name: string, initiators: string[]): Promise<void> {
  await passed(
    rig.bed(
      "igroup-create",
      `<initiator-group-name>${name}</initiator-group-name>` +
        "<initiator-group-type>fcp</initiator-group-type><os-type>vmware</os-type>",
    ),
  );
  for (const initiator of initiators) {
    await passed(
      rig.bed(
        "igroup-add",
        `<initiator-group-name>${name}</initiator-group-name><initiator>${initiator}</initiator>`,
      ),
    );
  }
}
