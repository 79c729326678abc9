import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { LabClient } from "../../lab/client";
import { labDown, labUp } from "../../lab/start";
import { digest } from "../support/digest";
import { withLab } from "../support/lab";

const sanBinary = process.env["SANBED_SAN_BINARY"];
const guestTree = process.env["SANBED_GUEST_TREE"];
const possible = sanBinary !== undefined && guestTree !== undefined;
const title = possible ? "" : " (skipped: no SANBED_SAN_BINARY or SANBED_GUEST_TREE: no level A)";

/** What a lab must not leave on the machine. */
function traces(): { mounts: string; loops: string } {
  return {
    mounts: readFileSync("/proc/self/mounts", "utf8"),
    loops: readdirSync("/sys/block")
      .filter(
        (name) => name.startsWith("loop") && existsSync(`/sys/block/${name}/loop/backing_file`),
      )
      .join(),
  };
}

/** Digest of what the daemon itself holds; machines of the vCenter get new ids with each start. */
async function worldAndGuests(client: LabClient): Promise<string> {
  const { world, guests } = (await client.inventory()) as Record<string, unknown>;
  return digest({ world, guests });
}

const guest = {
  uuid: "4210c0de-0000-4000-8000-000000000001",
  hostname: "guest1",
  memoryMiB: 256,
  cpus: 1,
  template: "sysbench",
  host: "esx01.lab.invalid",
  disks: [],
};

(possible ? describe : describe.skip)(`the daemon at level A${title}`, () => {
  it("starts a guest that answers with the site's host key, and leaves nothing when it is killed", async () => {
    const before = traces();
    let cgroups: string[] = [];
    await withLab(
      "A",
      async ({ client, site, dir }) => {
        expect(site.lab).toMatchObject({ level: "A", guests: "real" });
        const answer = (await client.call("POST", "/guests/guest1/power-on", guest)) as {
          address: string;
        };
        const scan = spawnSync(
          "ssh-keyscan",
          ["-t", "ed25519", "-p", site.guests.sshPort.toString(), answer.address],
          { encoding: "utf8" },
        );
        expect(scan.stdout).toContain(site.templates["sysbench"]!.hostKey);
        const { guests } = await client.status();
        expect(guests).toMatchObject([{ vm: "guest1", running: true, address: answer.address }]);
        expect(traces()).toEqual(before);
        const control = client.folder.readControl()!;
        cgroups = readFileSync(client.folder.cgroups, "utf8").trim().split("\n");
        expect(cgroups.every((path) => existsSync(path))).toBe(true);
        process.kill(control.pid, "SIGKILL");
        await labDown(dir);
      },
      { sanBinary: sanBinary ?? "", guestTree: guestTree ?? "" },
    );
    expect(cgroups.length).toBeGreaterThan(0);
    expect(cgroups.filter((path) => existsSync(path))).toEqual([]);
    expect(traces()).toEqual(before);
  }, 120_000);

  it(
    "takes guests, files and addresses back on a reset",
    () =>
      withLab(
        "A",
        async ({ client }) => {
          const before = await worldAndGuests(client);
          await client.call("POST", "/guests/guest1/power-on", guest);
          expect(await worldAndGuests(client)).not.toBe(before);
          await client.reset();
          expect(await worldAndGuests(client)).toBe(before);
          expect((await client.status()).guests).toEqual([]);
        },
        { sanBinary: sanBinary ?? "", guestTree: guestTree ?? "" },
      ),
    120_000,
  );

  it(
    "knows no guest and no machine of the time before a restart",
    () =>
      withLab(
        "A",
        async ({ client, dir }) => {
          const before = await worldAndGuests(client);
          await client.call("POST", "/guests/guest1/power-on", guest);
          expect(await worldAndGuests(client)).not.toBe(before);
          await labDown(dir);
          const again = await labUp({
            dir,
            level: "A",
            daemonScript: join(dir, "..", "daemon.js"),
            sanBinary,
            guestTree,
          });
          expect(await worldAndGuests(again)).toBe(before);
          expect(readdirSync(join(dir, "guests"))).toEqual([]);
        },
        { sanBinary: sanBinary ?? "", guestTree: guestTree ?? "" },
      ),
    120_000,
  );
});
