import { parseNaa } from "../../bed/identities";
import type { Kind, Thing } from "./graph";
import { rankOf } from "./graph";
import type { Candidate } from "./holders";

/** Objects that answer to a name, `volume:NAME` for those of one kind only. Pure. */
export function findThings(candidates: readonly Candidate[], text: string): readonly Thing[] {
  const plain = named(candidates, text);
  if (plain.length > 0) return plain;
  const cut = text.indexOf(":");
  const kind = text.slice(0, cut);
  if (cut < 0 || !isKind(kind)) return [];
  return named(candidates, text.slice(cut + 1)).filter((thing) => thing.kind === kind);
}

function named(candidates: readonly Candidate[], text: string): Thing[] {
  const name = parseNaa(text) ?? text;
  return candidates.filter(({ names }) => names.includes(name)).map(({ thing }) => thing);
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(rankOf, text);
}

const mostShown = 5;

/** Names that the reader may have meant, nearest first. Pure. */
export function nearNames(candidates: readonly Candidate[], text: string): readonly string[] {
  const wanted = text.toLowerCase();
  const nearest = candidates.flatMap(({ thing, names }) => {
    const found = names
      .map((name) => ({ name, distance: distanceTo(name.toLowerCase(), wanted) }))
      .sort((a, b) => a.distance - b.distance)[0];
    return found === undefined || !Number.isFinite(found.distance) ? [] : [{ ...found, thing }];
  });
  const sorted = nearest.sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name));
  return [...new Set(sorted.map(({ thing, name }) => `${thing.kind} ${name}`))].slice(0, mostShown);
}

/** Edits from one to the other; a part of a name counts as near; infinite: not near at all. */
function distanceTo(name: string, wanted: string): number {
  if (wanted.length >= 3 && name.includes(wanted)) return 1;
  const most = Math.max(1, Math.floor(wanted.length / 3));
  if (Math.abs(name.length - wanted.length) > most) return Infinity;
  const edits = editDistance(name, wanted);
  return edits <= most ? edits : Infinity;
}

/** Levenshtein distance, one row at a time. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [i, letter] of Array.from(one).entries()) {
    const next = [i + 1];
    for (const [j, wanted] of Array.from(other).entries()) {
      const change = (row[j] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
