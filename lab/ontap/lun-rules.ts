import type { Container } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import { type ArrayContext, attributeFlag } from "./context";
import { NotModelled, OntapFault } from "./faults";
import { reservedBytes } from "./volume-rules";

const minimumBytes = 4096n;
/** 16 TiB: the documented limit of a unified AFF of this generation. */
const maximumBytes = 16n * 1024n ** 4n;
/**
 * Step of the `geometry` reading, chosen so that it reproduces the one documented example: 300 GB
 * asked, 322163441664 bytes made (REST reference 9.8, "Creating a LUN").
 */
const cylinderBytes = 141n * 1024n ** 2n;
const maxPathLength = 255;

/** @throws {OntapFault} for a size out of range. */
export function lunSize(ctx: ArrayContext, asked: bigint): bigint {
  if (asked < minimumBytes) {
    throw new OntapFault("5374123", "The size of a LUN is at least 4096 bytes.", "space.size");
  }
  if (asked > maximumBytes) {
    throw new OntapFault("5374124", "The size of a LUN is at most 16TB.", "space.size");
  }
  if (ctx.switches.lunSize === "geometry") return geometrySize(asked);
  return ((asked + minimumBytes - 1n) / minimumBytes) * minimumBytes;
}

/** The size asked for, rounded up to whole cylinders of the geometry that the LUN reports. */
export function geometrySize(asked: bigint): bigint {
  return ((asked + cylinderBytes - 1n) / cylinderBytes) * cylinderBytes;
}

/** Checks a path `/vol/<volume>/<lun>` that is about to be taken. */
export function lunPath(ctx: ArrayContext, svmId: string, path: string): void {
  const [, vol, volume = "", unit = "", ...rest] = path.split("/");
  if (rest.length > 0) throw new NotModelled("LUNs in qtrees");
  if (vol !== "vol" || volume === "" || unit === "") {
    throw badPath(path);
  }
  if (!/^[A-Za-z0-9._{}-]+$/.test(unit)) {
    throw new OntapFault("5374121", `The LUN name "${unit}" holds an invalid character.`, "name");
  }
  if (path.length > maxPathLength) {
    throw new OntapFault("5374127", "The LUN name is longer than 255 characters.", "name");
  }
  const taken = Object.values(ctx.view.volumes).some(
    (lun) => lun.tenantId === svmId && lun.name === path,
  );
  if (taken) {
    throw new OntapFault(
      "5374242",
      `A LUN or NVMe namespace already exists at the path "${path}".`,
      "name",
    );
  }
}

function badPath(path: string): OntapFault {
  return new OntapFault("5374127", `"${path}" is no LUN name: /vol/<volume>/<lun>.`, "name");
}

/** The FlexVol and the path that a body means, by `name`, by `location`, or by both if they agree. */
export function placeOf(
  ctx: ArrayContext,
  svmId: string,
  body: Body,
): { container: DeepReadonly<Container>; name: string } {
  const name = body.text("name");
  const unit = body.text("location.logical_unit");
  if (name !== undefined && !name.startsWith("/vol/")) throw badPath(name);
  const container = containerOf(ctx, svmId, body, name?.split("/")[2]);
  if (unit === undefined && name === undefined) {
    throw new OntapFault(
      "5374862",
      'The LUN must be named by "name" or by "location.volume" and "location.logical_unit".',
    );
  }
  const path = name ?? `/vol/${container.name}/${unit ?? ""}`;
  if (unit !== undefined && path.split("/").slice(3).join("/") !== unit) {
    throw new OntapFault(
      "5374860",
      "The LUN name and the location do not agree.",
      "location.logical_unit",
    );
  }
  lunPath(ctx, svmId, path);
  if (attributeFlag(container.attributes, "isRoot", false)) {
    throw new OntapFault("5374237", "LUNs cannot be created in the root volume of an SVM.", "name");
  }
  if (!container.online) {
    throw new OntapFault("5374866", `The volume "${container.name}" is offline.`);
  }
  return { container, name: path };
}

/** The FlexVol that a body means; `fromPath` is the name in the path. LUNs and namespaces alike. */
export function containerOf(
  ctx: ArrayContext,
  svmId: string,
  body: Body,
  fromPath: string | undefined,
): DeepReadonly<Container> {
  const uuid = body.text("location.volume.uuid");
  const name = body.text("location.volume.name");
  if (name !== undefined && fromPath !== undefined && name !== fromPath) {
    throw new OntapFault("5374861", "The LUN name and the volume do not agree.", "location.volume");
  }
  const wanted = name ?? fromPath;
  const mine = Object.values(ctx.view.containers).filter((c) => c.tenantId === svmId);
  if (wanted === undefined && uuid === undefined) {
    throw new OntapFault("5374862", "The volume of the LUN must be given.", "location.volume");
  }
  const byUuid = mine.find((c) => c.id === uuid);
  const byName = mine.find((c) => c.name === wanted);
  if (uuid !== undefined && wanted !== undefined && byUuid !== byName) {
    throw new OntapFault("918236", "The volume's UUID and name do not match.", "location.volume");
  }
  const found = byUuid ?? byName;
  if (found === undefined) {
    const code = wanted === undefined ? "918235" : "917927";
    throw new OntapFault(code, `The volume "${wanted ?? uuid ?? ""}" was not found.`, "name");
  }
  return found;
}

/** @throws {OntapFault} when a reserved LUN does not fit into its FlexVol. */
export function checkRoom(
  ctx: ArrayContext,
  container: DeepReadonly<Container>,
  neededBytes: bigint,
): void {
  if (neededBytes === 0n) return;
  const snapshots = BigInt(Number(container.attributes["snapshotReserve"] ?? 5));
  const usable = (container.sizeBytes * (100n - snapshots)) / 100n;
  if (reservedBytes(ctx, container.id) + neededBytes > usable) {
    throw new OntapFault(
      "5440509",
      `No suitable storage can be found: volume "${container.name}" has too little space.`,
    );
  }
}
