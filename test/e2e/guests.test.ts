import { missingForLevelA } from "../lab/guests/level-a";
import { object } from "../../provider/devices/vcenter/values";
import { workerBootstrap } from "../../templates/worker-bootstrap";
import { E2eBed, smallScale, type Declared } from "../support/e2e-bed";
import { RawVcenter } from "../support/raw-vcenter";

const missing = missingForLevelA();
const atLevelA = missing.length === 0 ? describe : describe.skip;
const title = missing.length === 0 ? "" : ` (skipped, no level A here: ${missing.join("; ")})`;

jest.setTimeout(240_000);

const workers: Declared = {
  phase: "vdbench",
  config: { measure: "false" },
  scale: {
    clusters: 1,
    cases: [2],
    volumeGroups: { vdbench: { count: 8, size: "4 GiB" } },
    guests: {
      vdbench: {
        count: 2,
        vcpus: 1,
        memory: "512 MiB",
        disks: {
          boot: "16 GiB",
          ...Object.fromEntries([1, 2, 3, 4].map((n) => [`data${n.toString()}`, "1 GiB"])),
        },
      },
    },
    vdbench: { profiles: ["seq-write-64k"] },
  },
};
const measured = (runId: string): Declared => ({
  scale: { sysbench: { ...smallScale.sysbench, measure: "4s" } },
  config: { runId },
});

interface ReadyOutputs {
  readonly guest: { readonly name: string };
  readonly facts: {
    readonly tools: Readonly<Record<string, string>>;
    readonly disks: Readonly<Record<string, string>>;
  };
}

interface VolumeCounters {
  readonly volumeId: string;
  readonly writes: string;
}

atLevelA(`real guests in their places${title}`, () => {
  let bed: E2eBed;

  beforeAll(async () => {
    bed = await E2eBed.start("places", "A");
  });

  afterAll(() => bed.dispose());

  /** Writes that each volume of the array has had. */
  async function writes(): Promise<ReadonlyMap<string, bigint>> {
    const counters = (await bed.lab.call("GET", "/san/blocks/volumes")) as VolumeCounters[];
    return new Map(counters.map((one) => [one.volumeId, BigInt(one.writes)]));
  }

  it("workers have four disks, each the one that the plan has, with fio and nobody's data", async () => {
    await bed.isClear();
    await bed.up(workers);
    for (const worker of ["vdb01", "vdb02"]) {
      const { facts } = await bed.outputsOf<ReadyOutputs>("sanbed:guest:Ready", `-${worker}-ready`);
      expect(Object.keys(facts.disks)).toEqual(["data1", "data2", "data3", "data4"]);
      expect(facts.tools["fio"]).toMatch(/^fio-3/);
      const touched = new Set<string>();
      for (const disk of Object.values(facts.disks)) {
        const before = await writes();
        const load = ["--rw=randwrite", "--bs=4k", "--size=1m", "--direct=1", "--ioengine=libaio"];
        await bed.onGuest(worker, "fio", "--name=touch", `--filename=${disk}`, ...load);
        const grown = [...(await writes())].filter(([id, n]) => n > (before.get(id) ?? 0n));
        // One disk, one volume: nothing else has seen a write.
        expect(grown).toHaveLength(1);
        touched.add(grown[0]?.[0] ?? "");
      }
      expect(touched.size).toBe(4);
    }
  });

  it("a disk that came to hold something is refused, every such disk of the guest at once", async () => {
    await bed.stands(workers);
    const { facts } = await bed.outputsOf<ReadyOutputs>("sanbed:guest:Ready", "-vdb01-ready");
    for (const label of ["data2", "data4"]) {
      await bed.onGuest("vdb01", "mkfs.ext4", "-q", "-L", "holiday", facts.disks[label] ?? "");
    }
    const sizes = Object.fromEntries(Object.keys(facts.disks).map((label) => [label, 2n ** 30n]));
    const { bedId } = bed;
    const script = workerBootstrap({ bedId, disks: facts.disks, sizes, tool: "fio" });
    const said = await bed.onGuest("vdb01", "sh", "-c", 'sh -c "$1" || echo "rc $?"', "sh", script);
    expect(said).toMatch(/disk data2: \S+ holds ext4[^]*disk data4: \S+ holds ext4[^]*rc 65/);
    expect(said).not.toMatch(/disk data[13]:/);
    await bed.destroyToNothing();
  });

  /** Somebody moves a machine: off, to another host, on. The lab moves none that runs. */
  async function move(name: string, to: string): Promise<void> {
    const vcenter = new RawVcenter({ site: bed.lab.site() });
    try {
      const machine = await vcenter.only("VirtualMachine", name);
      const spec = object("VirtualMachineRelocateSpec", {
        host: await vcenter.only("HostSystem", to),
      });
      await vcenter.run("PowerOffVM_Task", machine, {});
      await vcenter.run("RelocateVM_Task", machine, { spec });
      await vcenter.run("PowerOnVM_Task", machine, {});
    } finally {
      await vcenter.close();
    }
  }

  it("a machine that somebody moved is not measured before it is back", async () => {
    await bed.isClear();
    await bed.up(measured("1"));
    const { guest } = await bed.outputsOf<ReadyOutputs>("sanbed:guest:Ready", "-g01-ready");
    await move(guest.name, "esx04.lab.invalid");
    expect(await bed.upFails(measured("2"))).toMatch(
      new RegExp(
        `machine ${guest.name} runs on esx04\\.lab\\.invalid, expected esx01\\.lab\\.invalid`,
      ),
    );
    await move(guest.name, "esx01.lab.invalid");
    await bed.onGuest("g01", "mariadb-admin", "--wait=20", "ping");
    await bed.up(measured("3"));
    expect((await bed.outputsOf<{ verdict: string }>("sanbed:bench:Run")).verdict).toBe("valid");
    await bed.destroyToNothing();
  });
});
