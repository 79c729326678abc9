import { DeviceError } from "../../bed/errors";
import type { DeviceCall } from "../devices/call";
import type { Clock } from "../devices/clock";
import type { BedContext } from "./context";
import {
  checkLogins,
  commonCause,
  type FabricLogins,
  type LoginProblem,
} from "./fabric-login-check";
import type { ZoneRequest, ZoneSide } from "./fabric-zone-request";

/** A target port that was just made needs a moment to log in to its fabric. */
const lateLoginMs = 8_000;
const lookAgainMs = 2_000;

/**
 * Notes the hosts whose planned ports are not logged in where they should be. Ports that may come yet are
 * waited for. Nothing is written to a fabric before this.
 */
export async function checkAllLogins(
  tools: { readonly context: BedContext; readonly clock: Clock },
  requests: readonly ZoneRequest[],
  failures: Map<ZoneRequest, unknown>,
  call: DeviceCall,
): Promise<void> {
  const { context, clock } = tools;
  const until = clock.now() + lateLoginMs;
  for (;;) {
    const fabrics = await readLogins(context, requests, call);
    const problems = requests.map((request) => loginProblems(request, fabrics));
    const late = problems.flat().length > 0 && problems.flat().every(([, p]) => p.maybeLate);
    if (!late || clock.now() >= until) {
      for (const [index, request] of requests.entries()) {
        const own = problems[index] ?? [];
        if (own.length > 0) failures.set(request, loginError(request, own));
      }
      return;
    }
    call.status?.(`waiting for ports to log in: ${problems.flat()[0]?.[1].reason ?? ""}`);
    await clock.sleep(lookAgainMs, call.signal);
  }
}

async function readLogins(
  context: BedContext,
  requests: readonly ZoneRequest[],
  call: DeviceCall,
): Promise<FabricLogins[]> {
  const fabrics = new Map(
    requests.flatMap((request) => request.sides.map((side) => [side.device, side.fabric])),
  );
  return await Promise.all(
    [...fabrics].map(async ([device, fabric]) => ({
      fabric,
      device,
      logins: await context.fabric(device).logins(call),
    })),
  );
}

function loginProblems(
  request: ZoneRequest,
  fabrics: readonly FabricLogins[],
): (readonly [ZoneSide, LoginProblem])[] {
  return request.sides.flatMap((side) => {
    const here = fabrics.find((fabric) => fabric.device === side.device);
    if (here === undefined || side.wanted.length === 0) return [];
    const planned = {
      initiators: side.wanted.map((zone) => zone.initiator),
      targets: [...new Set(side.wanted.flatMap((zone) => zone.targets))],
    };
    const others = fabrics.filter((fabric) => fabric !== here);
    return checkLogins(planned, here, others).map((problem) => [side, problem] as const);
  });
}

function loginError(
  request: ZoneRequest,
  problems: readonly (readonly [ZoneSide, LoginProblem])[],
): DeviceError {
  const [side] = problems[0] ?? [];
  const zoned = request.sides.filter(({ wanted }) => wanted.length > 0);
  const bySide = zoned.map((one) => problems.flatMap(([of, p]) => (of === one ? [p] : [])));
  const common = commonCause(bySide);
  const apart = problems.filter(
    ([, p]) => common === undefined || p.role === "initiator" || !p.maybeLate,
  );
  const remedies = new Set([
    ...(common === undefined ? [] : [common]),
    ...apart.map(([, problem]) => problem.remedy),
  ]);
  return new DeviceError({
    kind: "refused",
    device: side?.device ?? "fabric",
    operation: "zone",
    object: `host ${request.host}`,
    reason: problems.map(([, problem]) => problem.reason).join("; "),
    remedy: [...remedies].join(" "),
  });
}
