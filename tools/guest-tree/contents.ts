/** Files and links that maintainer scripts would make, or that make the tree a template for guests of a lab. */

export interface TreeFile {
  readonly path: string;
  readonly text: string;
  /** Default 0644. */
  readonly mode?: number;
}

/** Folders with their mode. `.old` is where a guest's start leaves the host's root until it lets go of it. */
export const FOLDERS: readonly (readonly [string, number])[] = [
  ["tmp", 0o1777],
  ["var/tmp", 0o1777],
  ["dev", 0o755],
  ["proc", 0o755],
  ["sys", 0o755],
  ["run", 0o755],
  ["root", 0o700],
  ["root/.ssh", 0o700],
  ["home", 0o755],
  ["mnt", 0o755],
  ["media", 0o755],
  ["opt", 0o755],
  ["srv", 0o755],
  ["usr/local/bin", 0o755],
  ["usr/local/sbin", 0o755],
  ["usr/local/lib", 0o755],
  ["usr/local/share", 0o755],
  [".old", 0o755],
  ["var/log/mysql", 0o750],
  ["etc/mysql/mariadb.conf.d", 0o755],
  ["etc/systemd/system/multi-user.target.wants", 0o755],
  ["etc/systemd/system/local-fs.target.wants", 0o755],
  ["etc/default", 0o755],
];

/** Files that base packages carry as masters and copy into place by script, from source to destination. */
export const COPIES: readonly (readonly [string, string])[] = [
  ["usr/share/libc-bin/nsswitch.conf", "etc/nsswitch.conf"],
  ["usr/share/base-files/profile", "etc/profile"],
  ["usr/share/base-files/dot.bashrc", "root/.bashrc"],
  ["usr/share/base-files/dot.profile", "root/.profile"],
];

/** Units that want hardware, a kernel of their own, or a console; and timers that would run beside a measurement. */
const MASKED = [
  "systemd-udevd.service",
  "systemd-udev-trigger.service",
  "systemd-sysctl.service",
  "systemd-modules-load.service",
  "systemd-networkd.service",
  "systemd-networkd-wait-online.service",
  "systemd-resolved.service",
  "systemd-timesyncd.service",
  "systemd-binfmt.service",
  "systemd-firstboot.service",
  "systemd-repart.service",
  "systemd-sysusers.service",
  "systemd-update-utmp.service",
  "systemd-update-utmp-runlevel.service",
  "systemd-random-seed.service",
  "systemd-machine-id-commit.service",
  "systemd-remount-fs.service",
  "kmod-static-nodes.service",
  "proc-sys-fs-binfmt_misc.automount",
  "dev-hugepages.mount",
  "dev-mqueue.mount",
  "sys-fs-fuse-connections.mount",
  "sys-kernel-config.mount",
  "sys-kernel-debug.mount",
  "sys-kernel-tracing.mount",
  "systemd-journald-audit.socket",
  "systemd-initctl.socket",
  "getty.target",
  "getty-static.service",
  "console-getty.service",
  "apt-daily.timer",
  "apt-daily-upgrade.timer",
  "dpkg-db-backup.timer",
  "e2scrub_all.timer",
  "e2scrub_reap.service",
  "fstrim.timer",
  "systemd-tmpfiles-clean.timer",
  "man-db.timer",
];

/** Symbolic links, from path to target. */
export const LINKS: readonly (readonly [string, string])[] = [
  ["usr/bin/awk", "mawk"],
  ["usr/bin/which", "which.debianutils"],
  ["etc/mysql/my.cnf", "mariadb.cnf"],
  ["var/run", "/run"],
  ["var/lock", "/run/lock"],
  ["etc/mtab", "/proc/self/mounts"],
  ["etc/localtime", "/usr/share/zoneinfo/Etc/UTC"],
  ["etc/systemd/system/default.target", "/usr/lib/systemd/system/multi-user.target"],
  ["etc/systemd/system/sshd.service", "/usr/lib/systemd/system/ssh.service"],
  ["etc/systemd/system/multi-user.target.wants/ssh.service", "/usr/lib/systemd/system/ssh.service"],
  [
    "etc/systemd/system/local-fs.target.wants/local-disks.service",
    "/etc/systemd/system/local-disks.service",
  ],
  ...MASKED.map((unit) => [`etc/systemd/system/${unit}`, "/dev/null"] as const),
];

const PAM_COMMON: readonly TreeFile[] = ["auth", "account", "password", "session"].map((kind) => ({
  path: `etc/pam.d/common-${kind}`,
  text: `${kind} required pam_unix.so\n`,
}));

// In a container systemd leaves the block devices of fstab alone (systemd-fstab-generator(8)), as it expects nobody to
// have any there. A guest of the lab has real ones, so that entries of fstab must hold over a restart as on a machine.
const LOCAL_DISKS = `[Unit]
Description=Mount the local disks of /etc/fstab
DefaultDependencies=no
Before=local-fs.target
After=local-fs-pre.target
ConditionFileNotEmpty=/etc/fstab

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=/bin/mount --all
`;

// Small memory for many guests on one machine. Number 60: what a bed writes as 90-... or later wins.
const MARIADB = `[mariadbd]
skip-name-resolve
performance_schema=OFF
innodb_buffer_pool_size=32M
innodb_log_file_size=16M
innodb_log_buffer_size=2M
key_buffer_size=1M
aria_pagecache_buffer_size=1M
query_cache_type=0
max_connections=200
table_open_cache=400
skip-log-bin
ignore-db-dirs=lost+found
`;

// Automation keeps many connections open at once and sends environment variables.
const SSHD = `Include /etc/ssh/sshd_config.d/*.conf
HostKey /etc/ssh/ssh_host_ed25519_key
PermitRootLogin prohibit-password
PasswordAuthentication no
KbdInteractiveAuthentication no
UsePAM no
UseDNS no
MaxStartups 500
MaxSessions 200
AcceptEnv *
PrintMotd no
Subsystem sftp /usr/lib/openssh/sftp-server
`;

const JOURNALD = `[Journal]
Storage=volatile
RuntimeMaxUse=16M
RateLimitIntervalSec=0
ReadKMsg=no
Audit=no
`;

export const FILES: readonly TreeFile[] = [
  ...PAM_COMMON,
  { path: "etc/fstab", text: "" },
  { path: "etc/machine-id", text: "" },
  { path: "etc/resolv.conf", text: "" },
  { path: "etc/hosts", text: "127.0.0.1 localhost\n" },
  { path: "etc/hostname", text: "guest\n" },
  { path: "etc/timezone", text: "Etc/UTC\n" },
  { path: "etc/default/locale", text: "LANG=C.UTF-8\n" },
  { path: "etc/environment", text: "LANG=C.UTF-8\n" },
  { path: "etc/mysql/debian.cnf", text: "[client]\nhost=localhost\nuser=root\n", mode: 0o600 },
  { path: "etc/mysql/mariadb.conf.d/60-template.cnf", text: MARIADB },
  { path: "etc/ssh/sshd_config", text: SSHD },
  { path: "etc/systemd/system/local-disks.service", text: LOCAL_DISKS },
  { path: "etc/systemd/journald.conf.d/template.conf", text: JOURNALD },
  // PID 1 gives services 90 s to stop by default; a guest must not hold up a power off for that long.
  {
    path: "etc/systemd/system.conf.d/template.conf",
    text: "[Manager]\nDefaultTimeoutStopSec=20s\n",
  },
];
