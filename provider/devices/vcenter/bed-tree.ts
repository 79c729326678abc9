import type { BedId } from "../../../bed/identities";
import { bedOfName } from "../../../bed/mark";
import type { ObjectProperties } from "./properties";
import { refOf } from "./values";

/** Objects of the inventory with their names and places, to ask what lies where. */
export class BedTree {
  readonly #byId: ReadonlyMap<string, ObjectProperties>;

  /** Needs `name` and `parent` of every object that counts, folders included. */
  constructor(
    readonly objects: readonly ObjectProperties[],
    readonly bedId: BedId,
  ) {
    this.#byId = new Map(objects.map((item) => [item.ref.value, item]));
  }

  ofType(type: string): readonly ObjectProperties[] {
    return this.objects.filter((item) => item.ref.type === type);
  }

  /** The object's own name carries the bed's mark. */
  isMarked(item: ObjectProperties): boolean {
    return bedOfName(nameOf(item)) === this.bedId;
  }

  parent(item: ObjectProperties): ObjectProperties | undefined {
    return this.#byId.get(refOf(item.values.get("parent"))?.value ?? "");
  }

  /** Everything above an object, nearest first. */
  ancestors(item: ObjectProperties): readonly ObjectProperties[] {
    const found: ObjectProperties[] = [];
    for (let above = this.parent(item); above !== undefined; above = this.parent(above)) {
      found.push(above);
    }
    return found;
  }
}

export function nameOf(item: ObjectProperties): string {
  return item.values.get("name")?.text ?? "";
}

/** All at once; every one is tried before the first failure is told. */
export async function tryEach<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const outcomes = await Promise.allSettled(items.map(work));
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
