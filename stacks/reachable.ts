import { execFileSync } from "node:child_process";
import { SanbedError } from "../bed/errors";

const timeoutMs = 5000;

/** Connects in a process of its own: a stack's program has to know before it declares anything, and cannot wait. */
const probe = `
const [host, port] = process.argv.slice(1);
const end = (text) => { process.stdout.write(text); process.exit(); };
require("node:net").connect({ host, port: Number(port), timeout: ${timeoutMs.toString()} })
  .on("connect", () => end(""))
  .on("timeout", () => end("no answer within ${(timeoutMs / 1000).toString()} s"))
  .on("error", (error) => end(error.code ?? error.message));
`;

/**
 * Without the vCenter every lookup of a program fails by itself, each with a stack: told once instead. Not asked behind a
 * proxy, which only the vSphere provider knows to use.
 *
 * @param endpoint - `https://host[:port]`
 * @throws {SanbedError} when nothing accepts a connection there
 */
export function requireVcenter(
  endpoint: string,
  isLab: boolean,
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (env["HTTPS_PROXY"] !== undefined || env["https_proxy"] !== undefined) return;
  const { hostname, port } = new URL(endpoint);
  const host = hostname.replace(/^\[|\]$/g, "");
  const args = ["-e", probe, host, port === "" ? "443" : port];
  const why = execFileSync(process.execPath, args, { encoding: "utf8", env: {} });
  if (why === "") return;
  throw new SanbedError(
    "config",
    `the vCenter at ${endpoint} cannot be reached (${why}), nothing was declared. ` +
      (isLab
        ? "The embedded lab is not up: `npx sanbed lab up`."
        : "Check that it is up, its address in the site file, and the way to it from this machine."),
  );
}
