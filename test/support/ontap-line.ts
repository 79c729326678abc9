import type { HttpAnswer, HttpRequest } from "../../provider/devices/http-session";
import type { Clock } from "../../provider/devices/clock";
import { Secret } from "../../provider/devices/credentials";
import { OntapLine } from "../../provider/devices/ontap/line";

/** A clock on which nobody waits: sleeping moves it on. */
export function leapingClock(): Clock & { leap(ms: number): void } {
  let now = 1_000_000;
  return {
    now: () => now,
    sleep: (ms, signal) => {
      signal?.throwIfAborted();
      now += ms;
      return Promise.resolve();
    },
    leap: (ms) => {
      now += ms;
    },
  };
}

/** A line to an array that `answer` plays: a status with a text, or an error for no answer. */
export function scriptedLine(
  answer: (request: HttpRequest) => readonly [status: number, text: string] | Error,
  clock: Clock = leapingClock(),
): { readonly line: OntapLine; readonly requests: HttpRequest[] } {
  const requests: HttpRequest[] = [];
  const line = new OntapLine({
    device: "array",
    clock,
    pace: 1,
    credentials: () => Promise.resolve({ user: "admin", password: new Secret("p<w&d") }),
    http: {
      send: (request) => {
        requests.push(request);
        const given = answer(request);
        if (given instanceof Error) return Promise.reject(given);
        const [status, text] = given;
        return Promise.resolve<HttpAnswer>({ status, headers: {}, text });
      },
    },
  });
  return { line, requests };
}
