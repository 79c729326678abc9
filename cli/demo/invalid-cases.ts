/** What of a stack's deployment counts here, as `pulumi stack export` gives it. */
export interface Deployment {
  readonly resources?: readonly {
    readonly type: string;
    readonly inputs?: Readonly<Record<string, unknown>>;
    readonly outputs?: Readonly<Record<string, unknown>>;
  }[];
}

/** A case that was measured to its end and is no evidence. */
export interface InvalidCase {
  readonly name: string;
  readonly reasons: readonly string[];
}

/** Cases that were measured and found invalid, with the reasons that the runner gave. Pure. */
export function invalidCases(deployment: Deployment | undefined): readonly InvalidCase[] {
  return (deployment?.resources ?? []).flatMap(({ type, outputs }) => {
    if (type !== "sanbed:bench:Run" || outputs?.["verdict"] !== "invalid") return [];
    const { case: name, reasons } = outputs;
    return [
      {
        name: typeof name === "string" ? name : "?",
        reasons: Array.isArray(reasons) ? reasons.map(String) : [],
      },
    ];
  });
}
