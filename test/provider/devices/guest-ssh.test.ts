import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHash, randomBytes } from "node:crypto";
import fc from "fast-check";
import { quoteArgv } from "../../../bed/shell-words";
import { isGuestError } from "../../../bed/errors";
import { openGuestShell } from "../../../provider/devices/guest-ssh/guest-ssh";
import { childPath } from "../../../provider/devices/guest-ssh/transfer";
import type { GuestShell } from "../../../provider/devices/guest-shell";
import { SshGuest } from "../../support/ssh-guest";
import { makeKeyPair } from "../../support/ssh-keys";

const call = { signal: new AbortController().signal };
let guest: SshGuest;
let shell: GuestShell;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "sanbed-ssh-"));
  guest = await new SshGuest("g01").start();
  shell = openGuestShell(guest.address(), guest.options());
});

afterEach(async () => {
  await shell.close();
  guest.killForeground();
  await guest.stop();
  rmSync(folder, { recursive: true, force: true });
});

const kindOf = (kind: Parameters<typeof isGuestError>[1]) => (error: unknown) =>
  isGuestError(error, kind);

async function failure(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe("exec", () => {
  it("hands every argument over as it is, whatever it holds", async () => {
    const words = [
      "a b",
      "$(id)",
      "`id`",
      "it's",
      '"',
      "\\",
      "*",
      "new\nline",
      "",
      "ü",
      ";&|<>",
      "-n",
      "=x",
    ];
    const { stdout } = await shell.exec(call, ["printf", "%s\\0", ...words]);
    expect(stdout.split("\0").slice(0, -1)).toEqual(words);
  });

  it("does so for any text (property)", async () => {
    const word = fc.string({ unit: "binary", maxLength: 20 }).filter((s) => !s.includes("\0"));
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 1, maxLength: 5 }), async (words) => {
        const { stdout } = await shell.exec(call, ["printf", "%s\\0", ...words]);
        expect(stdout).toBe(words.map((w) => `${Buffer.from(w).toString()}\0`).join(""));
      }),
      { numRuns: 25 },
    );
  });

  it("refuses NUL, which no argument can hold", () => {
    expect(() => quoteArgv(["printf", "a\0b"])).toThrow(RangeError);
  });

  it("answers exit code and both streams apart", async () => {
    const argv = ["sh", "-c", "echo out; echo err >&2; exit 7"];
    await expect(shell.exec(call, argv, { allowFailure: true })).resolves.toEqual({
      exitCode: 7,
      stdout: "out\n",
      stderr: "err\n",
    });
    const error = await failure(shell.exec(call, argv));
    expect(error).toMatchObject({ kind: "failed", guest: "g01" });
    expect(String(error)).toContain("exit code 7: err");
  });

  it("passes standard input and ends it", async () => {
    const { stdout } = await shell.exec(call, ["cat"], { stdin: "one\ntwo" });
    expect(stdout).toBe("one\ntwo");
  });

  it("refuses output beyond the limit instead of cutting it", async () => {
    const error = await failure(
      shell.exec(call, ["head", "-c", "70000", "/dev/zero"], { maxBytes: 65536 }),
    );
    expect(String(error)).toContain("more than 65536 bytes");
  });

  it("gives up at once when the call is aborted", async () => {
    const controller = new AbortController();
    const running = failure(shell.exec({ signal: controller.signal }, ["sleep", "30"]));
    setTimeout(() => {
      controller.abort();
    }, 200);
    expect(kindOf("aborted")(await running)).toBe(true);
  });

  it("shares one connection among concurrent commands, more than a server's session limit", async () => {
    const all = await Promise.all(
      Array.from({ length: 25 }, (_, i) => shell.exec(call, ["echo", i.toString()])),
    );
    expect(all.map((r) => r.stdout.trim())).toEqual(all.map((_, i) => i.toString()));
    expect(guest.logins).toBe(1);
  });
});

describe("the connection", () => {
  it("is made again after a loss, and a detached job does not notice", async () => {
    const file = join(folder, "done");
    const job = `setsid sh -c 'sleep 1; echo yes >"$1"' sh "$1" >/dev/null 2>&1 </dev/null &`;
    await shell.exec(call, ["sh", "-c", job, "sh", file]);
    guest.cut();
    await new Promise((done) => setTimeout(done, 1500));
    const { stdout } = await shell.exec(call, ["cat", file]);
    expect(stdout).toBe("yes\n");
    expect(guest.logins).toBe(2);
  });

  it("lost during a command is unreachable, never an answer", async () => {
    const running = failure(shell.exec(call, ["sleep", "20"]));
    while (guest.commands.length === 0) await new Promise((done) => setTimeout(done, 10));
    guest.cut();
    expect(kindOf("unreachable")(await running)).toBe(true);
  });

  it("lost when a command was sent does not send it again: it may have run", async () => {
    await shell.exec(call, ["true"]);
    guest.cutOnCommand = true;
    const error = await failure(shell.exec(call, ["echo", "once"]));
    expect(kindOf("unreachable")(error)).toBe(true);
    expect(guest.commands.filter((line) => line.includes("once"))).toHaveLength(1);
  });

  it("stays, with the commands that run on it, when the server refuses a channel", async () => {
    const running = shell.exec(call, ["sh", "-c", "sleep 1; echo whole"]);
    while (guest.commands.length === 0) await new Promise((done) => setTimeout(done, 10));
    guest.refuseChannels = 2;
    expect((await shell.exec(call, ["echo", "later"])).stdout).toBe("later\n");
    expect((await running).stdout).toBe("whole\n");
    expect(guest.logins).toBe(1);
  });

  it("is refused when the host key is another one, naming both", async () => {
    const other = openGuestShell(guest.address({ hostKey: makeKeyPair().public }), guest.options());
    const error = await failure(other.exec(call, ["true"]));
    expect(kindOf("hostKey")(error)).toBe(true);
    expect(String(error)).toMatch(/SHA256:.*pinned is SHA256:/);
    expect(guest.commands).toEqual([]);
    await other.close();
  });

  it("is refused without a host key", () => {
    expect(() => openGuestShell(guest.address({ hostKey: "" }), guest.options())).toThrow(
      /hostKey/,
    );
  });

  it("tells a refused key from an absent guest, and never prints the key", async () => {
    const key = makeKeyPair().private;
    const stranger = openGuestShell(guest.address(), { resolve: () => Promise.resolve(key) });
    const refused = await failure(stranger.exec(call, ["true"]));
    expect(kindOf("unauthorized")(refused)).toBe(true);
    expect(String(refused)).not.toContain(key.split("\n")[1]);
    await stranger.close();
    const nobody = openGuestShell(guest.address({ port: 1 }), guest.options());
    expect(kindOf("unreachable")(await failure(nobody.exec(call, ["true"])))).toBe(true);
  });
});

describe("files", () => {
  it("are written whole with their mode", async () => {
    const path = join(folder, "it's a file");
    await shell.writeFile(call, path, "first", 0o600);
    await shell.writeFile(call, path, "second\n", 0o750);
    expect(readFileSync(path, "utf8")).toBe("second\n");
    expect(statSync(path).mode & 0o777).toBe(0o750);
    expect(readdirSync(folder)).toEqual(["it's a file"]);
  });

  it("are fetched by streaming, with size and hash", async () => {
    const content = randomBytes(3_000_000);
    writeFileSync(join(folder, "remote"), content);
    const local = join(folder, "local");
    const sha256 = createHash("sha256").update(content).digest("hex");
    await expect(shell.fetchFile(call, join(folder, "remote"), local)).resolves.toEqual({
      bytes: content.length,
      sha256,
    });
    expect(readFileSync(local).equals(content)).toBe(true);
  });

  it("that do not exist leave nothing behind", async () => {
    const error = await failure(shell.fetchFile(call, join(folder, "no"), join(folder, "local")));
    expect(kindOf("failed")(error)).toBe(true);
    expect(String(error)).toContain("no such file");
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(["../x", "/etc/passwd", "a/../../x", "", "a\0b", "."])(
    "never land outside: %j",
    (name) => {
      expect(() => childPath("g01", folder, name)).toThrow(/leads out/);
    },
  );
});

it("measures the clock within its own uncertainty", async () => {
  const { offsetMs, uncertaintyMs } = await shell.clockOffset(call);
  expect(uncertaintyMs).toBeLessThan(500);
  expect(Math.abs(offsetMs)).toBeLessThanOrEqual(uncertaintyMs + 1);
});
