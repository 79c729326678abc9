import type { DeviceCall } from "../../../../provider/devices/call";
import type { VimClient } from "../../../../provider/devices/vcenter/client";
import { NvmeCalls, readControllers, readNqn } from "../../../../provider/devices/vcenter/nvme";
import { readLuns } from "../../../../provider/devices/vcenter/storage-info";
import { StorageSystem } from "../../../../provider/devices/vcenter/storage-system";
import { encodeField, ref, type VimValue } from "../../../../provider/devices/vcenter/values";
import { parseXml } from "../../../../provider/devices/xml";
import { parseWwnn, parseWwpn } from "../../../../bed/identities";
import { call } from "../../../support/device-rig";

const nqn = "nqn.1992-08.com.netapp:sn.0f1e2d3c4b5a69788796a5b4c3d2e1f0:subsystem.sanbed_x";

/** HostStorageDeviceInfo as the vSphere API reference has it, as far as NVMe goes. */
const info = parseXml(`<info xmlns:xsi="x">
  <hostBusAdapter xsi:type="HostFibreChannelHba"><key>hba-64</key><device>vmhba64</device><storageProtocol>nvme</storageProtocol></hostBusAdapter>
  <hostBusAdapter xsi:type="HostPcieHba"><key>hba-1</key><device>vmhba1</device></hostBusAdapter>
  <scsiLun xsi:type="HostScsiDisk"><key>lun-1</key><uuid>id-1</uuid><canonicalName>uuid.5084e29a6bb24fbca5ba076eda8ecd7e</canonicalName><operationalState>ok</operationalState><vendor>NVMe</vendor><model>NetApp ONTAP Controller</model><capacity><blockSize>512</blockSize><block>2048</block></capacity></scsiLun>
  <scsiLun xsi:type="HostScsiDisk"><key>lun-2</key><uuid>id-2</uuid><canonicalName>eui.0025385b71b00001</canonicalName><operationalState>ok</operationalState></scsiLun>
  <multipathInfo>
    <lun><id>m-1</id><lun>lun-1</lun>
      <path><adapter>hba-64</adapter><name>vmhba64:C0:T0:L1</name><pathState>active</pathState><transport xsi:type="HostFibreChannelTargetTransport"><portWorldWideName>2306969108886814721</portWorldWideName></transport></path>
      <policy><policy>LB-RR</policy></policy></lun>
    <lun><id>m-2</id><lun>lun-2</lun><path><adapter>hba-1</adapter><pathState>active</pathState><transport xsi:type="HostPcieTargetTransport"/></path></lun>
  </multipathInfo>
  <nvmeTopology><adapter><adapter>hba-64</adapter>
    <connectedController><controllerNumber>257</controllerNumber><subnqn>${nqn}</subnqn>
      <attachedNamespace><name>uuid.5084e29a6bb24fbca5ba076eda8ecd7e</name><id>1</id></attachedNamespace></connectedController>
    <connectedController><controllerNumber>258</controllerNumber><subnqn>${nqn}</subnqn></connectedController>
  </adapter></nvmeTopology></info>`);

interface Invoked {
  readonly method: string;
  readonly fields: string;
}

/** A vCenter that notes what is called. */
function vcenter(): { readonly client: VimClient; readonly invoked: Invoked[] } {
  const invoked: Invoked[] = [];
  const client = {
    device: "vcenter",
    invoke: (
      _call: DeviceCall,
      _attempt: unknown,
      method: string,
      _system: unknown,
      fields: Readonly<Record<string, VimValue>>,
    ) => {
      const text = Object.entries(fields).map(([name, value]) => encodeField(name, value));
      invoked.push({ method, fields: text.join("") });
      return Promise.resolve(parseXml("<returnval/>"));
    },
  } as unknown as VimClient;
  return { client, invoked };
}

const system = ref("HostStorageSystem", "storage-1");

describe("NVMe on a host", () => {
  test("shows namespaces with their paths, and leaves the host's own drives alone", () => {
    const [lun, ...others] = readLuns(info, [], new Map());
    expect(others).toEqual([]);
    expect(lun?.device).toMatchObject({
      name: "uuid.5084e29a6bb24fbca5ba076eda8ecd7e",
      policy: "LB-RR",
      capacityBytes: 1048576n,
      paths: [{ adapter: "vmhba64", lun: 1, state: "active" }],
    });
  });

  test("shows connections with what hangs on each", () => {
    expect(readControllers(info)).toEqual([
      {
        adapter: "vmhba64",
        subsystem: nqn,
        number: 257,
        namespaces: [{ nsid: 1, device: "uuid.5084e29a6bb24fbca5ba076eda8ecd7e" }],
      },
      { adapter: "vmhba64", subsystem: nqn, number: 258, namespaces: [] },
    ]);
    expect(readControllers(parseXml("<info/>"))).toEqual([]);
  });

  test("has a name of its own, told by late releases only", () => {
    const names = (type: string) =>
      parseXml(
        `<systemInfo><qualifiedName><value>nqn.2014-08.com.vmware:nvme:esx01</value><type>${type}</type></qualifiedName></systemInfo>`,
      );
    expect(readNqn(names("nvmeQualifiedName"))).toBe("nqn.2014-08.com.vmware:nvme:esx01");
    expect(readNqn(names("iSCSIQualifiedName"))).toBeUndefined();
    expect(readNqn(undefined)).toBeUndefined();
  });

  test("is told where to look with port names as signed numbers", async () => {
    const { client, invoked } = vcenter();
    const target = {
      wwpn: parseWwpn("a0:01:00:a0:98:aa:bb:cc")!,
      wwnn: parseWwnn("20:00:00:a0:98:aa:bb:cc")!,
    };
    await new NvmeCalls(client).discover(call(), "esx01", system, "vmhba64", target);
    expect(invoked.map((one) => one.method)).toEqual(["DiscoverNvmeControllers"]);
    const fields = invoked[0]?.fields ?? "";
    const signed = BigInt.asIntN(64, 0xa00100a098aabbccn).toString();
    expect(fields).toContain(`<portWorldWideName>${signed}</portWorldWideName>`);
    expect(fields).toContain("<autoConnect>true</autoConnect>");
  });

  test("gets path policies by the call of its own plug-in", async () => {
    const { client, invoked } = vcenter();
    const [lun] = readLuns(info, [], new Map());
    const what = { host: "esx01", lun: lun!, policy: "LB-IOPS" };
    await new StorageSystem(client).setPolicy(call(), system, what);
    expect(invoked[0]?.method).toBe("UpdateHppMultipathLunPolicy");
    expect(invoked[0]?.fields).toContain("HostMultipathInfoHppLogicalUnitPolicy");
  });
});
