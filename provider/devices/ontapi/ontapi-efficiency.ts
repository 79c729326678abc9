import { DeviceError } from "../../../bed/errors";
import type { DataReduction, Reduction } from "../block-array";
import type { DeviceCall } from "../call";
import { exactly, inParts, namesPerQuery } from "../ontap/naming";
import type { FlexVol } from "../ontap/objects";
import type { OntapiClient } from "./ontapi-client";
import type { OntapiTree } from "./ontapi-message";
import { element } from "./ontapi-reader";

/**
 * The policy of an all-flash system whose volumes save space only before they write (predefined, as `auto`
 * is, which also works in the background).
 */
const inlineOnly = "inline-only";

/** Policy for a new volume, so that it is right from the start; undefined: the system's own. */
export function policyOf(wanted: DataReduction | undefined): string | undefined {
  return wanted?.deduplication === "inline" ? inlineOnly : undefined;
}

/** What `sis-get-iter` tells of one volume. Compression that works inline has both its flags. */
const statusShape = element((from) => {
  const on = from.maybe("state") !== "disabled";
  const inline = from.flag("is-inline-dedupe-enabled") === true;
  const background = from.maybe("policy") !== inlineOnly;
  const compresses = on && from.flag("is-compression-enabled") === true;
  const compressesInline = from.flag("is-inline-compression-enabled") === true;
  return {
    name: from.text("path").replace(/^\/vol\//, ""),
    reduction: {
      deduplication: on ? words(inline, background) : "off",
      compression: compresses ? (compressesInline ? "inline" : "background") : "off",
      compaction: from.flag("is-data-compaction-enabled") === true ? "inline" : "off",
    } satisfies DataReduction,
  };
});

function words(inline: boolean, background: boolean): Reduction {
  if (inline) return background ? "both" : "inline";
  return background ? "background" : "off";
}

/** Storage efficiency of FlexVols over ONTAPI. A volume that is offline tells nothing. */
export class OntapiEfficiency {
  readonly #client: OntapiClient;

  constructor(client: OntapiClient) {
    this.#client = client;
  }

  async list(
    call: DeviceCall,
    svm: string,
    volumes: readonly string[],
  ): Promise<ReadonlyMap<string, DataReduction>> {
    const { device } = this.#client;
    const parts = await Promise.all(
      inParts(volumes, namesPerQuery).map((names) =>
        this.#client.listIfAny(call, statusShape, {
          api: "sis-get-iter",
          element: "sis-status-info",
          query: {
            vserver: exactly(device, [svm]),
            path: exactly(
              device,
              names.map((name) => `/vol/${name}`),
            ),
          },
          operation: "read data reduction of volumes",
          object: svm,
        }),
      ),
    );
    return new Map(parts.flat().map(({ name, reduction }) => [name, reduction]));
  }

  async set(call: DeviceCall, flexVol: FlexVol, changed: DataReduction): Promise<void> {
    const wanted = { ...flexVol.reduction, ...changed };
    if (wanted.compression === "both") throw this.#noSuch(flexVol);
    const isOff = (value: Reduction | undefined): boolean => value === undefined || value === "off";
    const off = isOff(wanted.deduplication) && isOff(wanted.compression);
    const path = `/vol/${flexVol.name}`;
    const write = (api: string, input: OntapiTree = {}): Promise<void> =>
      this.#client.writeUnless(call, "alreadyExists", {
        api,
        vserver: flexVol.svm,
        input: { path, ...input },
        operation: "set data reduction of volume",
        object: flexVol.name,
      });
    // Its settings can only be changed while it is on.
    if (!off || changed.compaction !== undefined) {
      await write("sis-enable");
      await write("sis-set-config", configOf(wanted));
    }
    if (off) await write("sis-disable");
  }

  #noSuch(flexVol: FlexVol): DeviceError {
    return new DeviceError({
      kind: "unsupported",
      device: this.#client.device,
      operation: "set data reduction of volume",
      object: flexVol.name,
      reason: "compression inline and in the background are not told apart over ONTAPI",
      expected: "compression off, inline or background",
      remedy: "Ask for compression inline.",
    });
  }
}

function configOf({ deduplication, compression, compaction }: DataReduction): OntapiTree {
  const flag = (value: boolean): string => String(value);
  const inBackground = deduplication === "both" || deduplication === "background";
  return {
    ...(deduplication === undefined
      ? {}
      : {
          "policy-name": inBackground ? "auto" : inlineOnly,
          "enable-inline-dedupe": flag(deduplication === "both" || deduplication === "inline"),
        }),
    ...(deduplication === "off"
      ? {
          "enable-cross-volume-inline-dedupe": "false",
          "enable-cross-volume-background-dedupe": "false",
        }
      : {}),
    ...(compression === undefined
      ? {}
      : {
          "enable-compression": flag(compression !== "off"),
          "enable-inline-compression": flag(compression === "inline"),
        }),
    ...(compaction === undefined ? {} : { "enable-data-compaction": flag(compaction !== "off") }),
  };
}
