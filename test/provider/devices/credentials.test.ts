import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { ConfigError } from "../../../bed/errors";
import { resolveCredentials, resolveSecret, Secret } from "../../../provider/devices/credentials";

const planted = "pl4nted-Secret";
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "sanbed-credentials-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  delete process.env["SANBED_TEST_SECRET"];
});

test("a secret never prints, only reveals", () => {
  const secret = new Secret(planted);
  const shown = [String(secret), JSON.stringify({ secret }), inspect({ secret }, { depth: 9 })];
  for (const text of shown) expect(text).not.toContain(planted);
  expect(secret.reveal()).toBe(planted);
});

test("comes from environment, file or program", async () => {
  process.env["SANBED_TEST_SECRET"] = planted;
  writeFileSync(join(folder, "secret"), `${planted}\n`);
  expect((await resolveSecret("env:SANBED_TEST_SECRET")).reveal()).toBe(planted);
  expect((await resolveSecret("file:secret", folder)).reveal()).toBe(planted);
  expect((await resolveSecret(`file:${folder}/secret`)).reveal()).toBe(planted);
  expect((await resolveSecret("exec:cat secret", folder)).reveal()).toBe(planted);
});

test("a program gets its arguments as they are, without a shell", async () => {
  const text = (await resolveSecret("exec:printf %s $HOME;id", folder)).reveal();
  expect(text).toBe("$HOME;id");
});

test("is user and password as JSON", async () => {
  writeFileSync(join(folder, "both"), JSON.stringify({ user: "admin", password: planted }));
  const { user, password } = await resolveCredentials("file:both", folder);
  expect([user, password.reveal()]).toEqual(["admin", planted]);
});

test.each([
  ["a variable that is not set", "env:SANBED_NOT_SET"],
  ["a file that is not there", "file:none"],
  ["a program that fails", "exec:false"],
  ["something that is no reference", planted],
  ["text that is not user and password", "file:secret"],
])("is refused for %s, without telling what it is", async (_what, reference) => {
  writeFileSync(join(folder, "secret"), planted);
  const error: unknown = await resolveCredentials(reference, folder).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as Error).message).not.toContain(planted);
});

test("references that lead to references end with a message, whether by file or by program", async () => {
  writeFileSync(join(folder, "circle"), "file:circle\n");
  await expect(resolveCredentials("file:circle", folder)).rejects.toThrow(
    /leads to another reference, and references are not followed/,
  );
  // What a program of `exec:` starts knows that it was started so.
  expect((await resolveSecret("exec:printenv SANBED_RESOLVING")).reveal()).toBe("1");
  process.env["SANBED_RESOLVING"] = "1";
  try {
    await expect(resolveSecret("exec:true")).rejects.toThrow(/resolves a reference itself/);
  } finally {
    delete process.env["SANBED_RESOLVING"];
  }
});
