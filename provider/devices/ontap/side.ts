import { DeviceError } from "../../../bed/errors";
import {
  parseDeviceName,
  parseNaa,
  parseNqn,
  parseWwpn,
  type DeviceName,
} from "../../../bed/identities";
import type { Initiator } from "../block-array";
import type { DataProtocol } from "../data-protocol";
import type { OntapGateway, SideCalls } from "./gateway";
import type { Unit } from "./objects";

/** One of the two sides of a cluster, SCSI or NVMe, with the words for its objects. */
export interface Side {
  readonly protocol: DataProtocol;
  readonly calls: SideCalls;
  readonly words: {
    /** `LUN`, `namespace`. */
    readonly unit: string;
    /** `igroup`, `subsystem`. */
    readonly group: string;
  };
  /** What hosts call the unit. */
  deviceName(unit: Pick<Unit, "serial">): DeviceName;
  parseMember(text: string): Initiator | undefined;
}

export function scsiSide(ontap: OntapGateway): Side {
  return {
    protocol: "fcp",
    calls: ontap.scsi,
    words: { unit: "LUN", group: "igroup" },
    deviceName: (unit) => naaOfSerial(ontap.device, unit.serial),
    parseMember: parseWwpn,
  };
}

/** @throws {DeviceError} `unsupported`, saying which release would do. */
export function nvmeSide(ontap: OntapGateway): Side {
  const calls = ontap.nvme;
  if (calls === undefined) {
    throw new DeviceError({
      kind: "unsupported",
      device: ontap.device,
      operation: "use NVMe",
      reason: `the array runs ONTAP ${ontap.release}: vSphere hosts get NVMe/FC from 9.7 on, and this driver speaks it over REST, from 9.8 on`,
      remedy: "Use protocol fcp, or an array with a later release.",
    });
  }
  return {
    protocol: "nvme-fc",
    calls,
    words: { unit: "namespace", group: "subsystem" },
    deviceName: (unit) => nameOfNamespace(ontap.device, unit.serial),
    parseMember: parseNqn,
  };
}

export function sideOf(ontap: OntapGateway, protocol: DataProtocol): Side {
  return protocol === "fcp" ? scsiSide(ontap) : nvmeSide(ontap);
}

/** All sides that the cluster has. */
export function sidesOf(ontap: OntapGateway): readonly Side[] {
  return ontap.nvme === undefined ? [scsiSide(ontap)] : [scsiSide(ontap), nvmeSide(ontap)];
}

/**
 * What a host calls a LUN: NAA type 6 with NetApp's OUI and the serial number's ASCII in hex. Case and
 * symbols of the serial matter (ONTAP SAN host documentation; netapp.ontap na_ontap_lun_map).
 */
export function naaOfSerial(device: string, serial: string): DeviceName {
  const hex = Buffer.from(serial, "latin1").toString("hex");
  const naa = parseNaa(`naa.600a0980${hex}`);
  if (naa !== undefined) return naa;
  throw noIdentity(device, "LUN", serial, "its serial number has not twelve characters");
}

/**
 * What ESXi calls a namespace: its UUID, which it prefers to NGUID and EUI-64 (vSphere Storage, "NVMe
 * Devices with NGUID Device Identifiers"; ONTAP SAN host, "NVMe-oF Host Configuration for ESXi 7.x").
 */
export function nameOfNamespace(device: string, uuid: string): DeviceName {
  const name = parseDeviceName(`uuid.${uuid}`);
  if (name !== undefined) return name;
  throw noIdentity(device, "namespace", uuid, "its UUID is none");
}

function noIdentity(device: string, what: string, object: string, reason: string): DeviceError {
  const operation = `name the ${what} as hosts do`;
  return new DeviceError({ kind: "protocol", device, operation, object, reason });
}
