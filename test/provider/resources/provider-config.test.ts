import { diffConfig } from "../../../provider/kit/configuration";
import type { Properties } from "../../../provider/kit/values";
import { definition } from "../../../provider/resources/definition";

const settings = (bedId: unknown, endpoint = "https://127.0.0.1:1"): Properties => ({
  bedId,
  folder: "/beds/one",
  devices: { array: { kind: "ontap", endpoint, credentials: "env:X" } },
});
const diff = (olds: Properties, news: Properties) => diffConfig(definition, olds, news);

test("another bed id under a standing bed is refused, with the id that the bed has", () => {
  expect(() => diff(settings("aaaaaaaaaa"), settings("bbbbbbbbbb"))).toThrow(
    "the stack's bed is aaaaaaaaaa, and the configuration says bbbbbbbbbb: all its objects would be replaced",
  );
  expect(() => diff(settings("aaaaaaaaaa"), settings("bbbbbbbbbb"))).toThrow(
    "pulumi config set bedId aaaaaaaaaa",
  );
});

test("an endpoint changes without replacing anything; an id that is not known yet neither", () => {
  const moved = diff(settings("aaaaaaaaaa"), settings("aaaaaaaaaa", "https://127.0.0.1:2"));
  expect(moved.changes).toEqual([
    { path: "devices.array.endpoint", kind: "update", replace: false },
  ]);
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const open = diff(settings("aaaaaaaaaa"), settings(unknown));
  expect(open.changes.some(({ replace }) => replace)).toBe(false);
});
