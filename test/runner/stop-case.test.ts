import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GuestError, type GuestErrorKind } from "../../bed/errors";
import { parseBedId } from "../../bed/identities";
import { systemClock } from "../../provider/devices/clock";
import type { GuestShell } from "../../provider/devices/guest-shell";
import { stopCase } from "../../runner/run-case";
import { orderFor, smallCase } from "../support/plain-guests";

const call = { signal: new AbortController().signal };

function guest(name: string, exec: GuestShell["exec"]) {
  const never = () => Promise.reject(new Error("not used"));
  const shell: GuestShell = {
    guest: name,
    exec,
    writeFile: never,
    fetchFile: never,
    clockOffset: never,
    close: () => Promise.resolve(),
  };
  const place = { shell, workRoot: "/w", supervisor: "session" as const };
  return { name, vmUuid: "u", place, socket: "/run/db.sock" };
}

describe("stopping a case", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "sanbed-stop-"));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const stop = (kind: GuestErrorKind) => {
    const stopped: string[] = [];
    const away = guest("g01", () =>
      Promise.reject(new GuestError("g01", "connect", "it is another", undefined, undefined, kind)),
    );
    const there = guest("g02", (_call, argv) => {
      if (argv.includes("stop")) stopped.push("g02");
      const stdout = argv.includes("files") ? "" : "absent\n";
      return Promise.resolve({ exitCode: 0, stdout, stderr: "" });
    });
    const bedId = parseBedId("abcdefghij")!;
    const order = orderFor(bedId, "one", smallCase(), [away, there], folder);
    return { stopped, notes: stopCase({ call, clock: systemClock }, order) };
  };

  it.each(["unreachable", "hostKey", "unauthorized"] as const)(
    "goes on with the others when a guest is %s, and says so",
    async (kind) => {
      const { stopped, notes } = stop(kind);
      expect(await notes).toEqual([expect.stringMatching(/g01.*Nothing was stopped/)]);
      expect(stopped).toEqual(["g02"]);
    },
  );

  it("fails when a guest that is there does not do as told", async () => {
    await expect(stop("failed").notes).rejects.toThrow(/g01/);
  });
});
