import type { GuestEnd } from "./guest-room";

/**
 * Init of a guest without systemd (levels B and C), POSIX sh. It starts the SSH server and what `etc/rc.local` starts,
 * reaps, and ends on a signal: TERM for power off, HUP for a restart, as the small `poweroff` and `reboot` beside it
 * send them. GUEST_ROOT is the guest's root folder; empty where that is `/` (level B).
 */
export const PLAIN_INIT = `set -u
root=\${GUEST_ROOT:-}
end=
trap 'end=0' TERM INT
trap 'end=3' HUP
log=$root/var/log/init.log
echo "$$" > "$root/run/init.pid"
"\${GUEST_SSHD:-/usr/sbin/sshd}" \${GUEST_SSHD_FLAGS:-} -D -e -f "$root/etc/ssh/sshd_config" >>"$root/var/log/sshd.log" 2>&1 </dev/null &
sshd=$!
if [ -x "$root/etc/rc.local" ]; then
  "$root/etc/rc.local" start >>"$log" 2>&1 </dev/null &
fi
# A signal ends the wait; so does the SSH server's own end, and then the guest is of no use any more.
while [ -z "$end" ]; do
  wait "$sshd"
  [ -n "$end" ] || kill -0 "$sshd" 2>/dev/null || end=9
done
[ ! -x "$root/etc/rc.local" ] || "$root/etc/rc.local" stop >>"$log" 2>&1 </dev/null
kill "$sshd" 2>/dev/null
wait "$sshd" 2>/dev/null
exit "$end"
`;

/** How a guest ended, by the exit code of {@link PLAIN_INIT}; null: a signal ended it. */
export function endOfPlainInit(code: number | null): GuestEnd {
  if (code === 0) return "poweroff";
  return code === 3 ? "reboot" : "killed";
}

/** `poweroff` (TERM) and `reboot` (HUP) of a guest: they tell its init. */
export function powerCommand(signal: "TERM" | "HUP"): string {
  return `#!/bin/sh
exec kill -${signal} "$(cat "\${GUEST_ROOT:-}/run/init.pid")"
`;
}
