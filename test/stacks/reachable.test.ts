import { spawn, type ChildProcess } from "node:child_process";
import { requireVcenter } from "../../stacks/reachable";

/** A process of its own listens: the check holds this one up while it asks. */
async function listener(): Promise<{ readonly child: ChildProcess; readonly port: string }> {
  const program =
    'const s = require("node:net").createServer((c) => c.end()).listen(0, "127.0.0.1", () => console.log(s.address().port))';
  const child = spawn(process.execPath, ["-e", program], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await new Promise<string>((resolve) => {
    child.stdout.once("data", (chunk: Buffer) => {
      resolve(chunk.toString().trim());
    });
  });
  return { child, port };
}

test("a vCenter that is down is told in one error, with what to do in the lab and elsewhere", async () => {
  const { child, port } = await listener();
  const endpoint = `https://127.0.0.1:${port}`;
  const check = (isLab: boolean) => (): void => {
    requireVcenter(endpoint, isLab, {});
  };
  expect(check(true)).not.toThrow();
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
  expect(check(true)).toThrow(
    `the vCenter at ${endpoint} cannot be reached (ECONNREFUSED), nothing was declared. The embedded lab is not up: \`npx sanbed lab up\`.`,
  );
  expect(check(false)).toThrow("Check that it is up, its address in the site file");
  // Behind a proxy a direct connection proves nothing.
  expect(() => {
    requireVcenter(endpoint, false, { HTTPS_PROXY: "http://proxy.invalid:3128" });
  }).not.toThrow();
});
