/** Limit of requests per sampling period (`mgmtapp --config -samplerequest`, `-sampletime`). */
export interface Throttle {
  /** Counts the request; false when it is over the limit. */
  admits(nowMs: number): boolean;
}

/** The lab's usual: its site has raised the limit, as sites do that automate. */
export const unlimited: Throttle = { admits: () => true };

export function sampled(requests: number, periodMs: number): Throttle {
  let startMs = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    admits: (nowMs) => {
      if (nowMs - startMs >= periodMs) {
        startMs = nowMs;
        count = 0;
      }
      count += 1;
      return count <= requests;
    },
  };
}
