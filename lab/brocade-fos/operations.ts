import type { EmulatorReply, EmulatorRequest } from "../emulator/emulator";
import { expunge, rename } from "./database";
import { invalidUri, methodNotAllowed, zoneError, zoneNotFound } from "./errors";
import { asBody, asList, asText, onlyKnown } from "./fields";
import { checkName } from "./members";
import { parseBody, reply } from "./media";
import type { Release } from "./release";
import type { Owner } from "./transactions";
import type { ZoningControl } from "./zoning";

/**
 * `POST /rest/operations/fibrechannel-zone` (FOS 9.0, rename 9.1): stages only, a save or an enable
 * has to follow. Source: brocade-operation-zone.yang; pyfos_brocade_operation_zone.py.
 */
export function zoneOperation(
  zoning: ZoningControl,
  release: Release,
  owner: Owner,
  request: EmulatorRequest,
): EmulatorReply {
  if (!release.nine) throw invalidUri();
  if (request.method !== "POST") throw methodNotAllowed();
  const body = parseBody(request);
  onlyKnown(body, ["zone-operation-parameters"]);
  const operations = asList(body["zone-operation-parameters"]).map((entry) => {
    const fields = asBody(entry, "zone-operation-parameters");
    onlyKnown(fields, ["action", "zone-object", "new-zone-object"]);
    const target = fields["new-zone-object"];
    return {
      action: asText(fields["action"], "action"),
      object: checkName(asText(fields["zone-object"], "zone-object")),
      target: target === undefined ? undefined : checkName(asText(target, "new-zone-object")),
    };
  });
  zoning.stage(owner, (database) => {
    for (const { action, object, target } of operations) {
      if (action === "expunge") {
        if (!expunge(database, object)) throw zoneNotFound(object, "/fibrechannel-zone/");
      } else if (action === "rename" && release.nineOne && target !== undefined) {
        const taken = [database.aliases, database.zones, database.configs];
        if (taken.some((all) => Object.hasOwn(all, target))) {
          throw zoneError(`"${target}" is the name of another zone object`);
        }
        if (!rename(database, object, target)) throw zoneNotFound(object, "/fibrechannel-zone/");
      } else throw zoneError(`Invalid zone operation "${action}"`);
    }
    return operations.length > 0;
  });
  return reply(request, 204);
}
