import { type ArrayContext, attribute, type Endpoint } from "./context";
import { nodeNames } from "./known-names";
import { defined, type Rec } from "./record";
import { releases } from "./release";
import { date, flag, integer, oneOf, other, ref, text } from "./shape";

/** Ids of what a preset does not name, so that they are the same on every start. */
export const fixedIds = {
  cluster: "4c6bdd70-5a00-11eb-8a1e-00a098f01001",
  ipspace: "4c6bdd70-5a00-11eb-8a1e-00a098f01002",
  adminSvm: "4c6bdd70-5a00-11eb-8a1e-00a098f01000",
  snapshotPolicyNone: "4c6bdd70-5a00-11eb-8a1e-00a098f01003",
  snapshotPolicyDefault: "4c6bdd70-5a00-11eb-8a1e-00a098f01004",
} as const;

export function clusterName(ctx: ArrayContext): string {
  return attribute(ctx.view.attributes, "clusterName", ctx.device);
}

export function nodeUuid(ctx: ArrayContext, node: string): string {
  const index = Object.keys(ctx.view.controllers).indexOf(node);
  const fallback = `4c6bdd70-5a00-11eb-8a1e-00a098f011${index.toString(16).padStart(2, "0")}`;
  return attribute(ctx.view.controllers[node]?.attributes ?? {}, "uuid", fallback);
}

export function nodeRef(ctx: ArrayContext, node: string): Rec {
  return { name: node, uuid: nodeUuid(ctx, node) };
}

function version(ctx: ArrayContext): Rec {
  const { full, generation, major, minor } = releases[ctx.release];
  return { full, generation, major, minor };
}

/** `/api/cluster`: one object. */
export const cluster: Endpoint = {
  singleton: true,
  shape: {
    path: "/api/cluster",
    keys: [],
    identity: ["name", "uuid"],
    fields: {
      name: text(),
      uuid: text(),
      contact: text(),
      location: text(),
      "version.full": text(),
      "version.generation": integer(),
      "version.major": integer(),
      "version.minor": integer(),
      san_optimized: flag(),
      "timezone.name": text(),
      management_interfaces: other(),
      dns_domains: other(),
      name_servers: other(),
      ntp_servers: other(),
      certificate: other(),
      metric: other(),
      statistics: other(),
    },
    expensive: ["metric", "statistics"],
  },
  list: (ctx) => [
    {
      name: clusterName(ctx),
      uuid: attribute(ctx.view.attributes, "clusterUuid", fixedIds.cluster),
      contact: "",
      location: "",
      version: version(ctx),
      san_optimized: false,
      timezone: { name: "Etc/UTC" },
    },
  ],
};

/** `/api/cluster/nodes`. */
export const nodes: Endpoint = {
  shape: {
    path: "/api/cluster/nodes",
    keys: ["uuid"],
    identity: ["uuid", "name"],
    fields: {
      uuid: text(),
      name: text(),
      model: text(),
      serial_number: text(),
      system_id: text(),
      state: oneOf(["up", "booting", "down", "taken_over", "waiting_for_giveback", "degraded"]),
      uptime: integer(),
      date: date(),
      membership: text(),
      location: text(),
      "version.full": text(),
      "version.generation": integer(),
      "version.major": integer(),
      "version.minor": integer(),
      "ha.enabled": flag(),
      "ha.auto_giveback": flag(),
      ...ref("ha.partners"),
      "ha.giveback.state": text(),
      "ha.takeover.state": text(),
      "controller.over_temperature": text(),
      controller: other(),
      owner: other(),
      storage_configuration: text(),
      cluster_interfaces: other(),
      management_interfaces: other(),
      service_processor: other(),
      metric: other(),
      statistics: other(),
      ...nodeNames.fields,
    },
    since: { ...nodeNames.since, owner: "9.9.1", storage_configuration: "9.9.1" },
    expensive: ["metric", "statistics"],
    links: { "ha.partners": "/api/cluster/nodes/{uuid}" },
  },
  list: (ctx) => Object.keys(ctx.view.controllers).map((name) => nodeRecord(ctx, name)),
};

/** Serial number and system id of a node; presets do not name them. */
export function nodeSerial(ctx: ArrayContext, name: string): { serial: string; systemId: string } {
  const index = Object.keys(ctx.view.controllers).indexOf(name) + 1;
  const digits = index.toString().padStart(4, "0");
  return { serial: `95210000${digits}`, systemId: `053790${digits}` };
}

function nodeRecord(ctx: ArrayContext, name: string): Rec {
  const { controllers, attributes } = ctx.view;
  const up = controllers[name]?.up === true;
  const partners = Object.keys(controllers).filter((other) => other !== name);
  const { serial, systemId } = nodeSerial(ctx, name);
  const partnerDown = partners.some((partner) => controllers[partner]?.up !== true);
  return defined({
    ...nodeRef(ctx, name),
    model: attribute(attributes, "model", "AFF-A250"),
    serial_number: serial,
    system_id: systemId,
    // A node whose partner serves its storage is taken over (REST reference, node `state`).
    state: up ? "up" : "taken_over",
    uptime: up ? 8_640_000 : undefined,
    membership: "available",
    location: "",
    version: version(ctx),
    ha: {
      enabled: partners.length > 0,
      auto_giveback: true,
      partners: partners.map((partner) => nodeRef(ctx, partner)),
      giveback: { state: up ? "nothing_to_giveback" : "not_attempted" },
      takeover: { state: up && partnerDown ? "in_takeover" : "not_attempted" },
    },
    controller: { over_temperature: "normal" },
    storage_configuration: "multi_path_ha",
  });
}

export const licencePackages = [
  "base",
  "cifs",
  "fcp",
  "iscsi",
  "nfs",
  "nvme_of",
  "snapmirror",
  "snaprestore",
];

export function isLicensed(ctx: ArrayContext, name: string): boolean {
  const missing = ctx.view.attributes["licencesMissing"];
  return !(Array.isArray(missing) && missing.includes(name));
}

/**
 * `/api/cluster/licensing/licenses`. Unlicensed packages show only when the query asks for them
 * (REST reference, "Retrieving a collection of unlicensed packages").
 */
export const licences: Endpoint = {
  hidden: { path: "state", value: "unlicensed" },
  shape: {
    path: "/api/cluster/licensing/licenses",
    keys: ["name"],
    identity: ["name", "scope", "state"],
    fields: {
      name: text(),
      scope: oneOf(["not_available", "site", "cluster", "node"]),
      state: oneOf(["compliant", "noncompliant", "unlicensed", "unknown"]),
      licenses: other(),
    },
  },
  list: (ctx) =>
    licencePackages.map((name) => ({
      name,
      scope: isLicensed(ctx, name) ? "node" : "not_available",
      state: isLicensed(ctx, name) ? "compliant" : "unlicensed",
    })),
};
