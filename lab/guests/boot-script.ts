/**
 * What runs as PID 1 of a guest's namespaces until it becomes the guest's systemd. Two parts, as the control group must
 * be entered before the cgroup namespace is made: the guest then sees its own subtree only. All values come by
 * environment (GUEST_DIR, GUEST_TREE, GUEST_CGROUP, GUEST_HOSTNAME, GUEST_DISKS), nothing is spliced into the text.
 */

/** First part: enter the control group, then the cgroup namespace. `$1` is the second part. */
export const ENTER_SCRIPT = `set -eu
echo 0 > "$GUEST_CGROUP/cgroup.procs"
exec unshare --cgroup --mount --propagation private sh -c "$1"
`;

/**
 * Second part: root file system, private /dev, read-only /sys and /proc/sys, then systemd.
 *
 * - The tree is bound and all overlay paths are relative, so that commas and colons in folder names do no harm.
 * - /dev with mode 0755: in a world-writable sticky folder the kernel refuses \`> /dev/null\` (fs.protected_regular).
 * - The limit of open files is what systemd's PID 1 gives its services on a machine; the lab's own may be lower.
 * - /proc/sys and /sys are read-only: they are the host's.
 */
export const BOOT_SCRIPT = `set -eu
cd "$GUEST_DIR"
mount --bind "$GUEST_TREE" lower
mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work overlay root
cd root
mount -t proc -o nosuid,nodev,noexec proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o nosuid,nodev,noexec sysfs sys
mount -o remount,bind,ro sys
mount -t cgroup2 -o nosuid,nodev,noexec cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=0755,nosuid,size=1m tmpfs dev
for name in null zero full random urandom tty; do
  : > "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 devpts dev/pts
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
for disk in $GUEST_DISKS; do
  name=\${disk%%=*}
  numbers=\${disk#*=}
  mknod -m 0660 "dev/$name" b "\${numbers%%:*}" "\${numbers#*:}"
done
mount -t tmpfs -o mode=0755,nosuid,nodev tmpfs run
hostname "$GUEST_HOSTNAME"
ulimit -n 524288 || true
pivot_root . .old
cd /
umount -l /.old
exec env -i container=lab PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 /lib/systemd/systemd
`;
