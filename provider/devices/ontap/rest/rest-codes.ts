import type { DeviceErrorKind } from "../../../../bed/errors";
import type { Retry } from "../line";

/** What a code of ONTAP means for us. */
export interface CodeMeaning {
  readonly kind: DeviceErrorKind;
  readonly meaning: string;
  readonly remedy?: string;
  readonly retry?: Retry;
}

const absent = (object: string): CodeMeaning => ({
  kind: "notFound",
  meaning: `${object} does not exist`,
});
const exists = (object: string): CodeMeaning => ({
  kind: "alreadyExists",
  meaning: `${object} exists already`,
});
/** Somebody (perhaps our own request whose answer was lost) is making it right now: look again. */
const beingMade = (object: string): CodeMeaning => ({
  kind: "busy",
  meaning: `${object} is being created or deleted right now`,
});
const inUse = (meaning: string, remedy: string): CodeMeaning => ({
  kind: "refused",
  meaning,
  remedy,
});
const later = (meaning: string, pauseMs: number, forMs: number): CodeMeaning => ({
  kind: "busy",
  meaning,
  retry: { pauseMs, forMs },
});

/**
 * Documented codes, from the error tables of the ONTAP REST API Reference (each operation's page) and
 * the clients of NetApp (Trident, Ansible collection netapp.ontap), which treat them so.
 */
const table: Readonly<Record<string, CodeMeaning>> = {
  // Generic
  "1": exists("the entry"),
  "3": { kind: "unsupported", meaning: "this release has no such request" },
  "4": absent("the entry"),
  "6": {
    kind: "unauthorized",
    meaning: "the account may not do this",
    remedy:
      "Give the account a role with this command (docs: security login rest-role), or use another.",
  },
  "6691623": {
    kind: "unauthorized",
    meaning: "user or password is wrong",
    remedy: "Correct the credentials that the device's reference points to.",
  },
  "262179": { kind: "unsupported", meaning: "this release does not know a field of the request" },
  "262196": { kind: "unsupported", meaning: "this release does not let that field be set" },
  "262197": {
    kind: "unsupported",
    meaning: "this release does not know a field that was asked for",
  },
  "2425736": absent("the node"),
  "2621573": later("the configuration is locked for a moment", 30_000, 90_000),
  "19726382": later("another provisioning operation is running", 30_000, 300_000),
  "8454210": later("a QoS workload is being made or removed", 3_000, 30_000),
  "9241607": { kind: "unsupported", meaning: "the cluster has not been set up yet" },
  "1115127": {
    kind: "refused",
    meaning: "the licence of this protocol is missing",
    remedy: "Install the licence of the protocol (system license add).",
  },
  // SVM
  "2621462": absent("the SVM"),
  "13434908": exists("an SVM, IPspace or cluster of this name"),
  "13434915": beingMade("the SVM"),
  "13434916": beingMade("the SVM"),
  "13434894": later("more than five SVM jobs are running", 30_000, 600_000),
  "13434889": later("the SVM job asks to be repeated", 5_000, 60_000),
  "13434909": inUse("no aggregate can take the root volume", "Name pools with free space."),
  "13434914": inUse("there is no space for the root volume", "Free space in the pools."),
  // FCP service, ports, interfaces
  "2621507": inUse(
    "the SVM does not allow this protocol",
    "Allow it (vserver add-protocols), or use another SVM.",
  ),
  "5374082": exists("the FCP service"),
  "5374083": absent("the FCP service"),
  "5374092": inUse(
    "the cluster has no FC adapter in target mode",
    "Set ports to target mode (ucadmin modify).",
  ),
  "5373960": inUse("the service is still enabled", "Disable it first."),
  "5373966": inUse("the SVM serves NVMe and cannot serve FCP too", "Use another SVM."),
  "1966140": exists("an interface of this name"),
  "1966217": inUse("the node has no such port", "Correct controller and port of this target port."),
  "53280992": inUse("the interface is still enabled", "Disable it first."),
  "5374102": inUse("the FC adapter is down", "Check the cable and the adapter (fcp adapter show)."),
  "5374871": absent("the FC port"),
  "5374872": absent("the FC port"),
  "5374873": absent("the FC port"),
  // Volumes
  "917526": exists("a volume of this name"),
  "13107405": beingMade("the volume"),
  "917508": absent("the aggregate"),
  "787140": absent("the aggregate"),
  "917534": inUse("the size is below the least of 20 MiB", "Ask for a larger volume."),
  "917597": inUse("that aggregate holds a node's root", "Use a data aggregate."),
  "917927": absent("the volume"),
  "918235": absent("the volume"),
  "524486": later("the volume is busy", 2_000, 60_000),
  "524615": inUse("the volume has clones", "Remove the clones first."),
  "6881612": inUse(
    "inline deduplication is for all-flash and hybrid systems",
    "Ask for deduplication off or in the background.",
  ),
  "6881640": { kind: "unsupported", meaning: "the state of efficiency cannot be set over REST" },
  "6881654": inUse(
    "the platform does not let data reduction be switched off",
    "Leave the volume group's dataReduction out.",
  ),
  "6881659": inUse("the volume's efficiency mode cannot go back", "Make the volume anew."),
  // Aggregates
  "786439": exists("an aggregate of this name (root aggregates are not listed)"),
  "786771": absent("the aggregate"),
  "786973": inUse("there are too few spare disks", "Use fewer disks."),
  "787267": inUse("there are too few spare disks", "Use fewer disks."),
  "19726341": inUse("there are too few spare disks", "Use fewer disks."),
  "786497": inUse(
    "the aggregate still holds volumes",
    "Remove them; volumes in the recovery queue count too.",
  ),
  // LUNs
  "5374242": exists("a LUN or namespace of this path"),
  "5440688": exists("a LUN of this name"),
  "1260136": exists("a LUN of this name"),
  "5374863": exists("the LUN (made in part)"),
  "5702832": beingMade("the LUN"),
  "5374875": absent("the LUN"),
  "5374876": absent("the LUN"),
  "1254201": absent("the LUN"),
  "1254226": exists("a LUN of exactly this size"),
  "5374892": inUse("a LUN cannot be made smaller", "Volumes never shrink: keep the size."),
  "1254197": inUse("the LUN is mapped", "Unmap it first."),
  "5440509": inUse("there is no space", "Use a larger pool, smaller or thin volumes."),
  // igroups and maps
  "5374023": exists("an igroup of this name"),
  "5374852": absent("the igroup"),
  "5374878": absent("the igroup"),
  "5374035": exists("the initiator in this igroup"),
  "5374034": absent("the initiator in this igroup"),
  "1254213": inUse("the igroup is mapped", "Unmap its volumes first."),
  "1254207": exists("the map"),
  "5374922": absent("the map"),
  "1254193": inUse(
    "an initiator is in two igroups that see this LUN",
    "Take it out of the other igroup.",
  ),
  "1254324": inUse(
    "an initiator sees this LUN number already through another igroup",
    "Choose another first LUN number.",
  ),
  "5374573": inUse("no FC interface on the LUN's nodes", "Give each node a target port."),
  "5374574": inUse("no FC interface on the LUN's nodes", "Give each node a target port."),
  // NVMe
  "72089650": exists("the NVMe service"),
  "72089651": absent("the NVMe service"),
  "72089652": inUse("the SVM has no NVMe service yet", "Create it first."),
  "72089653": inUse("the NVMe service still has subsystems", "Remove them first."),
  "72089654": inUse("the NVMe service still has interfaces", "Remove them first."),
  "72089672": inUse("the port does not take NVMe", "Use a port whose adapter supports fc_nvme."),
  "72089674": inUse("an NVMe interface cannot move", "Remove it and make it anew."),
  "72089900": inUse(
    "the SVM serves a SAN protocol and cannot serve NVMe too",
    "Use another SVM: one SVM has one of the two on this release.",
  ),
  "72089901": inUse(
    "an SVM can have two NVMe interfaces on a node",
    "Name two ports per controller at most.",
  ),
  "72090028": inUse("the NVMe service is still enabled", "Disable it first."),
  "72090029": inUse("the SVM has no NVMe service", "Create the targets first."),
  "72090025": exists("a subsystem of this name"),
  "72090001": absent("the subsystem"),
  "72090021": absent("the subsystem"),
  "72090023": inUse("namespaces are mapped to the subsystem", "Unmap them first."),
  "72090024": inUse("the subsystem still has hosts", "Remove them first."),
  "72090030": exists("the subsystem (made in part)"),
  "72090043": inUse("an igroup has this name", "Choose another name."),
  "72089705": exists("the host in this subsystem"),
  "72090004": absent("the host in this subsystem"),
  "72089771": inUse("the NQN is not of the right form", "Correct the host's NQN."),
  "72089772": inUse("the NQN is not of the right form", "Correct the host's NQN."),
  "72089773": inUse("the NQN is not of the right form", "Correct the host's NQN."),
  "72089725": exists("a LUN or namespace of this path"),
  "72089727": inUse("the root volume of an SVM takes no namespaces", "Use another volume."),
  "72089731": absent("the namespace"),
  "72090006": absent("the namespace"),
  "72090007": absent("the namespace"),
  "72090009": exists("the namespace (made in part)"),
  "72090015": exists("the namespace (made in part)"),
  "72090014": absent("the volume"),
  "72090038": inUse("a namespace cannot be made smaller", "Volumes never shrink: keep the size."),
  "72089796": inUse("the namespace is mapped", "Unmap it first."),
  "72089790": exists("the map of this namespace, here or in another subsystem,"),
  "72090019": absent("the map"),
  "72089902": inUse("no NVMe interface on the namespace's nodes", "Give each node a target port."),
  "72089903": inUse("no NVMe interface on the namespace's nodes", "Give each node a target port."),
  "72089904": later("the aggregate is not at home", 5_000, 120_000),
  "5374316": later("the LUN is being moved", 5_000, 120_000),
};

/** Codes that only say that a job failed; the reason is in the text. */
export const wrapperCodes: ReadonlySet<string> = new Set(["460770", "917536"]);

/** Undefined for a code that no table names. */
export function meaningOfCode(code: string | undefined): CodeMeaning | undefined {
  return code === undefined ? undefined : table[code];
}
