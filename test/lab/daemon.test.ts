import { spawn, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseSite } from "../../bed/site";
import { LabClient } from "../../lab/client";
import { LabFolder, writeJson } from "../../lab/folder";
import { isAlive, processesWith, startTicks } from "../../lab/processes";
import { labDown, labUp } from "../../lab/start";
import { digest } from "../support/digest";
import { bundleDaemon, withLab } from "../support/lab";

describe("a lab in this process", () => {
  it("writes a site that holds references and no secret", () =>
    withLab("D", async ({ dir, site }) => {
      const text = readFileSync(join(dir, "site.json"), "utf8");
      expect(parseSite(JSON.parse(text))).toEqual(site);
      for (const device of ["fabricA", "fabricB", "array", "vcenter"]) {
        const secret = readFileSync(join(dir, "secrets", `${device}.json`), "utf8");
        expect(text).not.toContain((JSON.parse(secret) as { password: string }).password);
      }
      expect(site.array.ports).toHaveLength(4);
      expect(site.hosts).toHaveLength(8);
      await Promise.resolve();
    }));

  it("is back to its first inventory after a reset, with the faults gone", () =>
    withLab("D", async ({ client }) => {
      const before = digest(await client.inventory());
      await client.tamper("fabricA", "set-zone", { name: "intruder", members: ["1,1"] });
      await client.addFault({ device: "*", effect: { status: 503 } });
      expect(digest(await client.inventory())).not.toBe(before);
      await client.reset();
      expect(digest(await client.inventory())).toBe(before);
      expect(await client.faults()).toEqual([]);
    }));

  it("refuses a request without its token", () =>
    withLab("D", async ({ dir, lab }) => {
      const stranger = new LabClient(new LabFolder(dir), lab!.ports.control, "wrong-token");
      await expect(stranger.inventory()).rejects.toThrow(/bearer token/);
    }));

  it("answers what a host sees, and keeps a VMFS signature with the volume", () =>
    withLab("D", async ({ client, lab }) => {
      const hosts = (await client.call("GET", "/world/hosts")) as { hbas: unknown[] }[];
      expect(hosts).toHaveLength(8);
      expect(hosts[0]?.hbas[0]).toMatchObject({ device: "vmhba2", fabric: "A", online: true });
      const devices = await client.call("GET", "/world/hosts/esx01.lab.invalid/devices");
      expect(devices).toEqual([]);
      const [id] = Object.keys(lab!.world.view.arrays["array"]!.volumes);
      await client.call("PUT", `/world/volumes/${id!}/vmfs`, { uuid: "u-1", label: "ds" });
      expect(lab!.world.view.arrays["array"]!.volumes[id!]!.vmfs).toEqual({
        uuid: "u-1",
        label: "ds",
      });
      await expect(client.call("DELETE", "/world/volumes/none/vmfs")).rejects.toThrow(/no volume/);
    }));

  it("makes a volume's folder with the volume and removes it with it", () =>
    withLab("D", ({ dir, lab }) => {
      const world = lab!.world;
      const [foreign] = Object.values(world.view.arrays["array"]!.volumes);
      expect(existsSync(join(dir, "volumes", foreign!.id))).toBe(true);
      world.change((state) => {
        state.arrays["array"]!.volumes["v9"] = structuredClone({ ...foreign!, id: "v9" });
      });
      expect(existsSync(join(dir, "volumes", "v9"))).toBe(true);
      world.change((state) => {
        delete state.arrays["array"]!.volumes["v9"];
      });
      expect(existsSync(join(dir, "volumes", "v9"))).toBe(false);
      return Promise.resolve();
    }));

  it("refuses the requests of a device that it does not have", () =>
    withLab("D", async ({ client }) => {
      expect(await client.requests("array")).toEqual([]);
      await expect(client.requests("nope")).rejects.toThrow(
        'no device "nope"; there are fabricA, fabricB, array, vcenter',
      );
    }));

  it("refuses a release for a device that it does not have", async () => {
    const unknown = withLab("D", () => Promise.resolve(), { profiles: { bogus: "9.8" } });
    await expect(unknown).rejects.toThrow(/asked for bogus, .* there are fabricA, fabricB, array/);
  });

  it("says at level D that there are no guests", () =>
    withLab("D", async ({ client }) => {
      await expect(client.call("POST", "/guests/vm1/power-on", {})).rejects.toThrow(
        /level D runs no guests/,
      );
    }));
});

/** Pids of the daemons of a lab's folder, from their command lines. */
function daemonsOf(folder: string): string[] {
  return processesWith(["--dir", folder]).map(({ pid }) => pid.toString());
}

describe("the lab's daemon", () => {
  let dir: string;
  const start = (): Promise<LabClient> =>
    labUp({ dir: join(dir, "lab"), level: "D", daemonScript: join(dir, "daemon.js") });

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "sanbed-daemon-"));
    await bundleDaemon(join(dir, "daemon.js"));
  });
  afterAll(async () => {
    await labDown(join(dir, "lab"));
    rmSync(dir, { recursive: true, force: true });
  });

  it("keeps endpoints, secrets and the world over a restart", async () => {
    const first = await start();
    await first.tamper("fabricA", "set-alias", { name: "kept", members: ["1,1"] });
    const { endpoints } = await first.status();
    const site = first.site();
    const inventory = JSON.stringify(await first.inventory());
    expect(await labDown(join(dir, "lab"))).toBe("stopped");
    await expect(LabClient.connect(join(dir, "lab"))).rejects.toThrow(/no lab runs/);
    const second = await start();
    expect((await second.status()).endpoints).toEqual(endpoints);
    expect(second.site()).toEqual(site);
    expect(JSON.stringify(await second.inventory())).toBe(inventory);
    expect(inventory).toContain('"kept"');
  }, 30_000);

  it("is cleaned up after it was killed, and can be started again", async () => {
    const client = await start();
    const control = client.folder.readControl()!;
    const identity = { pid: control.pid, start: control.pidStart };
    expect(isAlive(identity)).toBe(true);
    process.kill(control.pid, "SIGKILL");
    expect(["nothing", "killed"]).toContain(await labDown(join(dir, "lab")));
    expect(isAlive(identity)).toBe(false);
    expect(existsSync(client.folder.control)).toBe(false);
    await (await start()).status();
    expect(await labDown(join(dir, "lab"))).toBe("stopped");
    expect(await labDown(join(dir, "lab"))).toBe("nothing");
  }, 30_000);

  it("keeps no files of guests over a restart, as its vCenter keeps no machines", async () => {
    const { folder } = await start();
    const guest = folder.file("guests", "g01");
    mkdirSync(join(guest, "upper"), { recursive: true });
    await labDown(folder.path);
    expect(existsSync(guest)).toBe(true);
    await start();
    expect(readdirSync(folder.file("guests"))).toEqual([]);
  }, 30_000);

  it("outlives a world that cannot be saved, and saves it as soon as it can", async () => {
    const client = await start();
    const { folder } = client;
    const blocked = `${folder.world}.new`;
    mkdirSync(join(blocked, "in-the-way"), { recursive: true });
    await client.tamper("fabricA", "set-alias", { name: "late", members: ["1,1"] });
    await sleep(300);
    await client.status();
    const saved = (): string =>
      existsSync(folder.world) ? readFileSync(folder.world, "utf8") : "(nothing)";
    expect(saved()).not.toContain('"late"');
    const complaint = `cannot save the lab's state in ${folder.world}: EISDIR`;
    expect(readFileSync(folder.daemonLog, "utf8").split(complaint)).toHaveLength(2);
    rmSync(blocked, { recursive: true });
    while (!saved().includes('"late"')) await sleep(50);
    mkdirSync(join(blocked, "in-the-way"), { recursive: true });
    expect(await labDown(folder.path)).toBe("stopped");
    rmSync(blocked, { recursive: true });
  }, 30_000);

  it("starts once when two ask at the same time", async () => {
    const clients = await Promise.all([start(), start()]);
    const [first, second] = await Promise.all(clients.map((client) => client.status()));
    expect(second?.processes.daemon).toBe(first?.processes.daemon);
    expect(daemonsOf(join(dir, "lab"))).toEqual([first?.processes.daemon.toString()]);
    expect(await labDown(join(dir, "lab"))).toBe("stopped");
    expect(daemonsOf(join(dir, "lab"))).toEqual([]);
  }, 30_000);

  it("is not missed by a stop that comes while it starts", async () => {
    const starting = start();
    await sleep(20);
    expect(await labDown(join(dir, "lab"))).toBe("stopped");
    await starting;
    expect(daemonsOf(join(dir, "lab"))).toEqual([]);
  }, 30_000);

  it("ends the daemon that a killed start has left behind", async () => {
    const lab = new LabFolder(join(dir, "lab"));
    lab.create();
    const orphan = spawn("sleep", ["60"]);
    const { pid: gone } = spawnSync("true");
    const daemon = { pid: orphan.pid!, start: startTicks(orphan.pid!) };
    writeJson(lab.startLock, { pid: gone, start: 1, daemon });
    await labDown(lab.path);
    expect(isAlive(daemon)).toBe(false);
    expect(existsSync(lab.startLock)).toBe(false);
  }, 30_000);

  it("is stopped although its control file is damaged, which everything else names", async () => {
    const { folder } = await start();
    writeFileSync(folder.control, '{ "pid": 1');
    const message = `the lab's file ${folder.control} is damaged (it is cut or no JSON)`;
    await expect(LabClient.connect(folder.path)).rejects.toThrow(message);
    await expect(start()).rejects.toThrow("`sanbed lab down`");
    expect(daemonsOf(folder.path)).toHaveLength(1);
    expect(await labDown(folder.path)).toBe("killed");
    expect(daemonsOf(folder.path)).toEqual([]);
    expect(existsSync(folder.control)).toBe(false);
  }, 30_000);

  it("names a damaged file at its start, without a stack", async () => {
    const lab = new LabFolder(join(dir, "lab"));
    lab.create();
    writeFileSync(lab.ports, "{}");
    const said = await start().then(
      () => "",
      (error: unknown) => (error as Error).message,
    );
    expect(said).toContain(`the lab's file ${lab.ports} is damaged (control, devices, guestNet`);
    expect(said.split("\n").at(-1)).toContain("delete it");
    rmSync(lab.ports);
    await start();
    expect(await labDown(lab.path)).toBe("stopped");
  }, 30_000);

  it("can be stopped where nothing can be written", async () => {
    expect(await labDown("/proc/self")).toBe("nothing");
  });

  it("refuses another release than it runs with, and takes the one that it has", async () => {
    const usual = await start();
    expect((await usual.status()).emulators["array"]?.profile).toBe("9.8");
    const options = { dir: usual.folder.path, level: "D" } as const;
    await labUp({ ...options, profiles: { array: "9.8" } });
    const other = labUp({ ...options, profiles: { array: "9.9.1", fabricA: "9.1.1b" } });
    await expect(other).rejects.toThrow(/stop it before asking for array=9\.9\.1$/);
    expect(await labDown(usual.folder.path)).toBe("stopped");
  }, 30_000);

  it("never takes another process for its own", () => {
    expect(isAlive({ pid: process.pid, start: 1 })).toBe(false);
  });
});
