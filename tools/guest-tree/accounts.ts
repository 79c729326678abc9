/**
 * The guest's users and groups. As guests share the kernel with their host, a guest's uid is the host's too: the
 * accounts that Debian's packages would make at the next free system uid (100, 101, ...) would belong to somebody else
 * there. They get numbers from a range that hosts do not give out by themselves (Debian Policy 9.2.2, 60000-64999).
 */

interface Account {
  readonly name: string;
  readonly id: number;
  readonly home: string;
  /** Primary group; by default one of the account's own name and number. */
  readonly gid?: number;
}

/** Owner of MariaDB's files in a guest. */
export const MYSQL_ID = 64911;
/** Group of dbus-daemon-launch-helper. */
export const MESSAGEBUS_ID = 64913;

const NOGROUP = 65534;

const ACCOUNTS: readonly Account[] = [
  { name: "mysql", id: MYSQL_ID, home: "/nonexistent" },
  { name: "sshd", id: 64912, home: "/run/sshd", gid: NOGROUP },
  { name: "messagebus", id: MESSAGEBUS_ID, home: "/nonexistent" },
  { name: "systemd-network", id: 64914, home: "/" },
];

const GROUPS: readonly (readonly [string, number])[] = [
  ["systemd-journal", 64915],
  ["_ssh", 64916],
];

/** Texts of etc/passwd, etc/group, etc/shadow and etc/gshadow, from the masters of base-passwd. */
export function accountFiles(
  passwdMaster: string,
  groupMaster: string,
): { passwd: string; group: string; shadow: string; gshadow: string } {
  const passwd = [
    ...lines(passwdMaster).map((line) => withPassword(line)),
    ...ACCOUNTS.map((a) => `${a.name}:x:${a.id}:${a.gid ?? a.id}::${a.home}:/usr/sbin/nologin`),
  ];
  const group = [
    ...lines(groupMaster).map((line) => withPassword(line)),
    ...ACCOUNTS.filter((a) => a.gid === undefined).map((a) => `${a.name}:x:${a.id}:`),
    ...GROUPS.map(([name, id]) => `${name}:x:${id}:`),
  ];
  return {
    passwd: text(passwd),
    group: text(group),
    // `*`: no password fits. `!` would lock the account, and sshd refuses locked ones even with a key.
    shadow: text(passwd.map((line) => `${nameOf(line)}:*:19000:0:99999:7:::`)),
    gshadow: text(group.map((line) => `${nameOf(line)}:*::`)),
  };
}

function lines(master: string): string[] {
  return master.split("\n").filter((line) => line !== "");
}

function withPassword(line: string): string {
  const [name, , ...rest] = line.split(":");
  return [name, "x", ...rest].join(":");
}

function nameOf(line: string): string {
  return line.split(":")[0] ?? "";
}

function text(all: readonly string[]): string {
  return `${all.join("\n")}\n`;
}
