import type { JsonObject } from "../world/state";

/**
 * What ONTAP answers when it refuses: an `error` body with the number as text. The numbers come from
 * the error tables of the REST API reference (docs.netapp.com, ontap-restapi-98 and -991); the tables
 * seldom print the HTTP status, so it stands here once, by kind, to be corrected from captures.
 */
export class OntapFault extends Error {
  readonly status: number;
  readonly code: string;
  readonly target: string | undefined;

  constructor(code: FaultCode, message: string, target?: string, status?: number) {
    super(message);
    this.code = code;
    this.status = status ?? statusOf(code);
    this.target = target;
  }

  body(): JsonObject {
    return {
      error: {
        message: this.message,
        code: this.code,
        ...(this.target === undefined ? {} : { target: this.target }),
      },
    };
  }
}

/** Every number that this emulator can answer with its HTTP status. */
const statuses = {
  // Generic ("Getting started with the ONTAP REST API", response codes and errors).
  "1": 409,
  "2": 400,
  "3": 404,
  "4": 404,
  "6": 403,
  "8": 409,
  "262179": 400,
  "262186": 400,
  "262190": 400,
  "262196": 400,
  "262197": 400,
  "262245": 400,
  "262247": 400,
  "2425736": 404,
  "2621462": 404,
  "2621573": 500,
  "2621706": 400,
  "2621707": 400,
  "460770": 500,
  "6691623": 401,
  // Jobs.
  "458773": 409,
  // Aggregates.
  "786435": 409,
  "786439": 409,
  "786446": 400,
  "786497": 409,
  "786771": 404,
  "786819": 400,
  "786902": 400,
  "786955": 400,
  "786956": 400,
  "787092": 400,
  "787169": 400,
  "787170": 400,
  "787267": 400,
  "19726341": 409,
  "19726382": 409,
  // SVMs.
  "13434884": 400,
  "13434889": 500,
  "13434894": 409,
  "13434908": 409,
  "13434909": 500,
  "13434911": 400,
  "13434912": 400,
  "13434914": 500,
  "13434915": 409,
  "13434916": 409,
  // FC protocol service, ports, interfaces.
  "1115127": 400,
  "1966140": 409,
  "1966217": 400,
  "1966238": 409,
  "2621507": 400,
  "5373960": 409,
  "5373966": 400,
  "5374082": 409,
  "5374083": 404,
  "5374085": 409,
  "5374087": 409,
  "5374102": 400,
  "5374871": 400,
  "5374872": 400,
  "5374873": 400,
  "5374893": 400,
  "5375057": 400,
  "53280992": 409,
  // NVMe service, subsystems, hosts, namespaces, maps.
  "72089650": 409,
  "72089651": 404,
  "72089652": 400,
  "72089653": 409,
  "72089654": 409,
  "72089672": 400,
  "72089674": 400,
  "72089705": 409,
  "72089709": 400,
  "72089722": 400,
  "72089723": 400,
  "72089724": 400,
  "72089725": 409,
  "72089727": 400,
  "72089732": 400,
  "72089771": 400,
  "72089772": 400,
  "72089773": 400,
  "72089790": 409,
  "72089796": 409,
  "72089900": 400,
  "72089901": 400,
  "72089902": 400,
  "72089903": 400,
  "72090001": 404,
  "72090003": 400,
  "72090004": 404,
  "72090005": 400,
  "72090006": 404,
  "72090007": 404,
  "72090013": 400,
  "72090017": 409,
  "72090019": 404,
  "72090020": 400,
  "72090021": 404,
  "72090023": 409,
  "72090024": 409,
  "72090025": 409,
  "72090028": 409,
  "72090029": 400,
  "72090036": 400,
  "72090038": 400,
  "72090043": 409,
  // Volumes.
  "524486": 409,
  "787140": 400,
  "787141": 400,
  "917505": 404,
  "917508": 404,
  "917526": 409,
  "917531": 409,
  "917534": 500,
  "917536": 500,
  "917551": 400,
  "917597": 400,
  "917835": 400,
  "917886": 400,
  "917887": 400,
  "917888": 400,
  "917927": 404,
  "918194": 409,
  "918235": 404,
  "918242": 400,
  "13107405": 409,
  // LUNs.
  "1254197": 409,
  "1254226": 400,
  "5374121": 400,
  "5374123": 400,
  "5374124": 400,
  "5374127": 400,
  "5374237": 400,
  "5374238": 400,
  "5374242": 409,
  "5374858": 400,
  "5374859": 400,
  "5374860": 400,
  "5374861": 400,
  "5374862": 400,
  "5374863": 400,
  "5374865": 409,
  "5374866": 409,
  "5374875": 404,
  "5374876": 404,
  "5374884": 400,
  "5374892": 400,
  "5440509": 500,
  "5440688": 409,
  "5702832": 409,
  "918236": 400,
  // Initiator groups.
  "1254213": 409,
  "5373958": 400,
  "5373982": 400,
  "5373983": 400,
  "5373993": 400,
  "5374023": 409,
  "5374034": 404,
  "5374035": 409,
  "5374732": 409,
  "5374734": 409,
  "5374852": 404,
  "5374878": 404,
  "5374917": 400,
  // LUN maps.
  "1254193": 409,
  "1254201": 404,
  "1254207": 409,
  "1254324": 409,
  "5374316": 409,
  "5374583": 400,
  "5374584": 400,
  "5374901": 400,
  "5374902": 400,
  "5374922": 404,
} as const;

export type FaultCode = keyof typeof statuses;

export function isFaultCode(code: string): code is FaultCode {
  return code in statuses;
}

function statusOf(code: FaultCode): number {
  return statuses[code];
}

export function entryMissing(target?: string): OntapFault {
  return new OntapFault("4", "entry doesn't exist", target);
}

export function unknownRoute(): OntapFault {
  return new OntapFault("3", "API not found");
}

export function wrongVerb(): OntapFault {
  return new OntapFault("3", "Method not allowed", undefined, 405);
}

export function unexpectedArgument(name: string, target = name): OntapFault {
  return new OntapFault("262179", `Unexpected argument "${name}".`, target);
}

export function notSettable(name: string): OntapFault {
  return new OntapFault("262196", `Field "${name}" cannot be set in this operation.`, name);
}

export function invalidValue(value: string, field: string): OntapFault {
  return new OntapFault("262197", `The value "${value}" is invalid for field "${field}"`, field);
}

export function required(field: string): OntapFault {
  return new OntapFault("262245", `The field "${field}" is required.`, field);
}

/**
 * The real array would do something here that the emulator does not model. Not an ONTAP answer: it
 * exists so that nothing is acknowledged without effect.
 */
export class NotModelled extends Error {
  readonly status = 501;

  body(): JsonObject {
    return { error: { message: `emulator: ${this.message}`, code: "emulator" } };
  }
}
