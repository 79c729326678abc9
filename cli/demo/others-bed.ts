import { SanbedError } from "../../bed/errors";

/** Message of every update of the demo, by which it knows its own in the stack's history. */
export const demoMessage = "sanbed demo";

/**
 * Refuses a bed on the stack that no demo built, or that somebody went on with after the demo was interrupted. Pure.
 *
 * @param leftSince - when the interrupted demo began; undefined: there was none
 * @param last - the newest finished update of the stack
 */
export function refuseOthersBed(
  resources: number,
  leftSince: Date | undefined,
  last: { readonly startTime: Date; readonly message: string } | undefined,
): void {
  const byOthers =
    leftSince !== undefined &&
    last !== undefined &&
    last.message !== demoMessage &&
    last.startTime.getTime() >= Math.floor(leftSince.getTime() / 1000) * 1000;
  if (leftSince !== undefined && !byOthers) return;
  const why = byOthers
    ? "an update that was not the demo's went on with it after the demo was interrupted"
    : "no demo built it";
  throw new SanbedError(
    "demo",
    `stack lab holds a bed already (${resources.toString()} resources), and ${why}. It was left as it is. When it ` +
      "may go: `. .sanbed/env`, `npx sanbed lab up`, `pulumi destroy --stack lab`, then run the demo again. If its " +
      "lab was deleted, nothing of it exists any more: `pulumi stack rm lab --force --preserve-config`.",
  );
}
