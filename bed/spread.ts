/**
 * Spreads things over seats (guests over hosts, disks over datastores) as evenly as can be: after any
 * number of them the fullest seat has at most one more than the emptiest.
 *
 * What is placed stays where it is when more follow, and when a declared seat is missing only what
 * sat on it moves, each to a seat of its own. Of several missing seats a few more may move than
 * evenness alone asks for: the answer follows from the arguments, nothing remembers the last one.
 */

export interface Seats {
  /** Seats as declared, in order: with all of them in use, number n takes seat n modulo their count. */
  readonly declared: readonly string[];
  /** Seats in use. Some may be missing from `declared`, some may be more than it has. */
  readonly used: readonly string[];
  /**
   * Begins one seat later after so many: hosts and datastores are both dealt out in turn, and without
   * it a host would meet the same datastore in every round.
   */
  readonly shiftEvery?: number | undefined;
}

/** The seat of each of `count` things, in their order. Empty when there is no seat. */
export function spread(count: number, seats: Seats): string[] {
  const { declared, used } = seats;
  if (used.length === 0) return [];
  if (declared.length === 0) return spread(count, { ...seats, declared: used });
  const inUse = new Set(used);
  const missing = declared.filter((seat) => !inUse.has(seat)).reverse();
  const known = new Set(declared);
  const more = used.filter((seat) => !known.has(seat));
  const layouts = seatLayouts(declared, missing, more);
  // A round is dealt out as a whole; what lies beyond `count` makes its last one whole as well, so that
  // those who come later find the others where they are.
  const beyond = layouts.reduce((sum, layout) => sum + layout.length, 0);
  let placed = dealOut(count + beyond, seats);
  for (const layout of layouts) placed = dealAgain(placed, layout);
  return placed.slice(0, count);
}

/** The seats after each one that goes, last first, and after each one that comes. */
function seatLayouts(
  declared: readonly string[],
  missing: readonly string[],
  more: readonly string[],
): string[][] {
  const layouts: string[][] = [];
  let present = [...declared];
  // With nothing declared in use the seats that are more are all there is.
  const gone = missing.length === declared.length ? missing.slice(0, -1) : missing;
  for (const seat of gone) {
    present = present.filter((one) => one !== seat);
    layouts.push(present);
  }
  for (const seat of more) {
    present = [...present, seat];
    layouts.push(present);
  }
  if (gone.length < missing.length) layouts.push([...more]);
  return thinned(layouts);
}

/** Seats that go or come one by one; of more than these, several at once. */
const singleSteps = 32;

/**
 * Each step reads whole rounds of all later ones, so their number must not grow with the seats: beyond
 * the first ones a step takes an eighth more seats than lie behind it. A seat among those may move
 * some things that could have stayed.
 */
function thinned(layouts: readonly string[][]): string[][] {
  let next = singleSteps;
  return layouts.filter((_, index) => {
    if (index < singleSteps || index === layouts.length - 1) return true;
    if (index < next) return false;
    next = index + Math.ceil(index / 8);
    return true;
  });
}

function dealOut(count: number, { declared, shiftEvery }: Seats): string[] {
  return Array.from({ length: count }, (_, index) => {
    const shift = shiftEvery === undefined ? 0 : Math.floor(index / shiftEvery);
    return declared[(index + shift) % declared.length] ?? "";
  });
}

/** Deals out anew in rounds, one for each seat; whoever can stays. */
function dealAgain(before: readonly string[], seats: readonly string[]): string[] {
  const placed: string[] = [];
  for (let start = 0; start < before.length; start += seats.length) {
    const round = before.slice(start, start + seats.length);
    const free = new Set(seats);
    const stays = round.map((seat) => free.delete(seat));
    const rest = [...free];
    placed.push(...round.map((seat, index) => (stays[index] === true ? seat : (rest.pop() ?? ""))));
  }
  return placed;
}
