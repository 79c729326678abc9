import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { readCredentials, readReference } from "../../stacks/references";

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), "sanbed-references-"))));
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("what cannot be resolved is named: variable, file with the reason, program without its arguments", () => {
  const missing = path.join(folder, "secrets", "vcenter.json");
  expect(() => readReference(`file:${missing}`)).toThrow(
    `the file ${missing} cannot be read (ENOENT)`,
  );
  expect(() => readReference(`file:${folder}`)).toThrow(
    `the file ${folder} cannot be read (EISDIR)`,
  );
  expect(() => readReference("env:SANBED_TEST_NOT_SET")).toThrow(
    "the environment variable SANBED_TEST_NOT_SET is not set",
  );
  const run = (): string => readReference("exec:false --token hunter22");
  expect(run).toThrow("the program false failed");
  expect(run).not.toThrow(/hunter22/);
  expect(() => readReference("hunter22")).not.toThrow(/hunter22/);
});

test("credentials of the wrong form name their file and show nothing of it", () => {
  const file = path.join(folder, "vcenter.json");
  writeFileSync(file, '{"user":"u","password":"hunter22"}');
  expect(readCredentials(`file:${file}`)).toEqual({ user: "u", password: "hunter22" });
  writeFileSync(file, '{"user":"u","passwort":"hunter22"}');
  const read = (): unknown => readCredentials(`file:${file}`);
  expect(read).toThrow(`file:${file} holds no JSON object with user and password`);
  expect(read).not.toThrow(/hunter22/);
});
