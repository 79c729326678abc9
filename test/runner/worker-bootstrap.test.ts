import { execFileSync } from "node:child_process";
import { workerBootstrap } from "../../templates/worker-bootstrap";

const args = {
  bedId: "abcdefghij",
  disks: { data1: "/dev/disk/by-id/wwn-0x6000c29a", data2: "/dev/disk/by-id/wwn-0x6000c29b" },
  sizes: { data1: 1024n, data2: 2048n },
};

test.each(["fio", "vdbench"] as const)("the bootstrap of a %s worker is a script", (tool) => {
  const script = workerBootstrap({ ...args, tool });
  expect(() => execFileSync("sh", ["-n"], { input: script })).not.toThrow();
  expect(script).toContain("\nlook data2 /dev/disk/by-id/wwn-0x6000c29b 2048\n");
});

test("no value becomes shell text", () => {
  const evil = "/dev/sdb'; touch /tmp/evil; '";
  const script = workerBootstrap({ ...args, disks: { data1: evil }, tool: "fio" });
  const line = script.split("\n").find((text) => text.startsWith("look data1"))!;
  const printed = execFileSync("sh", ["-c", `look() { printf %s "$2"; }\n${line}`], {
    encoding: "utf8",
  });
  expect(printed).toBe(evil);
});
