import { DeviceError } from "../../../bed/errors";
import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { watch } from "../../../provider/devices/vcenter/updates";
import type { MoRef } from "../../../provider/devices/vcenter/values";
import type { XmlElement } from "../../../provider/devices/xml";
import type { VmInputs } from "./vm-schema";

export interface GuestAddressEntry {
  readonly address: string;
  readonly prefixLength: number;
}

/** Addresses that the guest's tools report (ArrayOfGuestNicInfo). */
export function guestAddresses(net: XmlElement | undefined): readonly GuestAddressEntry[] {
  return (net?.elements ?? []).flatMap((nic) => {
    const configured = nic.find("ipConfig")?.all("ipAddress") ?? [];
    if (configured.length === 0) {
      return nic.all("ipAddress").map((ip) => ({ address: ip.text, prefixLength: 0 }));
    }
    return configured.map((ip) => ({
      address: ip.string("ipAddress") ?? "",
      prefixLength: ip.number("prefixLength") ?? 0,
    }));
  });
}

/** The address that lies in the network of a default route; without routes the first one. */
export function defaultAddress(
  addresses: readonly GuestAddressEntry[],
  stacks: XmlElement | undefined,
): string | undefined {
  const routable = addresses.find((entry) => isRoutable(entry, gateways(stacks)));
  return (routable ?? addresses.find((entry) => isIpv4(entry.address)))?.address;
}

/** Gateways of default routes (ArrayOfGuestStackInfo). */
function gateways(stacks: XmlElement | undefined): readonly string[] {
  const routes = (stacks?.elements ?? []).flatMap(
    (stack) => stack.find("ipRouteConfig")?.all("ipRoute") ?? [],
  );
  return routes
    .filter((route) => route.string("network") === "0.0.0.0" && route.number("prefixLength") === 0)
    .flatMap((route) => route.string("gateway.ipAddress") ?? []);
}

function isRoutable(entry: GuestAddressEntry, via: readonly string[]): boolean {
  const address = ipv4(entry.address);
  if (address === undefined) return false;
  const shift = BigInt(32 - entry.prefixLength);
  return via.some((gateway) => {
    const number = ipv4(gateway);
    return number !== undefined && number >> shift === address >> shift;
  });
}

/**
 * Addresses that the official plugin's waiter passes over (skipIPAddrForWaiter): multicast, link-local and
 * loopback ones, which the lab's guests have, and those that the program ignores, by address or network.
 */
export function isWaitedFor({ address }: GuestAddressEntry, ignored: readonly string[]): boolean {
  const number = ipv4(address);
  return number !== undefined && ![...neverWaitedFor, ...ignored].some((net) => isIn(number, net));
}

const neverWaitedFor = ["127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4"];

function isIn(address: bigint, network: string): boolean {
  const [base = "", bits = "32"] = network.split("/");
  const first = ipv4(base);
  const shift = BigInt(32 - Number(bits));
  return first !== undefined && first >> shift === address >> shift;
}

function isIpv4(text: string): boolean {
  return ipv4(text) !== undefined;
}

function ipv4(text: string): bigint | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)?.slice(1);
  return parts?.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

/** Waits as the program asks for: for an address at all, and for one that a route leads to. */
export async function waitForGuest(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  name: string,
  args: VmInputs,
): Promise<void> {
  const { waitForGuestIpTimeout: ip, waitForGuestNetTimeout: net } = args;
  if (net > 0)
    await waitForAddress(client, call, vm, name, args, args.waitForGuestNetRoutable, net);
  if (ip > 0) await waitForAddress(client, call, vm, name, args, false, ip);
}

async function waitForAddress(
  client: VimClient,
  call: DeviceCall,
  vm: MoRef,
  name: string,
  args: VmInputs,
  routable: boolean,
  minutes: number,
): Promise<void> {
  const limit = AbortSignal.timeout(minutes * 60_000);
  const limited = { ...call, signal: AbortSignal.any([call.signal, limit]) };
  const attempt = { operation: "wait for an address of machine", object: name };
  const ignored = args.ignoredGuestIps ?? [];
  const what = { refs: [vm], paths: ["guest.ipStack", "guest.net"] };
  try {
    await watch(client, limited, attempt, what, (seen) => {
      const values = seen.get(vm.value);
      const found = guestAddresses(values?.get("guest.net")).filter((entry) =>
        isWaitedFor(entry, ignored),
      );
      const via = gateways(values?.get("guest.ipStack"));
      return found.find((entry) => !routable || isRoutable(entry, via));
    });
  } catch (error) {
    if (!limit.aborted || call.signal.aborted) throw error;
    throw new DeviceError({
      kind: "timeout",
      device: client.device,
      ...attempt,
      reason: `timeout waiting for an available IP address: none${routable ? " that a default route leads to" : ""} after ${minutes.toString()} min`,
      remedy: "Check the guest's console, its tools and its network.",
      cause: error,
    });
  }
}
