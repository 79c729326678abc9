/** PATH of a root user. */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * What makes a guest of level B, in mount, PID, UTS and IPC namespaces that an ordinary user may have. Values come by
 * environment (GUEST_DIR, GUEST_TREE, GUEST_HOSTNAME), the folders of disks as arguments: name, folder, name, folder.
 *
 * - \`userxattr\`: an overlay of an ordinary user keeps its notes in user attributes (overlayfs.rst).
 * - There is no /sys: it belongs to the host's network namespace. /proc/sys is read-only, since to a lab that root
 *   started the files behind it would belong.
 * - OpenSSH takes user 0 without setgroups(2) for broken; as user 1000 it goes its ordinary user's way. So the guest's
 *   own programs run in a second user namespace, whose only user 1000 is called root in its passwd.
 */
export const USER_BOOT_SCRIPT = `set -eu
cd "$GUEST_DIR"
mount --bind "$GUEST_TREE" lower
mount -t overlay -o lowerdir=lower,upperdir=upper,workdir=work,userxattr overlay root
cd root
mount -t proc -o nosuid,nodev,noexec proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro,nosuid,nodev,noexec proc/sys
[ ! -e proc/sysrq-trigger ] || mount --bind /dev/null proc/sysrq-trigger
mount -t tmpfs -o mode=0555,nosuid,size=4k tmpfs sys
mount -t tmpfs -o mode=0755,nosuid,size=1m tmpfs dev
for name in null zero full random urandom tty; do
  : > "dev/$name"
  mount --bind "/dev/$name" "dev/$name"
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=0620 devpts dev/pts
mount -t tmpfs -o mode=1777,nosuid,nodev tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
ln -s /proc/self/fd/0 dev/stdin
ln -s /proc/self/fd/1 dev/stdout
ln -s /proc/self/fd/2 dev/stderr
while [ $# -gt 0 ]; do
  mkdir -p "disks/$1"
  mount --bind "$2" "disks/$1"
  shift 2
done
mount -t tmpfs -o mode=0755,nosuid,nodev tmpfs run
mkdir -m 0755 run/sshd run/mysqld
hostname "$GUEST_HOSTNAME"
ulimit -n "$(ulimit -H -n)" || true
pivot_root . .old
cd /
umount -l /.old
exec unshare --user --map-user=1000 --map-group=1000 env -i container=lab HOME=/root PATH=${SYSTEM_PATH} LANG=C.UTF-8 /bin/sh /etc/sanbed/init
`;
