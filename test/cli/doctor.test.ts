import type { MachineFacts } from "../../cli/doctor/facts";
import { doctorReport } from "../../cli/doctor/report";

const facts: MachineFacts = {
  node: "24.1.0",
  platform: "linux",
  engine: { bin: "/opt/pulumi", version: "3.276.0", source: "PATH" },
  plugins: [
    { name: "vsphere", version: "4.16.2", source: "stand-in", folder: "/home/u/.pulumi/p" },
    { name: "command", version: "1.2.1", source: "official", folder: "/home/u/.pulumi/q" },
  ],
  lab: { level: "A", missing: {} },
};
const text = (changes: Partial<MachineFacts>): string =>
  doctorReport({ ...facts, ...changes }).lines.join("\n");

describe("the doctor", () => {
  it("says which plugin is the official one and which our stand-in", () => {
    expect(text({})).toMatch(/plugin vsphere +4\.16\.2, our stand-in: .*real lab/);
    expect(text({})).toMatch(/plugin command +1\.2\.1, the official one/);
    expect(doctorReport(facts).ok).toBe(true);
  });

  it("names the level and every reason against a better one, the next better level first", () => {
    const missing = { A: ["root: run as root", "/dev/fuse: not offered"], B: ["x"], C: ["y"] };
    const report = text({ lab: { level: "D", missing } });
    expect(report).toMatch(/lab level +D: emulators only/);
    expect(report.match(/for level \w/g)).toEqual(["for level C", "for level B", "for level A"]);
    expect(report).toContain("/dev/fuse: not offered");
    expect(text({ lab: { level: "B", missing } })).not.toContain("for level C");
  });

  it.each<[string, Partial<MachineFacts>, RegExp]>([
    ["an old Node.js", { node: "20.11.0" }, /20\.11\.0: too old, 22/],
    ["no engine", { engine: undefined }, /Pulumi engine +none on PATH.*install Pulumi/],
  ])("does not take %s for enough", (_, changes, words) => {
    expect(text(changes)).toMatch(words);
    expect(doctorReport({ ...facts, ...changes }).ok).toBe(false);
  });
});
