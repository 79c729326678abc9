import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { StackRunner } from "../../cli/stack-runner";

/** Stands in for the engine: what the runner asks for is seen, what it reads is written by the test. */
const engine = `#!/bin/sh
echo "$@" >> "$SANBED_TEST_FOLDER/asked"
while [ $# -gt 0 ]; do [ "$1" = --event-log ] && log=$2; shift; done
[ -n "$log" ] || exit 0
printf '{"resourcePreEvent":{"metadata":{"op":"create","urn":"urn:ü","type":"t"}}}\\n' >> "$log"
sleep 0.3
printf '{"resOutputsEvent":{"metadata":{"op":"create","urn":"urn:' >> "$log"
sleep 0.1
printf 'ü","type":"t"}}}\\n' >> "$log"
echo "done" && echo "in part" >&2
exit 3
`;

let folder = "";
const before = { ...process.env };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "sanbed-runner-"));
  mkdirSync(join(folder, "home", "plugins"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "pulumi"), engine);
  chmodSync(join(folder, "bin", "pulumi"), 0o755);
  process.env["PULUMI_HOME"] = join(folder, "home");
  process.env["SANBED_TEST_FOLDER"] = folder;
  process.env["PATH"] = [join(folder, "bin"), before["PATH"] ?? ""].join(delimiter);
});

afterEach(() => {
  process.env = { ...before };
  rmSync(folder, { recursive: true, force: true });
});

test("events carry the time at which they were seen, while the engine still runs", async () => {
  const { code, output, events, startedAtMs, endedAtMs } = await new StackRunner(
    folder,
    "s",
    folder,
  ).up();
  expect(code).toBe(3);
  expect(output).toContain("done");
  expect(output).toContain("in part");
  const urns = events.map(
    (event) => (event.resourcePreEvent ?? event.resOutputsEvent)?.metadata.urn,
  );
  expect(urns).toEqual(["urn:ü", "urn:ü"]);
  const [first = 0, second = 0] = events.map(({ seenAtMs }) => seenAtMs);
  expect(first).toBeGreaterThanOrEqual(startedAtMs);
  expect(second - first).toBeGreaterThan(200);
  expect(endedAtMs).toBeGreaterThanOrEqual(second);
});

test("a stack has a state of its own, and its configuration goes with it", async () => {
  const runner = new StackRunner(folder, "mine", folder);
  writeFileSync(join(folder, "Pulumi.mine.yaml"), "encryptionsalt: v1:abc\n");
  runner.configure({ bedId: "abc" });
  expect(readFileSync(join(folder, "Pulumi.mine.yaml"), "utf8")).toBe(
    "config:\n  testbed:bedId: abc\nencryptionsalt: v1:abc\n",
  );
  expect(runner.env["PULUMI_BACKEND_URL"]).toBe(`file://${join(folder, "state")}`);
  await runner.refresh();
  expect(readFileSync(join(folder, "asked"), "utf8")).toMatch(/^refresh --stack mine .*--yes/);
  runner.dispose();
  expect(existsSync(join(folder, "Pulumi.mine.yaml"))).toBe(false);
});

test("without engine and plugins it says how to get them", () => {
  process.env["PULUMI_HOME"] = join(folder, "nothing");
  expect(() => new StackRunner(folder, "s", folder)).toThrow("npm test");
});
