import { z } from "zod";
import { wwpnSchema, type BedId } from "../../bed/identities";
import { wantedZones } from "./fabric-zone-plan";
import type { ZoneSide, ZoneWish } from "./fabric-zone-request";

const side = z
  .object({
    device: z.string().describe("Name of the switch in the bed."),
    initiators: z
      .record(z.string(), wwpnSchema)
      .describe("WWPN of each port of the host on this fabric, by adapter name."),
    targets: z.array(wwpnSchema).describe("WWPNs of the target ports on this fabric."),
    zonePrefix: z
      .string()
      .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "a letter, then letters, digits and _ only")
      .describe("Begins every zone's name."),
  })
  .meta({ id: "HostZonesSide" });

export const hostZonesInputs = z.object({
  host: z.string().min(1).describe("Name of the host."),
  fabrics: z.record(z.string(), side).describe("What the host needs on each fabric, `A` and `B`."),
});

const names = z.object({ alias: z.string(), zone: z.string() }).meta({ id: "HostZonesNames" });

const owned = z
  .object({ device: z.string(), ports: z.record(z.string(), z.array(names)) })
  .meta({ id: "HostZonesOwned" });

export const hostZonesState = hostZonesInputs.extend({
  owned: z
    .record(z.string(), owned)
    .describe("Aliases and zones that were made: by fabric, then by adapter."),
  configurations: z
    .record(z.string(), z.string())
    .describe("Effective zone configuration that the zones joined, by fabric."),
});

export type HostZonesInputs = z.infer<typeof hostZonesInputs>;
export type HostZonesState = z.infer<typeof hostZonesState>;
export type OwnedZones = HostZonesState["owned"];

/** What it takes to bring a host to its inputs, from what was made for it earlier. Pure. */
export function ensureWish(bedId: BedId, args: HostZonesInputs, earlier: OwnedZones): ZoneWish {
  return { host: args.host, kind: "ensure", sides: sidesOf(bedId, args, earlier) };
}

/** What it takes to remove what was made for a host. Pure. */
export function removeWish(recorded: HostZonesState): ZoneWish {
  const sides = Object.entries(recorded.owned).map(([fabric, { device, ports }]): ZoneSide => ({
    fabric,
    device,
    wanted: [],
    earlier: namesOf(ports),
  }));
  return { host: recorded.host, kind: "remove", sides };
}

/** What the host wants on each switch, and what was made for it there earlier. */
function sidesOf(bedId: BedId, args: HostZonesInputs, earlier: OwnedZones): ZoneSide[] {
  const sides = Object.entries(args.fabrics).map(([fabric, one]): ZoneSide => {
    const old = earlier[fabric];
    const same = old?.device === one.device;
    return {
      fabric,
      device: one.device,
      wanted: wantedZones(bedId, args.host, one),
      earlier: namesOf(same ? old.ports : {}),
    };
  });
  // Switches that the host is no longer on: what was made there goes.
  const left = Object.entries(earlier)
    .filter(([fabric, old]) => args.fabrics[fabric]?.device !== old.device)
    .map(([fabric, old]): ZoneSide => ({
      fabric,
      device: old.device,
      wanted: [],
      earlier: namesOf(old.ports),
    }));
  return [...sides, ...left];
}

/** Names that will be made for a host. Pure. */
export function ownedBy(bedId: BedId, args: HostZonesInputs): OwnedZones {
  return Object.fromEntries(
    Object.entries(args.fabrics).map(([fabric, one]) => [
      fabric,
      {
        device: one.device,
        ports: Object.fromEntries(
          wantedZones(bedId, args.host, one).map(({ hba, alias, zone }) => [
            hba,
            [{ alias, zone }],
          ]),
        ),
      },
    ]),
  );
}

/** What is there until an update is through: old names and new ones. Pure. */
export function mergeOwned(olds: OwnedZones, news: OwnedZones): OwnedZones {
  const merged: OwnedZones = {};
  for (const [fabric, old] of Object.entries(olds)) {
    // The host moves to another switch: what was made on the one before stays known until it is gone.
    const moved = news[fabric] !== undefined && news[fabric].device !== old.device;
    merged[moved ? `${fabric} on ${old.device}` : fabric] = old;
  }
  for (const [fabric, one] of Object.entries(news)) {
    const ports = { ...merged[fabric]?.ports };
    for (const [hba, list] of Object.entries(one.ports)) {
      const fresh = list.filter(({ zone }) => ports[hba]?.some((it) => it.zone === zone) !== true);
      // Until the update is through an adapter may have zones of its old and of its new name.
      ports[hba] = [...(ports[hba] ?? []), ...fresh];
    }
    merged[fabric] = { device: one.device, ports };
  }
  return merged;
}

function namesOf(ports: OwnedZones[string]["ports"]): { aliases: string[]; zones: string[] } {
  const list = Object.values(ports).flat();
  return { aliases: list.map(({ alias }) => alias), zones: list.map(({ zone }) => zone) };
}
