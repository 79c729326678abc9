const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** A moment in the forms that the switch prints, in UTC. */
export interface SwitchTime {
  /** `22:19:08 UTC Apr 13 2020`, in results of zoning. */
  readonly status: string;
  /** `2020 Apr 13 22:19:08`, in front of a system message. */
  readonly log: string;
  /** `Mon Apr 13 22:19:08 2020`. */
  readonly full: string;
}

export function switchTime(atMs: number): SwitchTime {
  const at = new Date(atMs);
  const time = at.toISOString().slice(11, 19);
  const month = months[at.getUTCMonth()] ?? "";
  const day = at.getUTCDate().toString().padStart(2);
  const year = at.getUTCFullYear().toString();
  return {
    status: `${time} UTC ${month} ${day} ${year}`,
    log: `${year} ${month} ${day} ${time}`,
    full: `${days[at.getUTCDay()] ?? ""} ${month} ${day} ${time} ${year}`,
  };
}

/** Days, hours, minutes and seconds of a span. */
export function span(ms: number): {
  days: number;
  hours: number;
  minutes: number;
  seconds: number;
} {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return {
    days: Math.floor(seconds / 86_400),
    hours: Math.floor(seconds / 3_600) % 24,
    minutes: Math.floor(seconds / 60) % 60,
    seconds: seconds % 60,
  };
}
