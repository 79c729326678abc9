import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LabFolder } from "../../lab/folder";
import { a250Preset } from "../../lab/presets/a250";
import { LabSecrets } from "../../lab/secrets";
import { loadWorld, saveWorld } from "../../lab/world/snapshot";

let folder: LabFolder;
let secrets: LabSecrets;

beforeEach(() => {
  folder = new LabFolder(mkdtempSync(join(tmpdir(), "sanbed-damaged-")));
  folder.create();
  secrets = new LabSecrets(folder);
});
afterEach(() => {
  rmSync(folder.path, { recursive: true });
});

/** Cuts a file in the middle, calls, and answers the message. */
function cut(path: string, read: () => unknown): string {
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.slice(0, text.length / 2));
  try {
    read();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`${path} is taken although it is cut`);
}

const named = (path: string): RegExp =>
  new RegExp(`the lab's file ${path} is damaged .*; delete it.*sanbed lab up`);

it("a cut world is named with what to do, and so is an empty one", () => {
  saveWorld(folder.world, a250Preset());
  const read = (): unknown => loadWorld(folder.world);
  expect(cut(folder.world, read)).toMatch(named(folder.world));
  writeFileSync(folder.world, "");
  expect(read).toThrow(named(folder.world));
});

it("cut credentials, certificate and keys are named, and made anew after that", () => {
  const first = secrets.credentials("array");
  const path = secrets.credentialsFile("array");
  const message = cut(path, () => secrets.credentials("array"));
  expect(message).toMatch(named(path));
  expect(message).not.toContain(first.password.slice(0, 4));
  rmSync(path);
  expect(secrets.credentials("array").password).not.toBe(first.password);

  const certificate = folder.file("secrets", "array.crt");
  const key = folder.file("secrets", "array.key");
  const read = (): unknown => secrets.certificate("array");
  read();
  expect(cut(certificate, read)).toMatch(named(certificate));
  rmSync(certificate);
  read();
  expect(cut(key, read)).toContain(key);

  const pair = secrets.guestKey;
  secrets.publicKey(pair);
  expect(cut(`${pair}.pub`, () => secrets.publicKey(pair))).toMatch(named(`${pair}.pub`));
});

it("a certificate with the key of another one is not served", () => {
  secrets.certificate("array");
  secrets.certificate("fabricA");
  const other = readFileSync(folder.file("secrets", "fabricA.key"));
  writeFileSync(folder.file("secrets", "array.key"), other);
  expect(() => secrets.certificate("array")).toThrow(/its key is of another certificate/);
});
