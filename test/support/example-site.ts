import { parseSite, type Site } from "../../bed/site";

/** A whole key that nobody has the other half of. */
export const exampleHostKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFCeGWnSkpFhWJQmAPX6TtlBPRUlsuL6LWhbqmMe0X5d";

/** A site for tests of the pure parts: `hosts` hosts in clusters of four, four target ports, two pools. */
export function exampleSite(hosts = 8, addresses = 32): Site {
  const clusters = Array.from(
    { length: Math.ceil(hosts / 4) },
    (_, i) => `cluster${(i + 1).toString()}`,
  );
  const hex = (n: number): string => n.toString(16).padStart(2, "0");
  return parseSite({
    name: "example",
    devices: {
      fabricA: device("brocade-fos", 1),
      fabricB: device("brocade-fos", 2),
      array: device("ontap", 3),
      vcenter: device("vcenter", 4),
    },
    fabrics: { A: { device: "fabricA" }, B: { device: "fabricB" } },
    array: {
      device: "array",
      family: "ontap",
      target: { mode: "create" },
      ports: [
        { key: "n1_a", controller: "node1", port: "2a", fabric: "A" },
        { key: "n1_b", controller: "node1", port: "2b", fabric: "B" },
        { key: "n2_a", controller: "node2", port: "2a", fabric: "A" },
        { key: "n2_b", controller: "node2", port: "2b", fabric: "B" },
      ],
      pools: [
        { name: "aggr1", controller: "node1", freeBytes: "3000000000000" },
        { name: "aggr2", controller: "node2", freeBytes: "3000000000000" },
      ],
    },
    hypervisor: {
      device: "vcenter",
      datacenter: "dc",
      clusters,
      siteDatastore: "site",
      network: "net",
    },
    hosts: Array.from({ length: hosts }, (_, i) => ({
      name: `esx${(i + 1).toString().padStart(2, "0")}.example`,
      cluster: clusters[Math.floor(i / 4)],
      hbas: [
        { adapter: "vmhba2", wwpn: `10:00:00:00:00:00:${hex(i)}:0a`, fabric: "A" },
        { adapter: "vmhba3", wwpn: `10:00:00:00:00:00:${hex(i)}:0b`, fabric: "B" },
      ],
    })),
    templates: { sysbench: { name: "tpl", hostKey: exampleHostKey } },
    guests: {
      addresses: Array.from({ length: addresses }, (_, i) => `127.0.21.${(i + 11).toString()}`),
      netmaskBits: 16,
      gateway: "127.0.0.1",
      privateKey: "file:/none",
    },
  });
}

function device(kind: string, port: number): object {
  return {
    kind,
    endpoint: `https://127.0.0.1:${(8440 + port).toString()}`,
    credentials: "env:NONE",
  };
}
