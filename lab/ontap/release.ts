/**
 * Releases of the beds: 9.5 of the AFF A800 (ONTAPI only), 9.8 and 9.9.1 of the AFF A250, and 9.12.1
 * as one of the later ones.
 */
export type Release = "9.5" | "9.8" | "9.9.1" | "9.12.1";

/**
 * Releases that fields and verbs appeared in; those between two profiles count from the next one on.
 */
export type Since = Release | "9.10.1" | "9.11.1";

const order: readonly Since[] = ["9.5", "9.8", "9.9.1", "9.10.1", "9.11.1", "9.12.1"];

/** True when `release` is `first` or later. */
export function atLeast(release: Release, first: Since): boolean {
  return order.indexOf(release) >= order.indexOf(first);
}

export interface ReleaseInfo {
  readonly generation: number;
  readonly major: number;
  readonly minor: number;
  readonly full: string;
  /** When it was built, in seconds since the epoch. */
  readonly builtAt: number;
  /**
   * Minor number of ONTAPI 1.x. Assumed: 1.120 is what a 9.2 array and 1.150 what clients of 9.5 name,
   * ten a release in between.
   */
  readonly ontapiMinor: number;
  /** Inquiry revision of a LUN and firmware of an initiator group's target. */
  readonly revision: string;
}

export const releases: Readonly<Record<Release, ReleaseInfo>> = {
  "9.5": {
    generation: 9,
    major: 5,
    minor: 0,
    full: "NetApp Release 9.5RC1: Tue Oct 09 06:12:47 UTC 2018",
    builtAt: 1_539_065_567,
    ontapiMinor: 150,
    revision: "9500",
  },
  "9.8": {
    generation: 9,
    major: 8,
    minor: 0,
    full: "NetApp Release 9.8P2: Tue Feb 16 03:49:46 UTC 2021",
    builtAt: 1_613_447_386,
    ontapiMinor: 180,
    revision: "9800",
  },
  "9.9.1": {
    generation: 9,
    major: 9,
    minor: 1,
    full: "NetApp Release 9.9.1P3: Thu Oct 14 10:09:22 UTC 2021",
    builtAt: 1_634_206_162,
    ontapiMinor: 191,
    revision: "9910",
  },
  "9.12.1": {
    generation: 9,
    major: 12,
    minor: 1,
    full: "NetApp Release 9.12.1P4: Wed Jun 07 17:18:40 UTC 2023",
    builtAt: 1_686_158_320,
    ontapiMinor: 221,
    revision: "9121",
  },
};

/** Points where the documentation leaves two readings. Listed in docs/devices/ontap-emulator.md. */
export interface Switches {
  /** What 9.5 answers below `/api`: the preview that tells only its version, or nothing. */
  readonly restPreview: "version" | "absent";
  /** Body of a 401: the error object that accounts of ONTAP-based clouds report, or nothing. */
  readonly unauthorizedBody: "json" | "empty";
  /** A LUN number that is taken in the initiator group has no number in the published tables. */
  readonly lunNumberTaken: "1" | "1254324";
  /** Size of a LUN as asked, or rounded up to the geometry that the LUN reports. */
  readonly lunSize: "exact" | "geometry";
  /** Body of a 201 when no records were asked for: an empty object, or nothing at all. */
  readonly createdBody: "object" | "empty";
  /** A job that fails inside `return_timeout`: its error at once, or 202 and the job to read. */
  readonly failedInTime: "error" | "job";
  /** `return_timeout` that holds when the client sends none, in seconds. */
  readonly defaultReturnTimeoutSeconds: 0 | 1;
  /** Initiator names in URLs: exactly as stored, or in any spelling of the same WWPN. */
  readonly initiatorMatch: "exact" | "canonical";
  /** Where an SVM must have an FC interface before its LUNs can be mapped: any node, or every one. */
  readonly mapNeedsInterface: "any" | "every";
  /** Block size of a namespace of os_type vmware when the client names none: two pages, two values. */
  readonly vmwareBlockSize: 4096 | 512;
  /** Volume delete with mapped LUNs inside: refused, or the LUNs and maps go with it. */
  readonly mappedVolumeDelete: "refuse" | "cascade";
  /** Storage efficiency in the POST of a volume: in force, or lost until a PATCH says it again. */
  readonly efficiencyAtCreate: "applied" | "ignored";
}

/** The readings that can be chosen, the one in force unless told otherwise first. */
export const readings = {
  restPreview: ["version", "absent"],
  unauthorizedBody: ["json", "empty"],
  lunNumberTaken: ["1", "1254324"],
  lunSize: ["exact", "geometry"],
  createdBody: ["object", "empty"],
  failedInTime: ["error", "job"],
  defaultReturnTimeoutSeconds: [0, 1],
  initiatorMatch: ["exact", "canonical"],
  mapNeedsInterface: ["any", "every"],
  vmwareBlockSize: [4096, 512],
  mappedVolumeDelete: ["refuse", "cascade"],
  efficiencyAtCreate: ["applied", "ignored"],
} as const satisfies { readonly [K in keyof Switches]: readonly Switches[K][] };

export const defaultSwitches: Switches = {
  restPreview: readings.restPreview[0],
  unauthorizedBody: readings.unauthorizedBody[0],
  lunNumberTaken: readings.lunNumberTaken[0],
  lunSize: readings.lunSize[0],
  createdBody: readings.createdBody[0],
  failedInTime: readings.failedInTime[0],
  defaultReturnTimeoutSeconds: readings.defaultReturnTimeoutSeconds[0],
  initiatorMatch: readings.initiatorMatch[0],
  mapNeedsInterface: readings.mapNeedsInterface[0],
  vmwareBlockSize: readings.vmwareBlockSize[0],
  mappedVolumeDelete: readings.mappedVolumeDelete[0],
  efficiencyAtCreate: readings.efficiencyAtCreate[0],
};
