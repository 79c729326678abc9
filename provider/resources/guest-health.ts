/** What a guest says about itself that may make it unfit, read by {@link healthScript} in one go. */
export interface GuestHealth {
  /** Bits that the kernel can give out; from Linux 5.18 on it says 256 once it is seeded. */
  readonly entropy: number | undefined;
  /** Free space of the folder that jobs write to, in KiB. */
  readonly freeKib: number | undefined;
  /** Service that keeps the clock in step: `chronyd`, `ntpd`, `systemd-timesyncd`, or undefined. */
  readonly timeService: string | undefined;
  /** Whether it says that the clock is in step. */
  readonly synchronised: boolean;
}

/** For `sh -s`, with the folder of the jobs as argument. Prints `key value` lines. */
export const healthScript = `dir=$1
while [ ! -d "$dir" ] && [ "$dir" != / ]; do dir=$(dirname "$dir"); done
echo "entropy $(cat /proc/sys/kernel/random/entropy_avail 2>/dev/null)"
echo "free $(df -Pk "$dir" 2>/dev/null | awk 'NR == 2 { print $4 }')"
for one in chronyd ntpd systemd-timesyncd; do
  pgrep -x "$(echo "$one" | cut -c1-15)" >/dev/null 2>&1 && { echo "service $one"; break; }
done
if [ "$(timedatectl show -p NTPSynchronized --value 2>/dev/null)" = yes ] ||
  chronyc -n tracking 2>/dev/null | grep -q '^Leap status *: *Normal' ||
  ntpstat >/dev/null 2>&1; then
  echo "synchronised yes"
fi
`;

/** Reads the answer of {@link healthScript}. What it does not say is undefined, never 0. */
export function readHealth(answer: string): GuestHealth {
  const values = new Map(
    answer.split("\n").map((line) => {
      const cut = line.indexOf(" ");
      return [line.slice(0, cut), line.slice(cut + 1).trim()] as const;
    }),
  );
  const number = (key: string): number | undefined => {
    const text = values.get(key);
    return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
  };
  return {
    entropy: number("entropy"),
    freeKib: number("free"),
    timeService: values.get("service"),
    synchronised: values.get("synchronised") === "yes",
  };
}

/** Enough for a key of 128 bits; a guest below it stops in the middle of a TLS or SSH handshake. */
const minEntropyBits = 128;

/** What makes a guest unfit to run jobs. */
export function healthProblems(
  health: GuestHealth,
  needs: { readonly timeSync: boolean; readonly freeKib: number; readonly folder: string },
): string[] {
  const problems: string[] = [];
  const { entropy, freeKib, timeService, synchronised } = health;
  if (entropy !== undefined && entropy < minEntropyBits) {
    problems.push(
      `its kernel has ${entropy.toString()} bits of entropy, expected ${minEntropyBits.toString()}: install rng-tools or haveged`,
    );
  }
  if (freeKib === undefined || freeKib < needs.freeKib) {
    const free = freeKib === undefined ? "it does not say how much" : `${freeKib.toString()} KiB`;
    problems.push(`${free} is free at ${needs.folder}, expected ${needs.freeKib.toString()} KiB`);
  }
  if (needs.timeSync && timeService === undefined) {
    problems.push("no time service runs on it (chronyd, ntpd, systemd-timesyncd)");
  } else if (needs.timeSync && !synchronised) {
    problems.push(`${timeService ?? ""} runs, but says that the clock is not in step`);
  }
  return problems;
}
