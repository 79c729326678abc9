import { diffResource, type DiffAnswer } from "../../../provider/kit/check-diff";
import { rescanGuard } from "../../../provider/resources/host-rescan-guard";
import { naa } from "../../support/fake-hosts";
import { unknown } from "../../support/plugin-client";

const first = naa("naa.600a098000000000000000000000001a");
const second = naa("naa.600a098000000000000000000000002b");
const ofHost = { device: "vcenter", hosts: ["esx01"], group: "esx01", devices: { a: first } };
const ofGroup = { ...ofHost, group: "sysbench", volumes: "array/svm/sysbench" };

function diff(olds: Record<string, unknown>, news: Record<string, unknown>): DiffAnswer {
  return diffResource(rescanGuard, {
    olds: olds,
    oldInputs: olds,
    news: news,
    ignoreChanges: [],
  });
}

describe("other devices behind a guard", () => {
  it.each([
    ["one that becomes another", { a: first }, { a: second }],
    ["one that leaves", { a: first, b: second }, { a: first }],
    ["one that is made anew", { a: first }, { a: unknown }],
  ])("%s replaces the guard of a volume group, old first", (_, was, becomes) => {
    const answer = diff({ ...ofGroup, devices: was }, { ...ofGroup, devices: becomes });
    expect(answer.changes.some((change) => change.replace)).toBe(true);
    expect(answer.deleteBeforeReplace).toBe(true);
  });

  it.each([
    ["one that becomes another", { a: first }, { a: second }],
    ["one that leaves", { a: first, b: second }, { a: first }],
    ["one that is made anew", { a: first }, { a: unknown }],
  ])("%s leaves a host's guard in place", (_, was, becomes) => {
    const answer = diff({ ...ofHost, devices: was }, { ...ofHost, devices: becomes });
    expect(answer.changes.length).toBeGreaterThan(0);
    expect(answer.changes.some((change) => change.replace)).toBe(false);
  });

  it.each([ofGroup, ofHost])("one that joins replaces nothing (%j)", (guard) => {
    const news = { ...guard, devices: { a: first, b: second } };
    expect(diff(guard, news).changes).toEqual([{ path: "devices.b", kind: "add", replace: false }]);
  });
});
