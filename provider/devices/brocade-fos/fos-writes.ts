import type { ZoningEdit } from "../zoning-edit";

type FosWrite = readonly ["POST" | "PATCH" | "DELETE", object];

/**
 * The requests of an edit, in the order that leaves no dangling name, each of at most `perRequest` objects.
 * POST adds members to a configuration and DELETE takes them out: those of others are never sent. Pure.
 */
export function fosWrites(edit: ZoningEdit, perRequest: number): readonly FosWrite[] {
  const { enable } = edit;
  const joins =
    enable === undefined
      ? []
      : chunks(edit.join, perRequest).map((zones) => [enable, zones] as const);
  return [
    ...listWrites("POST", perRequest, edit.createAliases, edit.createZones, joins),
    ...listWrites("PATCH", perRequest, edit.replaceAliases, edit.replaceZones, []),
    ...[...edit.leave].flatMap(([config, leaving]) =>
      chunks(leaving, perRequest).map((zones): FosWrite => [
        "DELETE",
        { cfg: [configEntry(config, zones)] },
      ]),
    ),
    ...chunks(edit.removeZones, perRequest).map((names): FosWrite => [
      "DELETE",
      { zone: names.map((name) => ({ "zone-name": name })) },
    ]),
    ...chunks(edit.removeAliases, perRequest).map((names): FosWrite => [
      "DELETE",
      { alias: names.map((name) => ({ "alias-name": name })) },
    ]),
  ];
}

/** One request for all three lists where they are short enough, else one or more for each. */
function listWrites(
  method: "POST" | "PATCH",
  perRequest: number,
  aliases: ReadonlyMap<string, readonly string[]>,
  zones: ReadonlyMap<string, readonly string[]>,
  joins: readonly (readonly [string, readonly string[]])[],
): FosWrite[] {
  const lists = {
    alias: [...aliases].map(aliasEntry),
    zone: [...zones].map(zoneEntry),
    cfg: joins.map(([config, names]) => configEntry(config, names)),
  };
  const filled = Object.entries(lists).filter(([, list]) => list.length > 0);
  const joining = joins.reduce((sum, [, names]) => sum + names.length, 0);
  if (lists.alias.length + lists.zone.length + joining <= perRequest) {
    return filled.length === 0 ? [] : [[method, Object.fromEntries(filled)]];
  }
  return filled.flatMap(([kind, list]) =>
    // A configuration's entry is cut to size already: one a request.
    chunks(list, kind === "cfg" ? 1 : perRequest).map((part): FosWrite => [
      method,
      { [kind]: part },
    ]),
  );
}

function aliasEntry([name, members]: readonly [string, readonly string[]]): object {
  return { "alias-name": name, "member-entry": { "alias-entry-name": members } };
}

function zoneEntry([name, members]: [string, readonly string[]]): object {
  return { "zone-name": name, "member-entry": { "entry-name": members } };
}

function configEntry(name: string, zones: readonly string[]): object {
  return { "cfg-name": name, "member-zone": { "zone-name": zones } };
}

function chunks<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}
