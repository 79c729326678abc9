import { z } from "zod";
import type { Problem } from "../../../bed/errors";
import { tagsInput } from "./tagging";

const disk = z
  .object({
    label: z.string().describe("Name of the disk inside the resource."),
    size: z.int().min(1).optional().describe("GiB; needed except for a template's disk."),
    unitNumber: z.int().min(0).max(59).default(0).describe("Place on the bus: 15 per controller."),
    datastoreId: z.string().optional().describe("Default: the machine's datastore."),
    diskMode: z.string().default("persistent"),
    eagerlyScrub: z.boolean().default(false).describe("Thick, zeroed when made."),
    thinProvisioned: z.boolean().default(true),
    key: z.int().optional().describe("Output: key of the device."),
    path: z.string().optional().describe("Output: file of the disk."),
    uuid: z.string().optional().describe("Output: uuid of the disk."),
  })
  .meta({ id: "VirtualMachineDisk" });

const networkInterface = z
  .object({
    networkId: z.string(),
    adapterType: z.string().default("vmxnet3").describe("`e1000`, `e1000e` or `vmxnet3`."),
    useStaticMac: z.boolean().default(false),
    macAddress: z.string().optional(),
    key: z.int().optional().describe("Output: key of the device."),
  })
  .meta({ id: "VirtualMachineNetworkInterface" });

const linuxOptions = z
  .object({
    hostName: z.string(),
    domain: z.string(),
    hwClockUtc: z.boolean().default(true),
    timeZone: z.string().optional(),
    scriptText: z.string().optional().meta({ secret: true }),
  })
  .meta({ id: "VirtualMachineCloneCustomizeLinuxOptions" });

const windowsOptions = z
  .object({
    computerName: z.string(),
    adminPassword: z.string().optional().meta({ secret: true }),
    autoLogon: z.boolean().optional(),
    autoLogonCount: z.int().default(1),
    workgroup: z.string().optional(),
    joinDomain: z.string().optional(),
    domainAdminUser: z.string().optional(),
    domainAdminPassword: z.string().optional().meta({ secret: true }),
    domainOu: z.string().optional(),
    fullName: z.string().default("Administrator"),
    organizationName: z.string().default("Managed by Terraform"),
    productKey: z.string().optional().meta({ secret: true }),
    runOnceCommandLists: z.array(z.string()).optional(),
    timeZone: z.int().default(85),
  })
  .meta({ id: "VirtualMachineCloneCustomizeWindowsOptions" });

const customizeInterface = z
  .object({
    ipv4Address: z.string().optional().describe("Default: DHCP."),
    ipv4Netmask: z.int().min(0).max(32).optional().describe("Length of the prefix."),
    dnsDomain: z.string().optional(),
    dnsServerLists: z.array(z.string()).optional(),
  })
  .meta({ id: "VirtualMachineCloneCustomizeNetworkInterface" });

const customize = z
  .object({
    ipv4Gateway: z.string().optional(),
    dnsServerLists: z.array(z.string()).optional(),
    dnsSuffixLists: z.array(z.string()).optional(),
    linuxOptions: linuxOptions.optional(),
    windowsOptions: windowsOptions.optional(),
    networkInterfaces: z.array(customizeInterface).optional(),
    timeout: z.int().default(10).describe("Minutes; 0 does not wait for the customization."),
  })
  .meta({ id: "VirtualMachineCloneCustomize" });

const clone = z
  .object({
    templateUuid: z.string().describe("Uuid of the template or machine."),
    linkedClone: z.boolean().optional(),
    timeout: z.int().default(30).describe("Minutes."),
    customize: customize.optional(),
  })
  .meta({ id: "VirtualMachineClone" });

/** Inputs with the official provider's defaults. */
export const vmInputs = z.object({
  name: z.string().optional(),
  resourcePoolId: z.string(),
  hostSystemId: z.string().optional(),
  datastoreId: z.string().optional(),
  folder: z.string().optional().describe("Folder below the datacenter's folder for machines."),
  annotation: z.string().optional(),
  guestId: z.string().optional().describe("Default: `other-64`, or the template's."),
  firmware: z.string().default("bios").describe("`bios` or `efi`."),
  hardwareVersion: z.int().optional(),
  numCpus: z.int().min(1).default(1),
  numCoresPerSocket: z.int().min(1).default(1),
  memory: z.int().min(4).default(1024).describe("MiB."),
  memoryReservation: z.int().optional().describe("MB."),
  memoryReservationLockedToMax: z.boolean().optional(),
  cpuReservation: z.int().optional().describe("MHz."),
  cpuLimit: z.int().default(-1).describe("MHz; -1 is none."),
  cpuShareLevel: z.string().default("normal"),
  latencySensitivity: z.string().default("normal"),
  swapPlacementPolicy: z.string().default("inherit"),
  enableDiskUuid: z.boolean().optional(),
  syncTimeWithHost: z.boolean().default(true),
  extraConfig: z.record(z.string(), z.string()).optional(),
  scsiType: z.string().default("pvscsi"),
  scsiControllerCount: z.int().min(1).max(4).default(1),
  disks: z.array(disk).optional(),
  networkInterfaces: z.array(networkInterface).optional(),
  clone: clone.optional(),
  forcePowerOff: z.boolean().default(true),
  shutdownWaitTimeout: z.int().default(3).describe("Minutes."),
  poweronTimeout: z.int().default(300).describe("Seconds."),
  migrateWaitTimeout: z.int().default(30).describe("Minutes."),
  waitForGuestIpTimeout: z.int().default(0).describe("Minutes; below 1 does not wait."),
  waitForGuestNetTimeout: z.int().default(5).describe("Minutes; below 1 does not wait."),
  waitForGuestNetRoutable: z.boolean().default(true),
  ignoredGuestIps: z.array(z.string()).optional(),
  replaceTrigger: z.string().optional(),
  tags: tagsInput,
});

export const vmState = vmInputs.extend({
  uuid: z.string(),
  moid: z.string(),
  changeVersion: z.string(),
  defaultIpAddress: z.string(),
  guestIpAddresses: z.array(z.string()),
  powerState: z.string(),
  rebootRequired: z.boolean(),
  vmwareToolsStatus: z.string(),
  vmxPath: z.string(),
});

export type VmInputs = z.infer<typeof vmInputs>;
export type VmState = z.infer<typeof vmState>;
export type VmDisk = z.infer<typeof disk>;
export type VmNetworkInterface = z.infer<typeof networkInterface>;
export type VmCustomize = z.infer<typeof customize>;

/** What the official provider refuses before it does anything. */
export function checkVm(args: Partial<VmInputs>): readonly Problem[] {
  const problems: Problem[] = [];
  const disks = args.disks ?? [];
  disks.forEach((candidate, index) => {
    const path = `disks[${index.toString()}]`;
    if (candidate.eagerlyScrub && candidate.thinProvisioned) {
      const message = "eagerlyScrub and thinProvisioned exclude each other";
      problems.push({ path, message, remedy: "set thinProvisioned: false" });
    }
    const same = (other: VmDisk): boolean =>
      other.label === candidate.label || other.unitNumber === candidate.unitNumber;
    if (disks.findIndex(same) < index) {
      problems.push({ path, message: "label or unitNumber is taken by another disk" });
    }
    if (candidate.size === undefined && (args.clone === undefined || index > 0)) {
      problems.push({ path: `${path}.size`, message: "a new disk needs a size" });
    }
  });
  const { numCpus, numCoresPerSocket } = args;
  if (numCpus !== undefined && numCoresPerSocket !== undefined && numCpus % numCoresPerSocket > 0) {
    problems.push({ path: "numCpus", message: "is no multiple of numCoresPerSocket" });
  }
  return problems;
}
