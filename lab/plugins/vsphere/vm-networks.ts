import type { DeviceCall } from "../../../provider/devices/call";
import type { VimClient } from "../../../provider/devices/vcenter/client";
import { readOne } from "../../../provider/devices/vcenter/properties";
import type { VimValue } from "../../../provider/devices/vcenter/values";
import { object, ref, refOf } from "../../../provider/devices/vcenter/values";
import type { LiveNic } from "./vm-devices";
import { nicClass } from "./vm-devices";
import type { VmNetworkInterface } from "./vm-schema";

/**
 * What a card is plugged into. Ids of distributed port groups begin with `dvportgroup-`; all others
 * that this stand-in serves are standard networks.
 */
async function backing(client: VimClient, call: DeviceCall, networkId: string): Promise<VimValue> {
  const attempt = { operation: "look up network", object: networkId };
  if (!networkId.startsWith("dvportgroup-")) {
    const network = ref("Network", networkId);
    const name = (await readOne(client, call, attempt, network, ["name"])).get("name")?.text;
    return object("VirtualEthernetCardNetworkBackingInfo", { deviceName: name, network });
  }
  const group = ref("DistributedVirtualPortgroup", networkId);
  const paths = ["key", "config.distributedVirtualSwitch"];
  const values = await readOne(client, call, attempt, group, paths);
  const dvs = refOf(values.get("config.distributedVirtualSwitch"));
  if (dvs === undefined) throw client.protocolError(attempt, "the port group has no switch");
  const uuid = (await readOne(client, call, attempt, dvs, ["uuid"])).get("uuid")?.text;
  return object("VirtualEthernetCardDistributedVirtualPortBackingInfo", {
    port: object("DistributedVirtualSwitchPortConnection", {
      switchUuid: uuid,
      portgroupKey: values.get("key")?.text,
    }),
  });
}

/** Changes that turn the cards there are into the cards that are wanted, place by place. */
export async function nicChanges(
  client: VimClient,
  call: DeviceCall,
  live: readonly LiveNic[],
  wanted: readonly VmNetworkInterface[],
): Promise<readonly VimValue[]> {
  const changes: VimValue[] = [];
  for (const [index, nic] of wanted.entries()) {
    const old = live[index];
    if (old !== undefined && sameCard(old, nic)) continue;
    const plug = await backing(client, call, nic.networkId);
    if (old?.adapterType === nic.adapterType) changes.push(changedCard(old, nic, plug));
    else changes.push(...(old === undefined ? [] : [removeCard(old)]), newCard(nic, index, plug));
  }
  return [...changes, ...live.slice(wanted.length).map(removeCard)];
}

const connected = object("VirtualDeviceConnectInfo", {
  startConnected: true,
  allowGuestControl: true,
  connected: true,
});

function newCard(nic: VmNetworkInterface, index: number, plug: VimValue): VimValue {
  const device = object(nicClass(nic.adapterType), {
    key: -300 - index,
    backing: plug,
    connectable: connected,
    addressType: nic.useStaticMac ? "manual" : "generated",
    macAddress: nic.useStaticMac ? nic.macAddress : undefined,
  });
  return object("VirtualDeviceConfigSpec", { operation: "add", device });
}

function changedCard(old: LiveNic, nic: VmNetworkInterface, plug: VimValue): VimValue {
  const device = object(nicClass(nic.adapterType), {
    key: old.key,
    backing: plug,
    connectable: connected,
    controllerKey: old.element.number("controllerKey"),
    unitNumber: old.element.number("unitNumber"),
    addressType: nic.useStaticMac ? "manual" : "generated",
    macAddress: nic.useStaticMac ? nic.macAddress : old.macAddress,
  });
  return object("VirtualDeviceConfigSpec", { operation: "edit", device });
}

function sameCard(old: LiveNic, nic: VmNetworkInterface): boolean {
  const sameMac = !nic.useStaticMac || nic.macAddress === old.macAddress;
  return old.networkId === nic.networkId && old.adapterType === nic.adapterType && sameMac;
}

function removeCard(old: LiveNic): VimValue {
  const device = object(nicClass(old.adapterType), { key: old.key });
  return object("VirtualDeviceConfigSpec", { operation: "remove", device });
}
