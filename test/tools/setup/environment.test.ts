import { execFileSync } from "node:child_process";
import { environmentText, pulumiEnvironment } from "../../../tools/setup/environment";

test("is read by a shell as meant, whatever the checkout is called", () => {
  const odd = '/home/a "b" $HOME `id` \\c/checkout';
  const text = environmentText({ PATH: `${odd}/bin:/now`, ODD: odd }, "/now");
  const show = `eval "$1"; printf '%s\\n' "$PATH" "$ODD"`;
  const shell = execFileSync("/bin/sh", ["-c", show, "sh", text], {
    encoding: "utf8",
    env: { PATH: "/later" },
  });
  expect(shell.split("\n")).toEqual([`${odd}/bin:/later`, odd, ""]);
});

test("opens the lab's stack with its own passphrase, and keeps nobody else's", () => {
  const former = process.env["PULUMI_CONFIG_PASSPHRASE"];
  process.env["PULUMI_CONFIG_PASSPHRASE"] = "planted-of-another-project";
  try {
    const env = pulumiEnvironment({ bin: "/engine", version: "3.276.0", source: "PATH" });
    expect(env["PULUMI_CONFIG_PASSPHRASE"]).toBe("embedded-lab");
    expect(environmentText(env, process.env["PATH"] ?? "")).not.toContain("planted");
  } finally {
    if (former === undefined) delete process.env["PULUMI_CONFIG_PASSPHRASE"];
    else process.env["PULUMI_CONFIG_PASSPHRASE"] = former;
  }
});
