import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fabricCommand } from "../../cli/fabric/fabric";
import { hostZones } from "../../provider/resources/fabric-host-zones";
import { testBedId } from "../support/device-rig";
import { Driven, testCall } from "../support/handler-rig";
import type { TestLab } from "../support/lab";
import { withTargets, type ZonesInputs } from "../support/zoned-bed";

jest.setTimeout(60_000);

const zones = new Driven(hostZones);

/** What the command prints on standard output, and its exit code. */
async function run(argv: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const write = jest.spyOn(process.stdout, "write").mockImplementation((part) => {
    text += String(part);
    return true;
  });
  try {
    return { code: await fabricCommand(argv), text };
  } finally {
    write.mockRestore();
  }
}

/** As `pulumi stack export` prints it. */
function exportOf(lab: TestLab, inputs: ZonesInputs, outputs?: object): string {
  const file = join(lab.dir, "stack.json");
  const resources = [
    {
      urn: "urn:pulumi:s::p::pulumi:providers:sanbed::bed",
      type: "pulumi:providers:sanbed",
      inputs: {
        bedId: testBedId,
        folder: join(lab.dir, "bed"),
        devices: JSON.stringify(lab.site.devices),
      },
    },
    {
      urn: "urn:pulumi:s::p::sanbed:fabric:HostZones::zoning-esx01",
      type: "sanbed:fabric:HostZones",
      ...{ inputs, outputs },
    },
  ];
  writeFileSync(file, JSON.stringify({ version: 3, deployment: { resources } }));
  return file;
}

/** Lines that a host's first zones take on one switch. */
function expected(inputs: ZonesInputs, fabric: "A" | "B"): string[] {
  const { initiators, targets, device } = inputs.fabrics[fabric];
  const names = Object.keys(initiators).map((hba) => {
    const host = inputs.host.replace(/[^A-Za-z0-9_]/g, "_");
    return { alias: `sanbed_${testBedId}_${host}_${hba}`, zone: `t_${host}_${hba}`, hba };
  });
  const members = [...targets].sort().join(";");
  return [
    `${device} (prod_${fabric}):`,
    ...names.map(({ alias, hba }) => `  alicreate "${alias}","${initiators[hba] ?? ""}"`),
    ...names.map(({ alias, zone }) => `  zonecreate "${zone}","${alias};${members}"`),
    `  cfgadd "prod_${fabric}","${names.map(({ zone }) => zone).join(";")}"`,
    `  cfgenable "prod_${fabric}"`,
  ];
}

const writes = async (lab: TestLab): Promise<number> =>
  (await lab.client.requests()).filter((r) => r.write && r.device.startsWith("fabric")).length;

test("sanbed fabric diff tells in the switch's own words what an up would change, and touches nothing", async () => {
  await withTargets(async (context, inputs, lab) => {
    const wanted = inputs(0);
    const before = await writes(lab);
    const { code, text } = await run(["diff", exportOf(lab, wanted)]);
    expect(text.trimEnd().split("\n")).toEqual([
      ...expected(wanted, "A"),
      ...expected(wanted, "B"),
    ]);
    expect(code).toBe(0);
    expect(await writes(lab)).toBe(before);
    const { state } = await zones.create(context, wanted);
    const done = await run(["diff", exportOf(lab, wanted, state)]);
    expect(done.text).toBe(
      "fabricA (prod_A): nothing to change\nfabricB (prod_B): nothing to change\n",
    );
    const destroy = await run(["diff", exportOf(lab, wanted, state), "--destroy"]);
    expect(destroy.text).toMatch(/cfgremove "prod_A","t_[^"]+"\n {2}zonedelete .*\n {2}alidelete /);
  });
});

test("sanbed fabric diff names what a switch would refuse, and ends with 1", async () => {
  await withTargets(async (_context, inputs, lab) => {
    const members = ["50:06:01:60:c7:e0:11:05", "50:06:01:60:c7:e0:11:06"];
    await lab.client.tamper("fabricB", "edit-defined", { name: "half_done", members });
    const { code, text } = await run(["diff", exportOf(lab, inputs(0))]);
    expect(code).toBe(1);
    expect(text).toMatch(/fabricB \(prod_B\):\n {2}refused: .*half_done/);
    expect(text).toContain('cfgenable "prod_A"');
  });
});

test("a preview says the same, for the host that is asked", async () => {
  await withTargets(async (context, inputs, lab) => {
    const wanted = inputs(0);
    const before = await writes(lab);
    const asked = testCall(context);
    await hostZones.lookAhead?.(asked, hostZones.inputs.parse(wanted), undefined);
    expect(asked.logged.sort()).toEqual(
      (["A", "B"] as const).map((fabric) => expected(wanted, fabric).join("\n")),
    );
    expect(await writes(lab)).toBe(before);
    const { state } = await zones.create(context, wanted);
    const again = testCall(context);
    await hostZones.lookAhead?.(
      again,
      hostZones.inputs.parse(wanted),
      hostZones.state.parse(state),
    );
    expect(again.logged).toEqual([]);
  });
});
