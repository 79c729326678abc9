import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, projectRoot, withSystemFolders } from "../../../tools/setup/paths";

test("adds the folders of system tools once, at the end", () => {
  expect(withSystemFolders("/usr/bin:/usr/sbin:/bin")).toBe(
    "/usr/bin:/usr/sbin:/bin:/usr/local/sbin:/sbin",
  );
  expect(withSystemFolders(withSystemFolders("/bin"))).toBe(withSystemFolders("/bin"));
  expect(withSystemFolders(undefined)).toBe("/usr/local/sbin:/usr/sbin:/sbin");
});

test("finds system tools that the shell's PATH leaves out", () => {
  const env = { PATH: withSystemFolders("/usr/bin:/bin") };
  const found = execFileSync("/bin/sh", ["-c", "command -v losetup || true"], {
    env,
    encoding: "utf8",
  });
  const isHere = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].some((f) =>
    existsSync(join(f, "losetup")),
  );
  expect(found !== "").toBe(isHere);
});

test("finds the project by its package.json, and ignores a cache folder that is not absolute", () => {
  expect(existsSync(join(projectRoot(), "Pulumi.yaml"))).toBe(true);
  const former = process.env["XDG_CACHE_HOME"];
  process.env["XDG_CACHE_HOME"] = "relative";
  try {
    expect(cacheFolder("x")).toMatch(/^\/.*\/\.cache\/sanbed\/x$/);
  } finally {
    if (former === undefined) delete process.env["XDG_CACHE_HOME"];
    else process.env["XDG_CACHE_HOME"] = former;
  }
});
