import { readFileSync } from "node:fs";
import { vsphereProvider } from "../../lab/plugins/vsphere/definition";
import { startProvider } from "../../provider/kit/serve";
import { sanBinary } from "./host-rig";
import type { TestLab } from "./lab";
import { withLab } from "./lab";
import type { Wire } from "./plugin-client";
import { PluginClient, secret } from "./plugin-client";

export const cluster = "cluster-mysql";
export const first = "esx01.lab.invalid";
export const second = "esx02.lab.invalid";
export const tokenOf = (name: string): string =>
  `vsphere:index/${(name[0] ?? "").toLowerCase()}${name.slice(1)}:${name}`;

export interface Made {
  readonly id: string;
  readonly inputs: Wire;
  readonly state: Wire;
}

/** The stand-in against a lab's vCenter, spoken to as the engine does. */
export class VsphereRig {
  constructor(
    readonly lab: TestLab,
    readonly client: PluginClient,
  ) {}

  async lookUp(name: string, args: Wire): Promise<Wire> {
    const { result, failures } = await this.client.invoke(`vsphere:index/${name}:${name}`, args);
    expect(failures).toEqual([]);
    return result;
  }

  async id(name: string, args: Wire): Promise<string> {
    return String((await this.lookUp(name, args))["id"]);
  }

  async create(name: string, news: Wire): Promise<Made> {
    const token = tokenOf(name);
    const { inputs, failures } = await this.client.check(token, news);
    expect(failures).toEqual([]);
    const { id, state } = await this.client.create(token, inputs);
    return { id, inputs, state };
  }

  /** The second up and the refresh of an unchanged object: nothing differs, no input changes. */
  async expectStable(name: string, made: Made): Promise<void> {
    const token = tokenOf(name);
    expect(await this.client.diff(token, made.id, made, made.inputs)).toMatchObject({
      changes: false,
    });
    const read = await this.client.read(token, made.id, made);
    expect(read.id).toBe(made.id);
    expect(read.inputs).toEqual(made.inputs);
    const differing = Object.keys(read.state).filter(
      (key) => JSON.stringify(read.state[key]) !== JSON.stringify(made.state[key]),
    );
    expect(differing).toEqual([]);
  }

  async update(name: string, made: Made, news: Wire): Promise<Made> {
    const token = tokenOf(name);
    const { inputs } = await this.client.check(token, news);
    const state = await this.client.update(token, made.id, made, inputs);
    return { id: made.id, inputs, state };
  }

  async remove(name: string, made: Made): Promise<void> {
    await this.client.delete(tokenOf(name), made.id, made.state);
    await this.client.delete(tokenOf(name), made.id, made.state);
    expect((await this.client.read(tokenOf(name), made.id, made)).id).toBe("");
  }
}

/** @param release of the lab's vCenter; its newest where none is named. */
export async function withVsphere(
  test: (rig: VsphereRig) => Promise<void>,
  release?: string,
): Promise<void> {
  await withLab(
    "D",
    async (lab) => {
      const running = await startProvider(vsphereProvider);
      const client = PluginClient.connect(running.port);
      try {
        const vcenter = lab.site.devices["vcenter"];
        const file = vcenter?.credentials.replace("file:", "") ?? "";
        const login = JSON.parse(readFileSync(file, "utf8")) as { user: string; password: string };
        const settings = {
          user: login.user,
          password: secret(login.password),
          vsphereServer: vcenter?.endpoint.replace("https://", "") ?? "",
          allowUnverifiedSsl: "true",
        };
        const { inputs, failures } = await client.checkConfig(settings);
        expect(failures).toEqual([]);
        await client.configure(inputs);
        await test(new VsphereRig(lab, client));
      } finally {
        await client.close();
        await running.stop();
      }
    },
    {
      sanBinary: sanBinary ?? "",
      ...(release === undefined ? {} : { profiles: { vcenter: release } }),
    },
  );
}

export interface Place {
  readonly datacenterId: string;
  readonly hostSystemId: string;
  readonly resourcePoolId: string;
  readonly datastoreId: string;
  readonly networkId: string;
  readonly computeClusterId: string;
}

export async function place(rig: VsphereRig, host = first): Promise<Place> {
  const { hypervisor } = rig.lab.site;
  const datacenterId = await rig.id("getDatacenter", { name: hypervisor.datacenter });
  const found = await rig.lookUp("getComputeCluster", { name: cluster, datacenterId });
  return {
    datacenterId,
    hostSystemId: await rig.id("getHost", { name: host, datacenterId }),
    resourcePoolId: String(found["resourcePoolId"]),
    computeClusterId: String(found["id"]),
    datastoreId: await rig.id("getDatastore", { name: hypervisor.siteDatastore, datacenterId }),
    networkId: await rig.id("getNetwork", { name: hypervisor.network, datacenterId }),
  };
}

export function machine(at: Place, name: string, more: Wire = {}): Wire {
  return {
    name,
    resourcePoolId: at.resourcePoolId,
    hostSystemId: at.hostSystemId,
    datastoreId: at.datastoreId,
    guestId: "rhel9_64Guest",
    scsiType: "lsilogic-sas",
    numCpus: 2,
    memory: 1024,
    annotation: "made by a test",
    networkInterfaces: [{ networkId: at.networkId, adapterType: "vmxnet3" }],
    disks: [
      { label: "boot", size: 4, unitNumber: 0 },
      { label: "data", size: 2, unitNumber: 1, eagerlyScrub: true, thinProvisioned: false },
      { label: "log", size: 1, unitNumber: 2, thinProvisioned: false },
    ],
    waitForGuestNetTimeout: 0,
    ...more,
  };
}

export async function clone(
  rig: VsphereRig,
  at: Place,
  name: string,
  more: Wire = {},
): Promise<Wire> {
  const { lab } = rig;
  const template = await rig.lookUp("getVirtualMachine", {
    name: lab.site.templates["sysbench"]?.name ?? "",
    datacenterId: at.datacenterId,
  });
  const [boot] = template["disks"] as Wire[];
  return machine(at, name, {
    guestId: template["guestId"],
    firmware: template["firmware"],
    disks: [
      {
        label: "boot",
        size: boot?.["size"],
        unitNumber: 0,
        thinProvisioned: boot?.["thinProvisioned"],
        eagerlyScrub: boot?.["eagerlyScrub"],
      },
      { label: "test", size: 2, unitNumber: 1, eagerlyScrub: true, thinProvisioned: false },
    ],
    clone: {
      templateUuid: template["id"],
      customize: {
        linuxOptions: { hostName: name, domain: lab.site.guests.domain },
        networkInterfaces: [
          { ipv4Address: lab.site.guests.addresses[0], ipv4Netmask: lab.site.guests.netmaskBits },
        ],
        ipv4Gateway: lab.site.guests.gateway,
      },
    },
    ...more,
  });
}
