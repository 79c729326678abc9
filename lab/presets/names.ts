import {
  type Naa,
  parseNaa,
  parseWwnn,
  parseWwpn,
  type Wwnn,
  type Wwpn,
} from "../../bed/identities";
import { SanbedError } from "../../bed/errors";

/** Literals of a preset, checked: a typing error there fails at once. */
export function wwpn(text: string): Wwpn {
  return parseWwpn(text) ?? fail(text);
}

export function wwnn(text: string): Wwnn {
  return parseWwnn(text) ?? fail(text);
}

export function naa(text: string): Naa {
  return parseNaa(text) ?? fail(text);
}

/** Two hex digits. */
export function hex2(value: number): string {
  return value.toString(16).padStart(2, "0");
}

function fail(text: string): never {
  throw new SanbedError("lab", `preset: "${text}" is no world wide name`);
}
