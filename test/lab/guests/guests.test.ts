import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { removeStaleCgroups } from "../../../lab/guests/leftovers";
import { guestTree } from "../../../tools/guest-tree/guest-tree";
import { GuestLab } from "./guest-lab";
import { missingForLevelA } from "./level-a";

const missing = missingForLevelA();
const atLevelA = missing.length === 0 ? describe : describe.skip;
const title = missing.length === 0 ? "" : ` (skipped, no level A here: ${missing.join("; ")})`;

/** What a bed's bootstrap does with a data disk. */
const PREPARE_DATABASE = `set -e
mkfs.ext4 -q /dev/sdb
mount /dev/sdb /mnt
cp -a /var/lib/mysql/. /mnt/
chown mysql:mysql /mnt
umount /mnt
echo "/dev/sdb /var/lib/mysql ext4 noatime 0 0" >> /etc/fstab
mount /var/lib/mysql
systemctl enable --quiet --now mariadb
mariadb -e "create database sbtest; create user sb@'127.%' identified by 'sb'; grant all on sbtest.* to sb@'127.%'"`;

/** Fits the constructors of tests: at most a few seconds of real work each, on a busy machine. */
jest.setTimeout(120_000);

atLevelA(`real guests${title}`, () => {
  let lab: GuestLab;

  beforeAll(async () => {
    lab = new GuestLab((await guestTree()).path, ["web01", "web02"]);
    await lab.start();
    await Promise.all(lab.vms.map((vm) => lab.powerOn(vm)));
  });

  afterAll(async () => {
    await lab.dispose();
    await removeStaleCgroups(lab.dir);
  });

  it("answers on its own address with the template's host key, and no other key passes", async () => {
    expect(await lab.ok("web01", "hostname")).toBe("web01");
    expect(await lab.ok("web02", "hostname")).toBe("web02");
    const other = new GuestLab("", []);
    try {
      await expect(lab.run("web01", "true", other.hostKey.public)).rejects.toThrow(/verification/);
    } finally {
      await other.dispose();
    }
  });

  it("has a systemd without failed units, and an identity of its own", async () => {
    expect(await lab.ok("web01", "systemctl is-system-running --wait")).toBe("running");
    expect(await lab.ok("web01", "systemctl --failed --no-legend")).toBe("");
    const ids = await Promise.all(lab.vms.map((vm) => lab.ok(vm, "cat /etc/machine-id")));
    expect(new Set(ids).size).toBe(2);
    const job = "systemd-run --unit=job --collect --wait --pipe sh -c 'echo out; exit 7'";
    expect(await lab.run("web01", job)).toMatchObject({ status: 7, stdout: "out" });
  });

  it("sees neither the host's files nor its disks", async () => {
    expect(await lab.run("web01", `ls ${lab.dir}`)).toMatchObject({ status: 2 });
    const blockDevices = "find /dev -type b -printf '%f '";
    expect(await lab.ok("web01", blockDevices)).toBe("sdb");
    expect(await lab.run("web01", "echo 0 > /proc/sys/kernel/printk")).toMatchObject({ status: 1 });
  });

  it("runs MariaDB and sysbench on a data disk whose I/O reaches the block server", async () => {
    await lab.ok("web01", PREPARE_DATABASE);
    expect(await lab.ok("web01", "findmnt -no SOURCE,FSTYPE /var/lib/mysql")).toBe("/dev/sdb ext4");
    const target = `--mysql-host=${lab.address("web01")} --mysql-port=${lab.databasePort} --mysql-user=sb --mysql-password=sb`;
    const sysbench = `sysbench oltp_read_write ${target} --tables=2 --table-size=2000 --threads=4`;
    await lab.ok("web01", `${sysbench} prepare`);
    const before = await lab.counters("web01");
    const output = await lab.ok("web01", `${sysbench} --time=3 run`);
    const transactions = Number(/transactions:\s+(\d+)/.exec(output)?.[1]);
    const after = await lab.counters("web01");
    expect(transactions).toBeGreaterThan(0);
    // Every transaction that writes flushes the redo log.
    expect(Number(after["flushes"]) - Number(before["flushes"])).toBeGreaterThan(10);
    expect(await lab.counters("web02")).toMatchObject({ writes: "0", errors: "0" });
  });

  it("feels an error and a delay of the volume below its disk, and no other guest does", async () => {
    const read = "dd if=/dev/sdb of=/dev/null bs=4k count=100 iflag=direct";
    const repair = await lab.fault({ volumeId: "vol-web02", error: "EIO" });
    const failed = await lab.run("web02", read);
    expect(failed.stderr).toContain("Input/output error");
    await lab.ok("web01", read);
    await repair();

    const duration = async (vm: string): Promise<number> => {
      const begin = Date.now();
      await lab.ok(vm, read);
      return Date.now() - begin;
    };
    const speedUp = await lab.fault({ volumeId: "vol-web02", op: "read", delayMs: 5 });
    expect(await duration("web02")).toBeGreaterThanOrEqual(500);
    await speedUp();
  });

  it("keeps its data over an orderly power off, and mounts its disk again", async () => {
    const machineId = await lab.ok("web01", "cat /etc/machine-id");
    await lab.powerOff("web01", false);
    expect(loopFiles()).not.toContain(`${lab.dir}/blocks/web01-disk1`);
    expect(await lab.call("status")).toMatchObject([
      { vm: "web01", running: false },
      { vm: "web02", running: true },
    ]);
    await lab.powerOn("web01");
    expect(await lab.ok("web01", "systemctl is-system-running --wait")).toBe("running");
    expect(await lab.ok("web01", "cat /etc/machine-id")).toBe(machineId);
    expect(await lab.ok("web01", "mariadb -Ne 'select count(*) from sbtest.sbtest1'")).toBe("2000");
  });

  it("recovers the database after its power was cut", async () => {
    await lab.powerOff("web01", true);
    await lab.powerOn("web01");
    await lab.ok("web01", "systemctl is-system-running --wait");
    expect(await lab.ok("web01", "mariadb -Ne 'select count(*) from sbtest.sbtest2'")).toBe("2000");
  });

  it("comes back when it restarts itself", async () => {
    const bootId = "stat -c %Z /proc/1";
    const before = await lab.ok("web02", bootId);
    // The connection may go before the command's status arrives.
    await lab.run("web02", "systemctl reboot").catch(() => undefined);
    let after = before;
    for (let attempt = 0; attempt < 200 && after === before; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      after = await lab.ok("web02", bootId).catch(() => before);
    }
    expect(after).not.toBe(before);
  });

  it("says what is in the way when its port is taken", async () => {
    await lab.powerOff("web02", true);
    const squatter = net.createServer().listen(lab.sshPort, lab.address("web02"));
    await new Promise((resolve) => squatter.once("listening", resolve));
    try {
      await expect(lab.powerOn("web02")).rejects.toThrow(
        `guest web02: cannot start: SSH cannot use ${lab.address("web02")}:${lab.sshPort}: something listens there already`,
      );
    } finally {
      await new Promise((resolve) => squatter.close(resolve));
    }
    await lab.powerOn("web02");
  });

  it("refuses a request with every problem named", async () => {
    const body = { ...lab.request("web02"), address: "10.0.0.1", memoryMiB: 0 };
    const refusal = lab.call("powerOn", "web02", body);
    await expect(refusal).rejects.toThrow(/address: .*loopback[\s\S]*memoryMiB: /);
  });

  it("removes a guest's files, powering it off first", async () => {
    await lab.call("remove", "web02");
    expect(readdirSync(path.join(lab.dir, "guests"))).toEqual(["web01"]);
  });

  it("leaves no process, mount or loop device when its supervisor is killed", async () => {
    const cgroup = readFileSync(path.join(lab.dir, "cgroups.txt"), "utf8").trim();
    expect(loopFiles()).toContain(`${lab.dir}/blocks/web01-disk1`);
    await lab.kill();
    await eventually(() => !loopFiles().some((file) => file.startsWith(lab.dir)));
    expect(readFileSync("/proc/self/mounts", "utf8")).not.toContain(lab.dir);
    expect(readFileSync(path.join(cgroup, "cgroup.procs"), "utf8")).toBe("");
    expect(processesIn(lab.dir)).toEqual([]);
    expect(await removeStaleCgroups(lab.dir)).toEqual({ removed: [cgroup], left: [] });
    expect(existsSync(cgroup)).toBe(false);
  });
});

/** Backing files of all loop devices of the machine. */
function loopFiles(): string[] {
  return readdirSync("/sys/block")
    .map((device) => `/sys/block/${device}/loop/backing_file`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8").trim());
}

/** Process ids whose working folder or program lies below a folder. */
function processesIn(dir: string): string[] {
  const below = (pid: string, link: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/${link}`).startsWith(dir);
    } catch {
      return false;
    }
  };
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => below(pid, "exe") || below(pid, "cwd"));
}

async function eventually(condition: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 200 && !condition(); attempt++) {
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  expect(condition()).toBe(true);
}
