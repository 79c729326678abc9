import { CliError, invalidCommand } from "./errors";
import { type Member, memberOf, memberText, sameMember } from "./members";
import { create, type ZoneEdit } from "./zone-edit";

/** Most fcaliases of a VSAN (MDS 9000 Configuration Limits). */
const maxFcAliases = 2_048;

/** Text of an fcalias that is not there: mdssdk test_zoneaddmembers.py. */
const notPresent = "Alias not present";

export function createFcAlias(name: string): ZoneEdit {
  return (state) => create(state.fcAliases, name, maxFcAliases, "aliases");
}

/** Deletes an fcalias, and with it its place in every zone. */
export function deleteFcAlias(name: string): ZoneEdit {
  return (state) => {
    if (!Object.hasOwn(state.fcAliases, name)) throw new CliError(notPresent);
    Reflect.deleteProperty(state.fcAliases, name);
    for (const [zone, members] of Object.entries(state.zones)) {
      state.zones[zone] = members.filter((text) => {
        const member = memberOf(text);
        return member.type !== "fcalias" || member.value !== name;
      });
    }
    return true;
  };
}

export function addToFcAlias(name: string, member: Member): ZoneEdit {
  return (state) => {
    if (member.type === "fcalias") throw invalidCommand();
    const members = Object.hasOwn(state.fcAliases, name) ? state.fcAliases[name] : undefined;
    if (members === undefined) throw new CliError(notPresent);
    if (members.includes(memberText(member))) throw new CliError("Duplicate member");
    state.fcAliases[name] = [...members, memberText(member)];
    return true;
  };
}

export function removeFromFcAlias(name: string, member: Member): ZoneEdit {
  return (state) => {
    const members = Object.hasOwn(state.fcAliases, name) ? state.fcAliases[name] : undefined;
    if (members === undefined) throw new CliError(notPresent);
    const rest = members.filter((text) => !sameMember(memberOf(text), member));
    if (rest.length === members.length) throw new CliError("Member not present");
    state.fcAliases[name] = rest;
    return true;
  };
}
