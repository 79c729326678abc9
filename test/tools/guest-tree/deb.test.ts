import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  existsSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { listMembers, unpackDeb } from "../../../tools/guest-tree/deb";
import { prepareTree } from "../../../tools/guest-tree/finish";
import { arMember, makeDeb } from "./deb-file";

describe("unpacking .deb files", () => {
  let dir: string;

  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), "sanbed-deb-test-"));
  });

  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  const write = (name: string, content: Buffer): string => {
    const file = path.join(dir, name);
    writeFileSync(file, content);
    return file;
  };

  it("puts files of /lib below the link to usr/lib instead of replacing the link", async () => {
    const file = write("a.deb", makeDeb({ "lib/x.so": "library", "usr/lib/y.so": "other" }));
    const tree = path.join(dir, "tree");
    await prepareTree(tree);
    await unpackDeb(file, tree, false);
    expect(readlinkSync(path.join(tree, "lib"))).toBe("usr/lib");
    expect(readFileSync(path.join(tree, "usr/lib/x.so"), "utf8")).toBe("library");
    expect(readFileSync(path.join(tree, "usr/lib/y.so"), "utf8")).toBe("other");
  });

  it("leaves documentation out and keeps links", async () => {
    const file = write(
      "a.deb",
      makeDeb({ "usr/share/doc/a/copyright": "text", "usr/share/a/data": "d", "etc/l": "->a" }),
    );
    const tree = path.join(dir, "tree");
    mkdirSync(tree);
    await unpackDeb(file, tree, false);
    expect(existsSync(path.join(tree, "usr/share/doc/a/copyright"))).toBe(false);
    expect(readFileSync(path.join(tree, "usr/share/a/data"), "utf8")).toBe("d");
    expect(readlinkSync(path.join(tree, "etc/l"))).toBe("a");
  });

  it("finds members behind one of odd size", async () => {
    const members = await listMembers(write("a.deb", makeDeb({ f: "x" })));
    expect(members.map((m) => m.name)).toEqual(["debian-binary", "control.tar.xz", "data.tar.xz"]);
  });

  it.each([
    ["no archive", Buffer.from("<html>404 Not Found</html>".padEnd(100)), /no ar archive/],
    ["cut short", makeDeb({ f: "x" }).subarray(0, -40), /data\.tar\.xz is cut short/],
    [
      "without data",
      Buffer.concat([Buffer.from("!<arch>\n"), arMember("x", Buffer.from("y"))]),
      /no data\.tar/,
    ],
    [
      "unknown compression",
      Buffer.concat([Buffer.from("!<arch>\n"), arMember("data.tar.br", Buffer.from("yy"))]),
      /compressed in an unknown way/,
    ],
  ])("refuses a file that is %s", async (_, content, message) => {
    await expect(unpackDeb(write("bad.deb", content), dir, false)).rejects.toThrow(message);
  });

  it("tells what tar said about damaged content", async () => {
    const whole = makeDeb({ f: "x".repeat(5000) });
    whole.fill(0x55, whole.length - 60, whole.length - 20);
    await expect(unpackDeb(write("bad.deb", whole), dir, false)).rejects.toThrow(/tar/);
  });
});
