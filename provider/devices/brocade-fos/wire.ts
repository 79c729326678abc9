import { z } from "zod";

/**
 * Shapes of the FOS REST API as the switch sends them (YANG models brocade-zone, brocade-name-server,
 * brocade-fibrechannel-switch, brocade-interface and brocade-logging, 8.2.0 to 9.1.0). Unknown leaves pass.
 */

/** A list leaf: absent, one bare element, or a list (a single element often comes without brackets). */
function listOf<T extends z.ZodType>(element: T) {
  return z.preprocess((value): unknown[] => {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? (value as unknown[]) : [value];
  }, z.array(element));
}

const number = z.coerce.number();

const memberEntry = z
  .looseObject({
    "entry-name": listOf(z.string()),
    "principal-entry-name": listOf(z.string()),
  })
  .optional();

const zone = z.looseObject({
  "zone-name": z.string(),
  "zone-type": number.optional(),
  "zone-type-string": z.string().optional(),
  "member-entry": memberEntry,
});

const alias = z.looseObject({
  "alias-name": z.string(),
  "member-entry": z.looseObject({ "alias-entry-name": listOf(z.string()) }).optional(),
});

const zoneConfig = z.looseObject({
  "cfg-name": z.string(),
  "member-zone": z.looseObject({ "zone-name": listOf(z.string()) }).optional(),
});

export const definedConfigurationShape = z.looseObject({
  cfg: listOf(zoneConfig),
  zone: listOf(zone),
  alias: listOf(alias),
});

export const effectiveConfigurationShape = z.looseObject({
  "cfg-name": z.string().optional(),
  checksum: z.string(),
  "default-zone-access": number.optional(),
  "transaction-token": number.optional(),
  "db-avail": number.optional(),
  "enabled-zone": listOf(zone),
});

export const fabricLockShape = z.looseObject({
  "lock-principal-domain-id": number.optional(),
  "remaining-time": number.optional(),
  "client-role": z.string().optional(),
  "client-user-name": z.string().optional(),
  "client-ip-address": z.string().optional(),
  "client-interface": z.string().optional(),
  "client-application-name": z.string().optional(),
});

export const nameServerShape = listOf(
  z.looseObject({
    "port-id": z.string(),
    "port-name": z.string(),
    "node-name": z.string(),
    "permanent-port-name": z.string().optional(),
    "port-symbolic-name": z.string().optional(),
    "fc4-features": z.string().optional(),
    "name-server-device-type": z.string().optional(),
  }),
);

export const switchShape = listOf(
  z.looseObject({
    name: z.string(),
    "user-friendly-name": z.string().optional(),
    "fabric-user-friendly-name": z.string().optional(),
    model: z.string().optional(),
    "firmware-version": z.string().optional(),
    /** Hundredths of a second (ietf-yang-types timeticks). */
    "up-time": number.optional(),
    "vf-id": number.optional(),
  }),
);

/** Port numbers are `slot/port`. FOS 9 adds words beside the numbers of 8.2. */
export const interfaceShape = listOf(
  z.looseObject({
    name: z.string(),
    "operational-status": number.optional(),
    "operational-status-string": z.string().optional(),
    "port-type": number.optional(),
    "port-type-string": z.string().optional(),
    /** Bits per second; 0 while nothing was agreed on. Not for 64G ports, which have `protocol-speed`. */
    speed: number.optional(),
    /** `32-gfc`. */
    "protocol-speed": z.string().optional(),
    neighbor: z.looseObject({ wwn: listOf(z.string()) }).optional(),
  }),
);

export const statisticsShape = listOf(z.looseObject({ name: z.string() }));

export const eventShape = listOf(
  z.looseObject({
    "time-stamp": z.string(),
    "message-id": z.string(),
    "severity-level": z.string(),
    "message-text": z.string(),
  }),
);

export type WireZone = z.infer<typeof zone>;
export type WireDefined = z.infer<typeof definedConfigurationShape>;
export type WireEffective = z.infer<typeof effectiveConfigurationShape>;
export type WireLock = z.infer<typeof fabricLockShape>;
export type WireLogin = z.infer<typeof nameServerShape>[number];
export type WireInterface = z.infer<typeof interfaceShape>[number];
export type WireStatistics = z.infer<typeof statisticsShape>[number];
export type WireEvent = z.infer<typeof eventShape>[number];

const errorEntry = z.looseObject({
  "error-message": z.string().optional(),
  "error-path": z.string().optional(),
  "error-tag": z.string().optional(),
  "error-info": z
    .looseObject({ "error-code": number.optional(), "error-module": z.string().optional() })
    .optional(),
});

/** One error as the switch gave it. */
export interface FosFault {
  readonly status: number;
  readonly code: number | undefined;
  readonly module: string | undefined;
  readonly message: string;
  /** It came in the switch's error document. A page of a proxy or a web server without REST has none. */
  readonly documented: boolean;
}

const errorShape = z.object({ errors: z.looseObject({ error: listOf(errorEntry) }) });

/** Reads an error body; without one (an Apache page, nothing at all) only the status is known. */
export function readFault(status: number, text: string): FosFault {
  const parsed = errorShape.safeParse(parseJson(text));
  const entry = parsed.success ? parsed.data.errors.error[0] : undefined;
  return {
    status,
    documented: entry !== undefined,
    code: entry?.["error-info"]?.["error-code"],
    module: entry?.["error-info"]?.["error-module"],
    message:
      entry?.["error-message"] ?? (parsed.success ? "no message" : text.trim().slice(0, 200)),
  };
}

/** What is inside `Response.<name>`. Undefined when this is no answer of the switch. */
export function responsePart(text: string, name: string): { readonly part: unknown } | undefined {
  const body = z.object({ Response: z.record(z.string(), z.unknown()) }).safeParse(parseJson(text));
  return body.success ? { part: body.data.Response[name] } : undefined;
}

/**
 * JSON as the switch sends it. Counters are 64 bits wide and come as plain numbers: what a JavaScript
 * number cannot hold stays text, digit by digit.
 */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) =>
      typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? (context?.source ?? value)
        : value,
    ) as unknown;
  } catch {
    return undefined;
  }
}
