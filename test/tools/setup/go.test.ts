import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SanbedError } from "../../../bed/errors";
import { goBuild } from "../../../tools/setup/go";

let folder: string;
const path = process.env["PATH"];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sanbed-go-"));
  process.env["PATH"] = `${folder}:/usr/bin:/bin`;
});

afterEach(async () => {
  process.env["PATH"] = path;
  await rm(folder, { recursive: true, force: true });
});

async function messageOf(go: string | undefined): Promise<string> {
  if (go !== undefined) await writeFile(join(folder, "go"), `#!/bin/sh\n${go}\n`, { mode: 0o755 });
  const options = { cwd: folder, instead: "Or bring your own." };
  const error = await goBuild("the lab's vCenter", ["./cmd"], options).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(SanbedError);
  return (error as SanbedError).message;
}

test("says what to install where the Go cannot fetch the version that the module asks for", async () => {
  const refuses =
    "echo 'go: go.mod requires go >= 1.26.6 (running go 1.22.1; GOTOOLCHAIN=local)' >&2; exit 1";
  const message = await messageOf(refuses);
  expect(message).toMatch(/^the lab's vCenter must be built with Go, which does not run here/);
  expect(message).toContain("requires go >= 1.26.6");
  expect(message).toContain("Install Go 1.26.6 or later");
  expect(message).toContain("Or bring your own.");
});

test("says that the module proxy is needed where modules cannot be had", async () => {
  const message = await messageOf(
    '[ "$1" = version ] && exit 0; echo "dial tcp: no route" >&2; exit 1',
  );
  expect(message).toMatch(/^the lab's vCenter cannot be built/);
  expect(message).toContain("no route");
  expect(message).toContain("go env GOPROXY");
});

test("builds by the flags that make the result the same everywhere", async () => {
  await writeFile(
    join(folder, "go"),
    '#!/bin/sh\n[ "$1" = version ] || echo "$* $CGO_ENABLED $GOWORK $GOFLAGS" > seen\n',
    { mode: 0o755 },
  );
  await goBuild("it", ["-o", "out", "./cmd"], { cwd: folder });
  expect(await readFile(join(folder, "seen"), "utf8")).toBe(
    "build -trimpath -buildvcs=false -o out ./cmd 0 off -mod=readonly\n",
  );
});
