import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { randomBytes } from "node:crypto";
import { makeBedId } from "../../../bed/identities";
import { guestRoots, removeProcessGuests } from "../../../lab/guests/level-c-room";
import { markedProcesses } from "../../../lab/guests/marked-processes";
import { plainSysbenchBootstrap } from "../../../templates/sysbench-bootstrap";
import { findGuestTools } from "../../support/guest-tools";
import { GuestLab } from "./guest-lab";
import { missingForLevel } from "./level-a";

jest.setTimeout(180_000);

const tools = findGuestTools();

describe.each(["B", "C"] as const)("guests of level %s", (level) => {
  const missing = [
    ...missingForLevel(level),
    ...(tools === undefined ? ["no guest tree: `npm run setup` makes it"] : []),
  ];
  const here = missing.length === 0 ? describe : describe.skip;
  const title = missing.length === 0 ? "run" : `run (skipped: ${missing.join("; ")})`;

  here(title, () => {
    let lab: GuestLab;
    const vms = ["pg01", "pg02"];
    const bedId = makeBedId(randomBytes);

    beforeAll(async () => {
      lab = new GuestLab(tools!.tree, vms, level);
      await lab.start();
      await Promise.all(vms.map((vm) => lab.powerOn(vm)));
    });

    afterAll(async () => {
      await lab.kill();
      if (level === "C") await removeProcessGuests(lab.dir);
      await lab.dispose();
    });

    const root = (vm: string) =>
      level === "C" ? path.join(guestRoots(lab.dir), lab.address(vm)) : "";

    const bootstrap = (vm: string, bed = bedId) => {
      const place = {
        root: root(vm),
        folder: `${root(vm)}/disks/sdb`,
        socketOnly: level === "C",
      };
      const script = plainSysbenchBootstrap(
        {
          bedId: bed,
          address: lab.address(vm),
          databasePort: lab.databasePort,
          bufferPoolBytes: 16n * 1024n ** 2n,
          tables: 2,
          threads: 4,
        },
        place,
      );
      return lab.run(vm, `exec 0<<'END_OF_SCRIPT'; exec sh -s\n${script}\nEND_OF_SCRIPT\n`);
    };

    const sql = (vm: string, query: string) =>
      lab.ok(
        vm,
        `mariadb --no-defaults --socket=${root(vm)}/run/mysqld/mysqld.sock -uroot -Ne "${query}"`,
      );

    it("start without systemd, each with its own disk folder", async () => {
      for (const vm of vms) {
        // At level C the machine's own /run shows.
        const { status } = await lab.run(vm, "test -d /run/systemd/system");
        if (level === "B") expect(status).toBe(1);
        await lab.ok(vm, `echo ${vm} > "${root(vm)}/disks/sdb/hello"`);
        expect(readFileSync(path.join(`${lab.diskFile(vm)}.folder`, "hello"), "utf8")).toBe(
          `${vm}\n`,
        );
        expect(await lab.ok(vm, "sysbench --version")).toMatch(/^sysbench 1\.0/);
        expect(await lab.ok(vm, "fio --version")).toMatch(/^fio-3/);
      }
    });

    it("refuse the bed's data beside files of others", async () => {
      expect(await bootstrap("pg01")).toMatchObject({
        status: 65,
        stdout: expect.stringContaining("holds files that are not of bed") as string,
      });
      for (const vm of vms) await lab.ok(vm, `rm "${root(vm)}/disks/sdb/hello"`);
    });

    it("carry a real MariaDB that comes back with the guest", async () => {
      const ran = await Promise.all(vms.map((vm) => bootstrap(vm)));
      for (const { status, stdout } of ran)
        expect([status, stdout]).toEqual([0, expect.stringMatching(/^MariaDB 10\./)]);
      await sql("pg01", "create database mine");
      // Again: nothing changes, the server is not started anew.
      const id = await sql(
        "pg01",
        "select variable_value from information_schema.global_status where variable_name='uptime'",
      );
      expect((await bootstrap("pg01")).status).toBe(0);
      expect(
        Number(
          await sql(
            "pg01",
            "select variable_value from information_schema.global_status where variable_name='uptime'",
          ),
        ),
      ).toBeGreaterThanOrEqual(Number(id));
      await lab.powerOff("pg01", true);
      await lab.powerOn("pg01");
      await until(() => sql("pg01", "select 1"));
      expect(await sql("pg01", "show databases like 'mine'")).toBe("mine");
      expect(await sql("pg02", "show databases like 'mine'")).toBe("");
    });

    it("refuse another bed's data", async () => {
      expect(await bootstrap("pg02", makeBedId(randomBytes))).toMatchObject({ status: 65 });
    });

    it("measure with a real sysbench", async () => {
      const socket = `${root("pg02")}/run/mysqld/mysqld.sock`;
      await sql("pg02", "create database sbtest");
      const common = `sysbench oltp_read_write --db-driver=mysql --mysql-user=root --mysql-socket=${socket} --tables=1 --table-size=1000`;
      await lab.ok("pg02", `${common} prepare`);
      expect(await lab.ok("pg02", `${common} --threads=2 --time=2 run`)).toMatch(
        /transactions: +[1-9]/,
      );
    });

    it("let detached jobs outlive their connection, and end them with the guest", async () => {
      await lab.ok("pg02", "setsid sleep 3141 </dev/null >/dev/null 2>&1 & echo started");
      await until(() => sleepersAre(1));
      await lab.powerOff("pg02", false);
      expect(sleepers()).toEqual([]);
      expect(await lab.call("status")).toMatchObject([
        { vm: "pg01", running: true },
        { vm: "pg02", running: false },
      ]);
      await lab.powerOn("pg02");
    });

    it("come back after a restart that the guest itself asks for", async () => {
      await lab.run("pg02", "reboot").catch(() => undefined);
      await until(() => sql("pg02", "select 1"));
      await lab.run("pg01", "poweroff").catch(() => undefined);
      await until(async () => {
        const status = (await lab.call("status")) as { vm: string; running: boolean }[];
        if (status[0]?.running !== false) throw new Error("still on");
      });
    });

    it("leave nothing when the lab is killed", async () => {
      await lab.ok("pg02", "setsid sleep 3141 </dev/null >/dev/null 2>&1 & echo started");
      await lab.kill();
      if (level === "C") await removeProcessGuests(lab.dir);
      await until(() => sleepersAre(0));
      expect(await markedProcesses(lab.dir)).toEqual([]);
      expect(existsSync(guestRoots(lab.dir))).toBe(false);
    });
  });
});

function sleepers(): string[] {
  return readdirSync("/proc").filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1") === "sleep\0" + "3141\0";
    } catch {
      return false;
    }
  });
}

function sleepersAre(count: number): Promise<void> {
  expect(sleepers()).toHaveLength(count);
  return Promise.resolve();
}

/** Repeats until it does not throw, at most a minute. */
async function until<T>(work: () => Promise<T>): Promise<T> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
