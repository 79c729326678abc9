import type { OntapFault } from "../ontap/faults";

/**
 * A refusal of ONTAPI: number and reason of `<results status="failed">`. Numbers and names are those
 * of `netapp_lib/api/zapi/errors.py` in NetApp's library `netapp-lib`; texts where a client or an
 * issue shows them.
 */
export class ZapiFault extends Error {
  constructor(
    readonly errno: string,
    readonly reason: string,
  ) {
    super(reason);
  }
}

export const errno = {
  exists: "17", // EONTAPI_EEXIST
  noSpace: "28", // EONTAPI_ENOSPC
  badTag: "1014", // EINVALIDTAG
  noIgroup: "9003", // EVDISK_ERROR_NO_SUCH_INITGROUP
  igroupExists: "9004", // EVDISK_ERROR_INITGROUP_EXISTS
  badWwn: "9005", // EVDISK_ERROR_NOT_VALID_FC_WWN
  notMember: "9007", // EVDISK_ERROR_NODE_NOT_IN_INITGROUP
  isMember: "9008", // EVDISK_ERROR_INITGROUP_HAS_NODE
  mappingConflict: "9009", // EVDISK_ERROR_LUN_MAPPING_CONFLICT
  lunExists: "9012", // EVDISK_ERROR_VDISK_EXISTS
  lunMapped: "9013", // EVDISK_ERROR_VDISK_EXPORTED
  lunOffline: "9014", // EVDISK_ERROR_VDISK_NOT_ENABLED
  lunOnline: "9015", // EVDISK_ERROR_VDISK_NOT_DISABLED
  noMap: "9016", // EVDISK_ERROR_NO_SUCH_LUNMAP
  noLun: "9017", // EVDISK_ERROR_NO_SUCH_VDISK
  otherVolume: "9022", // EVDISK_ERROR_NOT_IN_SAME_VOLUME
  groupHasLun: "9023", // EVDISK_ERROR_INITGROUP_HAS_VDISK
  groupHasNumber: "9024", // EVDISK_ERROR_INITGROUP_HAS_LUN
  mapsExist: "9029", // EVDISK_ERROR_INITGROUP_MAPS_EXIST
  needsForce: "9033", // EVDISK_ERROR_MUST_SPECIFY_F_FLAG
  tooLarge: "9034", // EVDISK_ERROR_SIZE_TOO_LARGE
  noLunVolume: "9036", // EVDISK_ERROR_NO_SUCH_VOLUME
  initiatorHasLun: "9039", // EVDISK_ERROR_INITIATOR_HAS_VDISK
  tooSmall: "9041", // EVDISK_ERROR_SIZE_TOO_SMALL
  sizeUnchanged: "9042", // EVDISK_ERROR_SIZE_UNCHANGED
  general: "13001", // EAPIERROR
  privilege: "13003", // EAPIPRIVILEGE
  noApi: "13005", // EAPINOTFOUND
  licence: "13008", // EAPILICENSE
  version: "13010", // EAPIUNSUPPORTEDVERSION
  started: "13013", // EALREADYSTARTED
  notStarted: "13014", // ENOTSTARTED
  notStopped: "13015", // ESERVICENOTSTOPPED
  noVolume: "13040", // EVOLUMEDOESNOTEXIST
  volumeOffline: "13042", // EVOLUMEOFFLINE
  badVolumeName: "13044", // EVOLUMENAMEINVALID
  volumeNotOffline: "13058", // EVOL_NOT_OFFLINE
  volumeOnline: "13060", // EVOL_ONLINE
  noGuaranteeSpace: "13062", // EVOL_SPACE_FOR_GUARANTEE
  invalid: "13115", // EINVALIDINPUTERROR
  duplicate: "13130", // EDUPLICATEENTRY
  volumeInUse: "13156", // EVOLUMEINUSE
  volumeBusy: "13158", // EVOLUMEBUSY
  noAggregate: "14420", // EAGGRDOESNOTEXIST
  volumeNotMounted: "14716", // EVOL_NOT_MOUNTED
  notAllowed: "14719", // EVSERVER_OP_NOT_ALLOWED
  vserverExists: "14922", // EVSERVERNAMEEXISTS
  notRunning: "14924", // EVSERVERNOTRUNNING
  notFound: "15661", // EOBJECTNOTFOUND
  noVserver: "15698", // EVSERVERNOTFOUND
} as const;

/** Errno by the number under which the cluster refuses; where ONTAPI has a text of its own, with it. */
const byCode: Readonly<Record<string, readonly [string, string?]>> = {
  "4": [errno.notFound, "entry doesn't exist"],
  "2425736": [errno.notFound, "entry doesn't exist"],
  "2621462": [errno.noVserver, "Specified vserver not found"],
  "262197": [errno.invalid],
  "460770": [errno.noSpace],
  // vservers
  "13434908": [errno.vserverExists],
  "13434909": [errno.noAggregate],
  "13434911": [errno.invalid],
  "13434912": [errno.notFound],
  "13434914": [errno.noSpace],
  // aggregates
  "786439": [errno.exists],
  "786497": [errno.volumeInUse],
  "786771": [errno.noAggregate],
  "917508": [errno.noAggregate],
  // FCP service and interfaces
  "1115127": [errno.licence],
  "1966140": [errno.exists, "A LIF with the same name already exists"],
  "1966217": [errno.invalid],
  "2621507": [errno.notAllowed],
  "5373960": [errno.notStopped],
  "5374082": [errno.duplicate],
  "5374083": [errno.notFound, "entry doesn't exist"],
  "5374893": [errno.notRunning],
  // volumes
  "524486": [errno.volumeBusy],
  "917505": [errno.noVserver],
  "917526": [errno.exists],
  "917531": [errno.notAllowed],
  "917536": [errno.volumeInUse],
  "917551": [errno.invalid],
  "917835": [errno.invalid],
  "917886": [errno.badVolumeName],
  "917887": [errno.badVolumeName],
  "917888": [errno.badVolumeName],
  "917927": [errno.noLunVolume],
  "13107405": [errno.general, "Job exists"],
  // LUNs
  "1254197": [errno.lunMapped],
  "1254226": [errno.sizeUnchanged],
  "5374123": [errno.tooSmall],
  "5374124": [errno.tooLarge],
  "5374242": [errno.lunExists, "LUN already exists at this path"],
  "5374866": [errno.volumeOffline],
  "5374875": [errno.noLun, "No such LUN exists"],
  "5374876": [errno.noLun, "No such LUN exists"],
  "5374892": [errno.needsForce],
  "5440509": [errno.noSpace],
  // initiator groups and maps
  "1254193": [errno.initiatorHasLun],
  "1254201": [errno.noLun, "No such LUN exists"],
  "1254207": [errno.groupHasLun, "LUN already mapped to this group"],
  "1254213": [errno.mapsExist, "LUN maps for this initiator group exist"],
  "1254324": [errno.mappingConflict],
  "5373966": [errno.notAllowed],
  "5373982": [errno.badWwn],
  "5373983": [errno.badWwn],
  "5373993": [errno.badWwn],
  "5374023": [errno.igroupExists],
  "5374034": [errno.notMember],
  "5374035": [errno.isMember],
  "5374852": [errno.noIgroup, "No such initiator group exists"],
  "5374878": [errno.noIgroup, "No such initiator group exists"],
  "5374922": [errno.noMap, "No such LUN map exists"],
};

/** How ONTAPI words a refusal of the cluster. */
export function zapiFault(fault: OntapFault): ZapiFault {
  const [number, reason] = byCode[fault.code] ?? [errno.general];
  return new ZapiFault(number, reason ?? fault.message);
}

/** Words of ONTAPI for an element that the API does not know (netapp.ontap, change log). */
export function extraInput(name: string): ZapiFault {
  return new ZapiFault(errno.general, `Extra input: ${name}`);
}

export function missingInput(name: string): ZapiFault {
  return new ZapiFault(errno.invalid, `Missing input: ${name}`);
}

/** Words as a client met them (netapp.ontap#112). */
export function invalidInput(api: string, name: string, value: string): ZapiFault {
  return new ZapiFault(
    errno.invalid,
    `Invalid value specified for "${name}" element within "${api}": "${value}"`,
  );
}
