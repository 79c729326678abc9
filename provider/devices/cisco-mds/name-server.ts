import { parseWwnn, parseWwpn } from "../../../bed/identities";
import type { FabricLogin } from "../fabric-switch";
import { rowsOf, textOf } from "./tables";

/** Logins from `show fcns database detail` (MDS NX-API reference, FCNS): one row of a VSAN for each device. */
export function readLogins(body: unknown): readonly FabricLogin[] {
  return rowsOf(body, "fcns_vsan")
    .flatMap((vsan) => rowsOf(vsan, "fcns_database"))
    .flatMap((row) => {
      const wwpn = parseWwpn(textOf(row, "pwwn") ?? "");
      const wwnn = parseWwnn(textOf(row, "nwwn") ?? "");
      if (wwpn === undefined || wwnn === undefined) return [];
      return [
        {
          wwpn,
          wwnn,
          portId: (textOf(row, "fcid") ?? "").replace(/^0x/i, "").toLowerCase(),
          role: roleOf(row),
          physicalWwpn: physicalOf(textOf(row, "permanent_pwwn")),
          symbolicName: textOf(row, "symbolic_port_name") ?? "",
        },
      ];
    });
}

function roleOf(row: unknown): FabricLogin["role"] {
  const features = rowsOf(row, "fc4_types_fc4_features").map(
    (one) => textOf(one, "fc4_features") ?? "",
  );
  const registered = [...features, textOf(row, "fc4_types_fc4_features") ?? ""].join(" ");
  const both = /\bboth\b/i.test(registered);
  const initiator = both || /\binit(?:iator)?\b/i.test(registered);
  const target = both || /\btarget\b/i.test(registered);
  if (initiator && target) return "both";
  return initiator ? "initiator" : target ? "target" : undefined;
}

/** The switch prints zeros where it does not know. */
function physicalOf(text: string | undefined): FabricLogin["physicalWwpn"] {
  const wwpn = parseWwpn(text ?? "");
  return wwpn === "00:00:00:00:00:00:00:00" ? undefined : wwpn;
}
