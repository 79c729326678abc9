import type { BedId } from "../../bed/identities";
import type { SurveyedMap } from "../../provider/devices/array-survey";
import type { HostDevice } from "../../provider/devices/host-storage";
import type { DatastoreUse } from "../../provider/devices/storage-use";
import { usablePaths } from "../../provider/resources/host-path-check";
import { type Details, type Findings, type FoundHost, noDetails, type Wanted } from "./findings";
import type { Thing } from "./graph";
import {
  aliasThing,
  copyThing,
  datastoreThing,
  deletedThing,
  fileThing,
  groupThing,
  holdThing,
  hostDeviceThing,
  hostThing,
  machineThing,
  mapThing,
  naaThing,
  tenantThing,
  volumeThing,
  zoneThing,
} from "./things";

/** An object that may be asked for, with the names that it answers to. */
export interface Candidate {
  readonly thing: Thing;
  readonly names: readonly string[];
}

interface Place extends Candidate {
  readonly holders: () => readonly Thing[];
}

/** Everything that was found, and what holds it. Pure. */
export class Holders {
  readonly #findings: Findings;
  readonly #details: Details;
  readonly #places = new Map<string, Place>();
  readonly #seen = new Map<string, { host: FoundHost; device: HostDevice; thing: Thing }[]>();
  /** Beds of volumes by what hosts call them. */
  readonly #beds = new Map<string, BedId | undefined>();

  constructor(findings: Findings, details: Details = noDetails) {
    this.#findings = findings;
    this.#details = details;
    for (const { survey } of findings.arrays) {
      for (const { units, bedId } of survey.volumes) {
        for (const unit of units) this.#beds.set(unit.device, bedId);
      }
    }
    this.#addVirtual();
    this.#addHosts();
    for (const array of findings.arrays) this.#addArray(array);
    for (const fabric of findings.fabrics) this.#addFabric(fabric);
  }

  candidates(): readonly Candidate[] {
    return [...this.#places.values()].filter(({ names }) => names.length > 0);
  }

  of(thing: Thing): readonly Thing[] {
    return this.#places.get(thing.id)?.holders() ?? [];
  }

  /** The datastore behind a thing of that kind. */
  datastore(thing: Thing): { device: string; id: string; name: string } {
    const { device, name, id } = thing;
    return { device, name, id: id.slice(`datastore ${device}/`.length) };
  }

  /** What is to be asked for, of the things that came up. */
  wanted(things: readonly Thing[]): Wanted {
    const ids = new Set(things.map(({ id }) => id));
    const lun = (name: string): string => name.slice(name.lastIndexOf("/") + 1);
    const datastores = things.filter(({ kind }) => kind === "datastore");
    const under = this.#findings.uses.flatMap(({ use, device }) =>
      use.datastores
        .filter(({ id }) => ids.has(`datastore ${device}/${id}`))
        .flatMap((one) => one.devices),
    );
    const shown = things.filter(({ kind }) => kind === "hostDevice").map(({ name }) => lun(name));
    return {
      datastores: datastores.map((one) => this.datastore(one)),
      devices: [...new Set([...under, ...shown])],
      volumes: this.#findings.arrays.flatMap(({ device, survey }) =>
        survey.volumes
          .filter((volume) => ids.has(volumeThing(device, volume).id))
          .map(({ tenant, name }) => ({ device, tenant, name })),
      ),
    };
  }

  #add(thing: Thing, names: readonly string[], holders: () => readonly Thing[]): Thing {
    this.#places.set(thing.id, { thing, names, holders });
    return thing;
  }

  #addArray({ device, survey }: Findings["arrays"][number]): void {
    const mapHolders = (map: SurveyedMap): Thing => {
      const group = survey.groups.find((g) => g.tenant === map.tenant && g.name === map.group);
      const members = new Set<string>(group?.initiators);
      return this.#add(mapThing(device, map), [], () => this.#behindMap(map.device, members));
    };
    const maps = survey.maps.map((map) => ({ map, thing: mapHolders(map) }));
    const volumes = survey.volumes.map((volume) => {
      const own = maps.filter(
        ({ map }) => map.tenant === volume.tenant && map.volume === volume.name,
      );
      const naas = volume.units.map((unit) => unit.device);
      const names = [
        volume.name,
        `${volume.tenant}/${volume.name}`,
        ...volume.units.flatMap((unit) => [unit.path, `${volume.tenant}${unit.path}`]),
        ...naas,
      ];
      const held = (): Thing[] => {
        const things = own.map((one) => one.thing);
        const covered = new Set(things.flatMap((one) => this.of(one).map(({ id }) => id)));
        const rest = naas.flatMap((naa) => this.#holdersOn(naa));
        const copies = (this.#details.copies.get(device) ?? [])
          .filter((copy) => copy.tenant === volume.tenant && copy.volume === volume.name)
          .map((copy) => this.#add(copyThing(device, copy), [], () => []));
        return [...things, ...copies, ...rest.filter(({ id }) => !covered.has(id))];
      };
      return { tenant: volume.tenant, thing: this.#add(volumeThing(device, volume), names, held) };
    });
    const groups = survey.groups.map((group) => {
      const own = maps.filter(({ map }) => map.tenant === group.tenant && map.group === group.name);
      const names = [group.name, `${group.tenant}/${group.name}`];
      const held = (): Thing[] => own.map((one) => one.thing);
      return { tenant: group.tenant, thing: this.#add(groupThing(device, group), names, held) };
    });
    const deleted = survey.deleted.map((one) => ({
      tenant: one.tenant,
      thing: this.#add(
        deletedThing(device, one),
        [`${one.tenant}/${one.name}`, one.name],
        () => [],
      ),
    }));
    for (const { name, bedId } of survey.tenants) {
      const inside = [...volumes, ...groups, ...deleted].filter((one) => one.tenant === name);
      this.#add(tenantThing(device, name, bedId), [name], () => inside.map((one) => one.thing));
    }
  }

  /** Hosts with one of the initiators that still hold the device, and those of them that cannot be asked. */
  #behindMap(naa: string, initiators: ReadonlySet<string>): Thing[] {
    const has = (host: FoundHost): boolean => {
      const ports = host.storage?.adapters.map((adapter) => adapter.wwpn);
      const known = ports ?? this.#findings.ports.get(host.info.name) ?? [];
      return known.some((port) => initiators.has(port));
    };
    const holding = (this.#seen.get(naa) ?? []).filter(
      (one) => has(one.host) && isHolding(one.device),
    );
    const silent = this.#findings.hosts.filter((host) => host.storage === undefined && has(host));
    return [...holding.map((one) => one.thing), ...silent.map(silentThing)];
  }

  #holdersOn(naa: string): Thing[] {
    return (this.#seen.get(naa) ?? [])
      .filter((one) => isHolding(one.device))
      .map((one) => one.thing);
  }

  #addHosts(): void {
    const foreign = new Set<string>();
    for (const host of this.#findings.hosts) {
      for (const device of host.storage?.devices ?? []) {
        const { name } = device;
        const thing = hostDeviceThing(host, device, this.#beds.get(name));
        this.#add(thing, [thing.name], () => [
          ...this.#datastoresOn(host, name),
          ...(this.#details.holds.get(host.device)?.devices.get(name) ?? [])
            .filter((hold) => hold.host === undefined || hold.host === host.info.name)
            .map((hold) => this.#add(holdThing(host.device, name, hold), [], () => [])),
        ]);
        this.#seen.set(name, [...(this.#seen.get(name) ?? []), { host, device, thing }]);
        if (!this.#beds.has(name)) foreign.add(name);
      }
    }
    for (const naa of foreign) this.#add(naaThing(naa), [naa], () => this.#holdersOn(naa));
  }

  #datastoresOn(host: FoundHost, naa: string): Thing[] {
    return this.#findings.uses
      .filter(({ device }) => device === host.device)
      .flatMap(({ device, use }) =>
        use.datastores
          .filter(({ devices }) => devices.includes(naa))
          .filter(({ mounts }) => mounts.some((m) => m.host === host.info.name && m.mounted))
          .map((datastore) => this.#datastore(device, datastore, use.inMaintenance)),
      );
  }

  #datastore(device: string, use: DatastoreUse, maintenance: readonly string[]): Thing {
    const [first, ...others] = use.devices.map((naa) => this.#beds.get(naa));
    // One that reaches beyond a bed's devices is nobody's alone.
    const bed = others.every((other) => other === first) ? first : undefined;
    return datastoreThing(device, use, bed, maintenance);
  }

  #addVirtual(): void {
    for (const { device, use } of this.#findings.uses) {
      const silent = this.#findings.hosts.filter((h) => h.device === device && !h.info.connected);
      const machines = new Map(
        use.machines.map((machine) => {
          const host = silent.find(({ info }) => info.name === machine.host);
          const held = (): Thing[] => (host === undefined ? [] : [silentThing(host)]);
          const names = [machine.name, machine.path];
          return [machine.id, this.#add(machineThing(device, machine), names, held)];
        }),
      );
      for (const datastore of use.datastores) {
        const thing = this.#datastore(device, datastore, use.inMaintenance);
        this.#add(thing, [datastore.name, datastore.path], () => [
          ...[...machines].flatMap(([id, one]) => (datastore.machines.includes(id) ? one : [])),
          ...(this.#details.holds.get(device)?.datastores.get(datastore.id) ?? []).map((hold) =>
            this.#add(holdThing(device, datastore.id, hold), [], () => []),
          ),
          ...(this.#details.files.get(`${device}/${datastore.id}`) ?? []).map((file) =>
            this.#add(fileThing(device, datastore.id, file), [], () => []),
          ),
          ...silent
            .filter(({ info }) => datastore.mounts.some((m) => m.mounted && m.host === info.name))
            .map(silentThing),
        ]);
      }
    }
  }

  #addFabric({ device, zoning }: Findings["fabrics"][number]): void {
    const zonesOf = new Map<string, string[]>();
    for (const [zone, members] of zoning.effective?.zones ?? []) {
      for (const port of members) zonesOf.set(port, [...(zonesOf.get(port) ?? []), zone]);
    }
    /** No other zone in effect lets the two talk. */
    const only = (zone: string, one: string, other: string): boolean => {
      const common = (zonesOf.get(one) ?? []).filter((name) => zonesOf.get(other)?.includes(name));
      return common.length === 1 && common[0] === zone;
    };
    const zones = new Map(
      [...zoning.zones.keys()].map((name) => {
        const thing = zoneThing(device, name, zoning, this.#findings.notedZones);
        return [name, this.#add(thing, [name], () => this.#pathsBy((a, b) => only(name, a, b)))];
      }),
    );
    for (const [name, members] of zoning.aliases) {
      const users = [...zoning.zones.values()].filter((zone) => zone.members.includes(name));
      this.#add(aliasThing(device, name, members), [name], () =>
        users.flatMap((zone) => zones.get(zone.name) ?? []),
      );
    }
  }

  /** Devices of hosts that are in use over a pair of ports. */
  #pathsBy(isPair: (initiator: string, target: string) => boolean): Thing[] {
    return [...this.#seen.values()].flat().flatMap(({ host, device, thing }) => {
      const ports = new Map(host.storage?.adapters.map((adapter) => [adapter.name, adapter.wwpn]));
      const uses = usablePaths(device).some(({ adapter, targetWwpn }) =>
        isPair(ports.get(adapter) ?? "", targetWwpn ?? ""),
      );
      return uses && isHolding(device) ? [thing] : [];
    });
  }
}

/** A device that was taken out of service holds nothing any more. */
function isHolding(device: HostDevice): boolean {
  return device.state !== "off";
}

function silentThing({ device, info }: FoundHost): Thing {
  return hostThing(device, info.name, info.connected ? "it did not answer" : "not connected");
}
