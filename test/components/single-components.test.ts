import type { BedId } from "../../bed/identities";
import { planSingleGroup } from "../../bed/single-group";
import { planZoning } from "../../bed/zoning-plan";
import { ArrayStorage, createTargets } from "../../components/array-storage";
import { FabricZoning } from "../../components/fabric-zoning";
import { byKey } from "../../components/keyed";
import { exampleSite } from "../support/example-site";
import { recordProgram } from "../support/recorded-program";

const site = exampleSite(4);
const hosts = site.hosts.slice(0, 2);

test("zoning stands alone: target ports may be plain values of somebody else's array", async () => {
  const port = (digit: number) => ({ wwpn: `50:0a:09:8${digit.toString()}:00:00:00:01` });
  const targetPorts = { n1_a: port(1), n1_b: port(2), n2_a: port(3), n2_b: port(4) };
  const program = await recordProgram((opts) => {
    new FabricZoning(
      "z",
      { hosts: planZoning(site, hosts), zonePrefix: "mine", targetPorts },
      opts,
    );
  });
  expect(program.ofType("sanbed:fabric:HostZones").map(({ name }) => name)).toEqual([
    "z-esx01.example",
    "z-esx02.example",
  ]);
  expect(await program.inputs("z-esx01.example")).toEqual({
    host: "esx01.example",
    fabrics: {
      A: {
        device: "fabricA",
        initiators: { vmhba2: "10:00:00:00:00:00:00:0a" },
        targets: [port(1).wwpn, port(3).wwpn],
        zonePrefix: "mine",
      },
      B: {
        device: "fabricB",
        initiators: { vmhba3: "10:00:00:00:00:00:00:0b" },
        targets: [port(2).wwpn, port(4).wwpn],
        zonePrefix: "mine",
      },
    },
  });
});

test("storage stands alone, on a tenant that is the site's", async () => {
  const group = planSingleGroup(
    "data",
    { count: 2, size: "1 TiB", thin: false, firstLun: 40, generation: 1 },
    { site, bedId: "abcdefghij" as BedId, prefix: "mine", hosts },
  );
  const program = await recordProgram((opts) => {
    const target = { name: "svm_site", mode: "use" as const };
    const targets = createTargets("t", { array: site.array, target, prefix: "mine" }, opts);
    new ArrayStorage(
      "s",
      {
        array: site.array,
        targets,
        hostGroup: "sanbed_abcdefghij_mine",
        hosts,
        volumeGroups: [group],
        hypervisor: "vcenter",
      },
      opts,
    );
  });
  expect(await program.inputs("t")).toMatchObject({ target: "svm_site", mode: "use" });
  expect(await program.inputs("s-data")).toMatchObject({
    thin: false,
    volumes: {
      "01": { name: "mine_data_01", sizeBytes: "1099511627776", pool: "aggr1" },
      "02": { name: "mine_data_02", sizeBytes: "1099511627776", pool: "aggr2" },
    },
  });
  expect(await program.inputs("s-data-map")).toMatchObject({
    guard: "s-data-rescan-id",
    luns: { "01": { volume: "mine_data_01", lun: 40 }, "02": { volume: "mine_data_02", lun: 41 } },
  });
  expect(await program.inputs("s-esx02.example")).toMatchObject({
    initiators: ["10:00:00:00:00:00:01:0a", "10:00:00:00:00:00:01:0b"],
  });
  // Everything of ours hangs on the targets: with `use` they are only looked up, and never removed.
  const needs = await program.needs();
  expect(needs.get("s-data")).toContain("t");
});

test("storage stands alone over NVMe: namespaces, and hosts by their NQN", async () => {
  const protocol = "nvme-fc" as const;
  const named = hosts.map((host) => ({ ...host, nqn: `nqn.2014-08.com.vmware:nvme:${host.name}` }));
  const group = planSingleGroup(
    "data",
    { count: 1, size: "1 TiB", thin: true, firstLun: 40, generation: 1 },
    { site, bedId: "abcdefghij" as BedId, prefix: "mine", hosts, protocol },
  );
  const storage = (members: typeof hosts) =>
    recordProgram((opts) => {
      const target = { name: "mine", mode: "create" as const };
      const array = site.array;
      const targets = createTargets("t", { array, target, prefix: "mine", protocol }, opts);
      const common = { array, targets, protocol, hypervisor: "vcenter" };
      new ArrayStorage(
        "s",
        {
          ...common,
          hostGroup: "sanbed_abcdefghij_mine",
          hosts: members,
          volumeGroups: [group],
        },
        opts,
      );
    });
  const program = await storage(named);
  expect(await program.inputs("s-data-map")).toMatchObject({
    namespaces: { "01": "mine_data_01" },
  });
  expect(await program.inputs("s-esx02.example")).toMatchObject({
    protocol,
    initiators: ["nqn.2014-08.com.vmware:nvme:esx02.example"],
  });
  await expect(storage(hosts)).rejects.toThrow("host esx01.example has no NQN");
});

test("a key that is not there is an error that names it", () => {
  expect(() => byKey({ "01": 1 }, "02", "volume")).toThrow('there is no volume "02"');
});
