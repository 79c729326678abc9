import { ConfigError } from "../../bed/errors";
import { parseSite, type Site } from "../../bed/site";
import { exampleSite } from "./example-site";

/** Problems of the example site after a change, as `path: message (remedy)`. */
export function problemsOf(change: (site: Site) => void): string[] {
  const site = structuredClone(exampleSite());
  change(site);
  try {
    parseSite(site);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map(
      ({ path, message, remedy }) => `${path}: ${message} (${remedy ?? ""})`,
    );
  }
}

/** Changes what the types would not let pass. */
export const set = (target: object, values: object): void => {
  Object.assign(target, values);
};
