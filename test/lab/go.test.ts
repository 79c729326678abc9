import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const lab = resolve(__dirname, "..", "..", "lab");
const packages = [...new Set(globSync("**/*_test.go", { cwd: lab }).map(dirname))].sort();

test("the lab's Go packages have tests", () => {
  expect(packages).toEqual(expect.arrayContaining(["blocks", "vcenter"]));
});

// In one go after the other, with the flags of the build, so that nothing is compiled twice.
test.each(packages)(
  "go test ./%s",
  async (name) => {
    const env = { ...process.env, CGO_ENABLED: "0" };
    const args = ["test", "-trimpath", "-buildvcs=false", `./${name}`];
    const failure = await promisify(execFile)("go", args, { cwd: lab, env }).then(
      () => "",
      (error: unknown) => {
        const { stdout, stderr } = error as { stdout?: string; stderr?: string };
        return `${join("lab", name)}\n${stdout ?? ""}${stderr ?? String(error)}`;
      },
    );
    expect(failure).toBe("");
  },
  600_000,
);
