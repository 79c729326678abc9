import type { EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import type { ZoningDatabase } from "../world/state";
import { checkPeerDuplicates } from "./database";
import { applyEdit, type Kind, listEdits, type ObjectEdit, objectEdit, type Verb } from "./edit";
import { FosError, invalidUri, methodNotAllowed } from "./errors";
import { asBody, asNumber, asText, type Body, onlyKnown } from "./fields";
import { parseBody, reply } from "./media";
import type { Owner } from "./transactions";
import type { ZoningControl } from "./zoning";
import type { ZoningRoute } from "./zoning-route";
import { readDefined, readEffective, readFabricLock } from "./zoning-reads";

const kinds: readonly Kind[] = ["cfg", "zone", "alias"];

/** Everything below `/rest/running/brocade-zone` (or `zoning` on old releases). */
export function zoningRequest(
  route: ZoningRoute,
  request: EmulatorRequest,
  path: readonly string[],
): EmulatorReply {
  const [container, ...rest] = path;
  switch (container) {
    case "defined-configuration":
      if (request.method === "GET") return reply(request, 200, readDefined(route, rest));
      return editDefined(route, request, rest);
    case "effective-configuration":
      if (request.method === "GET") return reply(request, 200, readEffective(route, rest));
      return changeEffective(route, request, rest);
    case "fabric-lock":
      if (!route.release.nine || rest.length > 0) throw invalidUri();
      if (request.method !== "GET") throw methodNotAllowed();
      return reply(request, 200, readFabricLock(route));
    case undefined:
    default:
      throw invalidUri();
  }
}

function editDefined(
  route: ZoningRoute,
  request: EmulatorRequest,
  path: readonly string[],
): EmulatorReply {
  const owner = mustOwn(route);
  const verb = request.method;
  if (verb !== "POST" && verb !== "PATCH" && verb !== "DELETE") throw methodNotAllowed();
  const edits = editsOf(request, path, verb);
  if (edits.length === 0) throw emptyRequest();
  if (!route.release.nine) refuseTypeWords(request);
  route.zoning.stage(owner, (database) => applyAll(database, verb, edits));
  return reply(request, verb === "POST" ? 201 : 204);
}

/** POST and PATCH go from aliases to configurations, DELETE the other way round. */
function applyAll(database: ZoningDatabase, verb: Verb, edits: readonly ObjectEdit[]): boolean {
  const order = verb === "DELETE" ? kinds : [...kinds].reverse();
  const changes = order.flatMap((kind) =>
    edits.filter((edit) => edit.kind === kind).map((edit) => applyEdit(database, verb, edit)),
  );
  for (const edit of edits) if (edit.kind === "zone") checkPeerDuplicates(database, edit.name);
  return changes.includes(true);
}

/** The three shapes of a request: the container, one list, one entry. */
function editsOf(request: EmulatorRequest, path: readonly string[], verb: Verb): ObjectEdit[] {
  const [list, keyLeaf, name, ...rest] = path;
  const body = parseBody(request);
  if (list === undefined) {
    onlyKnown(body, ["defined-configuration"]);
    const container = asBody(body["defined-configuration"], "defined-configuration");
    onlyKnown(container, kinds);
    return kinds.flatMap((kind) => listEdits(kind, container[kind]));
  }
  const kind = kinds.find((word) => word === list);
  if (kind === undefined || rest.length > 0) throw invalidUri();
  if (keyLeaf === undefined) {
    onlyKnown(body, [kind]);
    return listEdits(kind, body[kind]);
  }
  if (keyLeaf !== `${kind}-name` || name === undefined) throw invalidUri();
  if (verb !== "DELETE" && Object.keys(body).length === 0) throw emptyRequest();
  return [objectEdit(kind, body, name)];
}

/** `zone-type-string` came with FOS 9.0. */
function refuseTypeWords(request: EmulatorRequest): void {
  if (request.body.includes("zone-type-string")) {
    throw new FosError(400, 'Unknown element "zone-type-string"', {
      type: "protocol",
      tag: "unknown-element",
    });
  }
}

interface EffectiveChange {
  readonly config: string | undefined;
  readonly action: number | undefined;
  readonly checksum: string | undefined;
  readonly defaultAccess: number | undefined;
}

function changeEffective(
  route: ZoningRoute,
  request: EmulatorRequest,
  path: readonly string[],
): EmulatorReply {
  const owner = mustOwn(route);
  if (request.method !== "PATCH") throw methodNotAllowed();
  const change = effectiveChange(route, request, path);
  const { zoning } = route;
  if (change.defaultAccess !== undefined) {
    if (change.defaultAccess !== 0 && change.defaultAccess !== 1) throw emptyRequest();
    zoning.stageDefaultAccess(owner, change.defaultAccess === 1 ? "all" : "none");
  }
  if (change.config !== undefined) zoning.enable(owner, change.config, change.checksum);
  else if (change.action !== undefined) act(zoning, owner, change.action, change.checksum);
  else if (change.defaultAccess === undefined) throw emptyRequest();
  return reply(request, 204);
}

function act(zoning: ZoningControl, owner: Owner, action: number, sum: string | undefined): void {
  switch (action) {
    case 0:
      return;
    case 1:
      zoning.save(owner, sum);
      return;
    case 2:
      zoning.disable(owner, sum);
      return;
    case 3:
      zoning.clear(owner);
      return;
    case 4:
      zoning.abort(owner);
      return;
    default:
      throw new FosError(400, `Invalid value of "cfg-action"`, {
        type: "protocol",
        tag: "invalid-value",
        path: "/effective-configuration/cfg-action",
      });
  }
}

function effectiveChange(
  route: ZoningRoute,
  request: EmulatorRequest,
  path: readonly string[],
): EffectiveChange {
  const [leaf, value, ...rest] = path;
  if (leaf === undefined) {
    const body = parseBody(request);
    onlyKnown(body, ["effective-configuration"]);
    return changeOf(asBody(body["effective-configuration"], "effective-configuration"));
  }
  if (value === undefined || rest.length > 0) throw invalidUri();
  const body = parseBody(request);
  onlyKnown(body, ["checksum"]);
  if (leaf === "cfg-name" || leaf === "cfg-action") return changeOf({ ...body, [leaf]: value });
  if (leaf === "cfg-action-v2" && route.release.nineTwo) {
    const action = { save: 1, "transaction-abort": 4 }[value];
    if (action === undefined) throw invalidUri();
    return changeOf({ ...body, "cfg-action": action });
  }
  throw invalidUri();
}

function changeOf(body: Body): EffectiveChange {
  onlyKnown(body, ["cfg-name", "cfg-action", "checksum", "default-zone-access"]);
  const number = (name: string): number | undefined =>
    body[name] === undefined ? undefined : asNumber(body[name], name);
  const text = (name: string): string | undefined =>
    body[name] === undefined ? undefined : asText(body[name], name);
  return {
    config: text("cfg-name"),
    action: number("cfg-action"),
    checksum: text("checksum"),
    defaultAccess: number("default-zone-access"),
  };
}

function mustOwn(route: ZoningRoute): Owner {
  if (route.owner === undefined) throw methodNotAllowed();
  return route.owner;
}

function emptyRequest(): FosError {
  return new FosError(400, "The request names nothing to change", {
    type: "protocol",
    tag: "missing-element",
  });
}
