import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { runTask } from "../../../provider/devices/vcenter/tasks";
import { watch } from "../../../provider/devices/vcenter/updates";
import type { MoRef, VimValue } from "../../../provider/devices/vcenter/values";
import { object, refOf } from "../../../provider/devices/vcenter/values";
import type { XmlElement } from "../../../provider/devices/xml";
import type { VmCustomize } from "./vm-schema";

/** CustomizationSpec for a program's `customize` block. */
function customizationSpec(args: VmCustomize): VimValue {
  const { linuxOptions: linux, windowsOptions: windows } = args;
  return object("CustomizationSpec", {
    options:
      windows === undefined
        ? object("CustomizationLinuxOptions", {})
        : object("CustomizationWinOptions", { changeSID: true, deleteAccounts: false }),
    identity: windows === undefined ? linuxPrep(linux) : sysprep(windows),
    globalIPSettings: object("CustomizationGlobalIPSettings", {
      dnsSuffixList: args.dnsSuffixLists,
      dnsServerList: args.dnsServerLists,
    }),
    nicSettingMap: (args.networkInterfaces ?? []).map((nic) =>
      object("CustomizationAdapterMapping", { adapter: adapter(nic, args.ipv4Gateway) }),
    ),
  });
}

type Nic = NonNullable<VmCustomize["networkInterfaces"]>[number];

function adapter(nic: Nic, gateway: string | undefined): VimValue {
  const { ipv4Address: ipAddress, ipv4Netmask: bits = 0 } = nic;
  const fixed = ipAddress !== undefined;
  // The gateway belongs to the card whose network it lies in.
  const isNear = fixed && gateway !== undefined && sameNetwork(ipAddress, gateway, bits);
  return object("CustomizationIPSettings", {
    ip: fixed
      ? object("CustomizationFixedIp", { ipAddress })
      : object("CustomizationDhcpIpGenerator", {}),
    subnetMask: fixed ? netmask(bits) : undefined,
    gateway: isNear ? gateway : undefined,
    dnsServerList: nic.dnsServerLists,
    dnsDomain: nic.dnsDomain,
  });
}

function linuxPrep(linux: VmCustomize["linuxOptions"]): VimValue {
  return object("CustomizationLinuxPrep", {
    hostName: object("CustomizationFixedName", { name: linux?.hostName ?? "" }),
    domain: linux?.domain ?? "",
    timeZone: linux?.timeZone,
    hwClockUTC: linux?.hwClockUtc,
    scriptText: linux?.scriptText,
  });
}

function sysprep(windows: NonNullable<VmCustomize["windowsOptions"]>): VimValue {
  const commands = windows.runOnceCommandLists;
  return object("CustomizationSysprep", {
    guiUnattended: object("CustomizationGuiUnattended", {
      password: password(windows.adminPassword),
      timeZone: windows.timeZone,
      autoLogon: windows.autoLogon ?? false,
      autoLogonCount: windows.autoLogonCount,
    }),
    userData: object("CustomizationUserData", {
      fullName: windows.fullName,
      orgName: windows.organizationName,
      computerName: object("CustomizationFixedName", { name: windows.computerName }),
      productId: windows.productKey ?? "",
    }),
    guiRunOnce:
      commands === undefined
        ? undefined
        : object("CustomizationGuiRunOnce", { commandList: commands }),
    identification: object("CustomizationIdentification", {
      joinWorkgroup: windows.workgroup,
      joinDomain: windows.joinDomain,
      domainAdmin: windows.domainAdminUser,
      domainAdminPassword: password(windows.domainAdminPassword),
      domainOU: windows.domainOu,
    }),
  });
}

function password(value: string | undefined): VimValue {
  return value === undefined
    ? undefined
    : object("CustomizationPassword", { value, plainText: true });
}

/** Hands the customization over; the guest carries it out when it starts. */
export async function customize(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  name: string,
  args: VmCustomize,
): Promise<void> {
  const attempt = { operation: "customize machine", object: name };
  const spec = customizationSpec(args);
  await runTask(client, call, attempt, "CustomizeVM_Task", vm, { spec });
}

/** Events that end a customization (vSphere API, CustomizationFailed and the classes below it). */
const endings = [
  "CustomizationSucceeded",
  "CustomizationFailed",
  "CustomizationLinuxIdentityFailed",
  "CustomizationNetworkSetupFailed",
  "CustomizationSysprepFailed",
  "CustomizationUnknownFailure",
];

/**
 * Collects the customization events of a machine; made before it starts, so that none is missed.
 * @returns waits until the customization has succeeded; `refused` when it failed.
 */
export async function customizationWaiter(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  name: string,
  minutes: number,
): Promise<(call: DeviceCall) => Promise<void>> {
  const attempt = { operation: "wait for the customization of machine", object: name };
  const { eventManager } = await client.content(call);
  if (eventManager === undefined || minutes < 1) return () => Promise.resolve();
  const answer = await client.invoke(call, attempt, "CreateCollectorForEvents", eventManager, {
    filter: object("EventFilterSpec", {
      entity: object("EventFilterSpecByEntity", { entity: vm, recursion: "self" }),
      eventTypeId: endings,
    }),
  });
  const collector = refOf(answer.find("returnval"));
  if (collector === undefined) throw client.protocolError(attempt, "no event collector was made");
  return async (waiting) => {
    const limit = AbortSignal.timeout(minutes * 60_000);
    const limited = { ...waiting, signal: AbortSignal.any([waiting.signal, limit]) };
    try {
      const event = await watch(
        client,
        limited,
        attempt,
        { refs: [collector], paths: ["latestPage"] },
        (seen) => lastEvent(seen.get(collector.value)?.get("latestPage")),
      );
      if (event.type !== "CustomizationSucceeded") {
        const reason = `the guest reported ${event.type ?? "a failure"}: ${event.string("fullFormattedMessage") ?? ""}`;
        throw new DeviceError({ kind: "refused", device: client.device, ...attempt, reason });
      }
    } catch (error) {
      if (!limit.aborted || waiting.signal.aborted) throw error;
      const reason = `no word from the guest after ${minutes.toString()} min`;
      const remedy = "Check the guest's console and its tools.";
      const fields = { device: client.device, ...attempt, reason, remedy, cause: error };
      throw new DeviceError({ ...fields, kind: "timeout" });
    } finally {
      await client.invokeQuietly("DestroyCollector", collector);
    }
  };
}

function lastEvent(page: XmlElement | undefined): XmlElement | undefined {
  return page?.elements.find((event) => endings.includes(event.type ?? ""));
}

function netmask(bits: number): string {
  const mask = bits === 0 ? 0 : (0xffffffff << (32 - bits)) >>> 0;
  return [24, 16, 8, 0].map((shift) => ((mask >>> shift) & 255).toString()).join(".");
}

function sameNetwork(a: string, b: string, bits: number): boolean {
  const number = (text: string): bigint =>
    text.split(".").reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
  const shift = BigInt(32 - bits);
  return number(a) >> shift === number(b) >> shift;
}
