import { execFileSync } from "node:child_process";
import { sysbenchBootstrap } from "../../templates/sysbench-bootstrap";

const review = {
  bedId: "abcdefghij",
  address: "192.0.2.11",
  databasePort: 3306,
  bufferPoolBytes: 24n * 1024n ** 3n,
  tables: 100,
  threads: 32,
  testDisk: "/dev/sdb",
};

describe("the bootstrap of a Sysbench guest", () => {
  it("is a script that a shell can read", () => {
    const script = sysbenchBootstrap(review);
    expect(() => execFileSync("sh", ["-n"], { input: script })).not.toThrow();
  });

  it("sets the limits that 100 tables and 32 threads need", () => {
    const script = sysbenchBootstrap(review);
    expect(script).toContain("innodb_buffer_pool_size = 25769803776");
    expect(script).toContain("innodb_log_file_size = 4294967296");
    expect(script).toContain("max_prepared_stmt_count = 100000");
    expect(script).toContain("table_open_cache = 3600");
    const many = sysbenchBootstrap({ ...review, tables: 400, threads: 64 });
    expect(many).toContain(`max_prepared_stmt_count = ${((9 * 400 + 2) * 64 + 1000).toString()}`);
  });

  it("takes no value as shell text", () => {
    const evil = "/dev/sdb'; touch /tmp/evil; '";
    const script = sysbenchBootstrap({ ...review, testDisk: evil });
    const line = script.split("\n").find((text) => text.startsWith("disk="))!;
    const printed = execFileSync("sh", ["-c", `${line}\nprintf %s "$disk"`], { encoding: "utf8" });
    expect(printed).toBe(evil);
  });

  it("refuses a value that would be a second line of the option file", () => {
    expect(() => sysbenchBootstrap({ ...review, address: "1.2.3.4\nuser=root" })).toThrow(
      RangeError,
    );
  });
});
