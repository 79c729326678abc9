import type { Container } from "../world/state";
import type { DeepReadonly } from "../world/world";
import type { Body } from "./body";
import { type ArrayContext, attributeFlag } from "./context";
import { invalidValue, NotModelled, OntapFault } from "./faults";
import { containerOf } from "./lun-rules";

const minimumBytes = 4096n;
/** The largest that the reference names for these releases (error 72089723). */
const maximumBytes = 17_557_557_870_592n;
const maxPathLength = 255;

/** @throws {OntapFault} for a size out of range, or one that is no whole number of blocks. */
export function namespaceSize(asked: bigint, blockBytes: number): bigint {
  if (asked < minimumBytes) {
    throw new OntapFault(
      "72089722",
      "The size of an NVMe namespace is at least 4096 bytes.",
      "space.size",
    );
  }
  if (asked > maximumBytes) {
    throw new OntapFault(
      "72089723",
      "The size of an NVMe namespace is at most 17557557870592 bytes.",
      "space.size",
    );
  }
  if (asked % BigInt(blockBytes) !== 0n) {
    throw new OntapFault(
      "72089724",
      "The size of an NVMe namespace is a multiple of its block size.",
      "space.size",
    );
  }
  return asked;
}

/** Size of a block as asked for, or the default, which pages of one release give in two ways. */
export function blockBytes(ctx: ArrayContext, body: Body, osType: string): 512 | 4096 {
  const asked = body.integer("space.block_size");
  if (asked === 512 || asked === 4096) return asked;
  if (asked !== undefined) throw invalidValue(asked.toString(), "space.block_size");
  return osType === "vmware" && ctx.switches.vmwareBlockSize === 512 ? 512 : 4096;
}

/** The FlexVol and the path that a body means, by `name`, by `location`, or by both if they agree. */
export function namespacePlace(
  ctx: ArrayContext,
  svmId: string,
  body: Body,
): { container: DeepReadonly<Container>; name: string } {
  const name = body.text("name");
  const unit = body.text("location.namespace");
  if (name !== undefined && !name.startsWith("/vol/")) throw badPath(name);
  const container = containerOf(ctx, svmId, body, name?.split("/")[2]);
  if (unit === undefined && name === undefined) {
    throw new OntapFault(
      "5374862",
      'The namespace must be named by "name" or by "location.volume" and "location.namespace".',
    );
  }
  const path = name ?? `/vol/${container.name}/${unit ?? ""}`;
  if (unit !== undefined && path.split("/").slice(3).join("/") !== unit) {
    throw new OntapFault(
      "5374860",
      "The namespace name and the location do not agree.",
      "location.namespace",
    );
  }
  checkPath(ctx, svmId, path);
  if (attributeFlag(container.attributes, "isRoot", false)) {
    throw new OntapFault(
      "72089727",
      "NVMe namespaces cannot be created in the root volume of an SVM.",
      "name",
    );
  }
  if (!container.online) {
    throw new OntapFault("72090017", `The volume "${container.name}" is offline.`);
  }
  return { container, name: path };
}

function checkPath(ctx: ArrayContext, svmId: string, path: string): void {
  const [, vol, volume = "", unit = "", ...rest] = path.split("/");
  if (rest.length > 0) throw new NotModelled("namespaces in qtrees");
  if (vol !== "vol" || volume === "" || unit === "" || path.length > maxPathLength) {
    throw badPath(path);
  }
  if (!/^[A-Za-z0-9._{}-]+$/.test(unit)) {
    throw new OntapFault(
      "72089732",
      `The NVMe namespace name "${unit}" holds an invalid character.`,
      "name",
    );
  }
  const taken = Object.values(ctx.view.volumes).some(
    (one) => one.tenantId === svmId && one.name === path,
  );
  if (taken) {
    throw new OntapFault(
      "72089725",
      `A LUN or NVMe namespace already exists at the path "${path}".`,
      "name",
    );
  }
}

function badPath(path: string): OntapFault {
  return new OntapFault("5374858", `"${path}" is no namespace name: /vol/<volume>/<name>.`, "name");
}
