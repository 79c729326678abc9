import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Secret } from "../../../provider/devices/credentials";
import { SessionRecords } from "../../../provider/devices/session-records";

const token = "Custom_Basic c2VjcmV0LXRva2Vu";
const password = new Secret("Pa55-word");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sanbed-records-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const records = (session = "https://switch as admin", device = "fabricA"): SessionRecords =>
  new SessionRecords({ folder, device, session });

const files = (): string[] => readdirSync(folder).map((name) => path.join(folder, name));

interface Owner {
  pid: number;
  host: string;
  started: string;
}

/** As if the process that keeps the record were another one. */
function disown(change: (owner: Owner) => void): void {
  for (const file of files()) {
    const record = JSON.parse(readFileSync(file, "utf8")) as { owner: Owner };
    change(record.owner);
    writeFileSync(file, JSON.stringify(record));
  }
}

const dead = (owner: Owner): void => {
  owner.pid = spawnSync(process.execPath, ["-e", ""]).pid;
};

test("a session of a killed process is given to the next one, once", async () => {
  await records().keep(token, password);
  disown(dead);
  const [found, ...more] = await records().abandoned(password);
  expect(found?.token).toBe(token);
  expect(more).toEqual([]);
  found?.forget();
  expect(files()).toEqual([]);
});

test("the token and the password stand nowhere in clear, and only the owner reads the file", async () => {
  await records().keep(token, password);
  const [file] = files();
  const text = readFileSync(file!, "utf8");
  for (const secret of [token, "c2VjcmV0LXRva2Vu", "Pa55-word"]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(secret).toString("base64"));
  }
  expect(statSync(file!).mode & 0o077).toBe(0);
});

test("a session of a living process is let be", async () => {
  const forget = await records().keep(token, password);
  expect(await records().abandoned(password)).toEqual([]);
  expect(files()).toHaveLength(1);
  forget();
  expect(files()).toEqual([]);
});

test("a process that got the number of the dead one is told apart", async () => {
  await records().keep(token, password);
  disown((owner) => {
    owner.started = "1";
  });
  const found = await records().abandoned(password);
  expect(found).toHaveLength(process.platform === "linux" ? 1 : 0);
});

test("a session of another machine is let be: its process may be alive", async () => {
  await records().keep(token, password);
  disown((owner) => {
    owner.host = "elsewhere";
    dead(owner);
  });
  expect(await records().abandoned(password)).toEqual([]);
  expect(files()).toHaveLength(1);
});

test("the token is given to the device and account alone that it is of", async () => {
  await records().keep(token, password);
  disown(dead);
  expect(await records("https://other as admin").abandoned(password)).toEqual([]);
  expect(await records("https://switch as admin", "fabricB").abandoned(password)).toEqual([]);
  // Somebody who may write the file cannot turn it to another device either.
  for (const file of files()) {
    writeFileSync(file, readFileSync(file, "utf8").replace("https://switch", "https://other"));
  }
  expect(await records("https://other as admin").abandoned(password)).toEqual([]);
});

test("with another password than before nothing is to be had, and the record goes", async () => {
  await records().keep(token, password);
  disown(dead);
  expect(await records().abandoned(new Secret("new"))).toEqual([]);
  expect(files()).toEqual([]);
});

test("damaged records and a missing folder are no errors", async () => {
  writeFileSync(path.join(folder, "fabricA.1-ab.json"), '{"owner":');
  expect(await records().abandoned(password)).toEqual([]);
  rmSync(folder, { recursive: true });
  expect(await records().abandoned(password)).toEqual([]);
});
