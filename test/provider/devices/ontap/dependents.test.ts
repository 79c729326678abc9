import { isDeviceError } from "../../../../bed/errors";
import { markComment } from "../../../../bed/mark";
import type { OntapGateway } from "../../../../provider/devices/ontap/gateway";
import type { FlexVol } from "../../../../provider/devices/ontap/objects";
import { RestClient } from "../../../../provider/devices/ontap/rest/rest-client";
import { RestFlexVols } from "../../../../provider/devices/ontap/rest/rest-volumes";
import { VolumeRemoval } from "../../../../provider/devices/ontap/volume-removal";
import { OntapiClient } from "../../../../provider/devices/ontapi/ontapi-client";
import { OntapiFlexVols } from "../../../../provider/devices/ontapi/ontapi-volumes";
import { failure } from "../../../support/array-bed";
import { call, testBedId } from "../../../support/device-rig";
import { scriptedLine } from "../../../support/ontap-line";

const volume = (name: string): FlexVol => ({
  uuid: `u-${name}`,
  name,
  svm: "svm",
  state: "online",
  sizeBytes: 1n,
  comment: markComment(testBedId, "volume"),
  aggregate: "aggr",
  guarantee: "none",
  reduction: undefined,
  isRoot: false,
});
const volumes = ["v1", "v2"].map((name) => ({ flexVol: volume(name), units: [] }));
const wanted = [
  { volume: "v1", what: "snapshot before_upgrade" },
  { volume: "v2", what: "clone other/copy" },
];

describe("what hangs on a volume", () => {
  test("is found over REST: snapshots, and clones in any SVM, of this very volume", async () => {
    const clone = (name: string, svm: string, parent: string, parentSvm: string) => ({
      name,
      svm: { name: svm },
      clone: { parent_volume: { name: parent }, parent_svm: { name: parentSvm } },
    });
    const { line } = scriptedLine(({ path }) => {
      const records = path.includes("/u-v1/snapshots")
        ? [{ name: "before_upgrade" }]
        : path.includes("clone.parent_volume.name")
          ? [clone("copy", "other", "v2", "svm"), clone("theirs", "third", "v2", "third")]
          : [];
      return [200, JSON.stringify({ records })];
    });
    const flexVols = new RestFlexVols(new RestClient(line), true);
    expect(await flexVols.dependents(call(), volumes)).toEqual(wanted);
  });

  test("is found over ONTAPI", async () => {
    const { line } = scriptedLine(({ body = "" }) => {
      const list = body.includes("snapshot-get-iter")
        ? "<snapshot-info><name>before_upgrade</name><volume>v1</volume><vserver>svm</vserver></snapshot-info><snapshot-info><name>x</name><volume>v1</volume><vserver>other</vserver></snapshot-info>"
        : !body.includes("volume-clone-get-iter")
          ? ""
          : "<volume-clone-info><volume>copy</volume><vserver>other</vserver><parent-volume>v2</parent-volume><parent-vserver>svm</parent-vserver></volume-clone-info>";
      const content = `<attributes-list>${list}</attributes-list><num-records>1</num-records>`;
      return [200, `<netapp><results status="passed">${content}</results></netapp>`];
    });
    const flexVols = new OntapiFlexVols(new OntapiClient(line));
    expect(await flexVols.dependents(call(), volumes)).toEqual(wanted);
  });

  test("keeps the volume from going, by name, before anything is removed", async () => {
    const touched: string[] = [];
    const gateway = {
      device: "array",
      flexVols: {
        removesForGood: true,
        dependents: () => Promise.resolve(wanted),
        remove: () => {
          touched.push("remove");
          return Promise.resolve();
        },
      },
    } as unknown as OntapGateway;
    const found = new Map(
      ["v1", "v2"].map((name) => [name, { flexVol: volume(name), units: [] }] as const),
    );
    const removal = new VolumeRemoval(gateway, () => Promise.resolve(new Map(found)));
    const scope = { bedId: testBedId, target: "svm" };
    const error = await failure(removal.remove(call(), scope, ["v1", "v2"]));
    expect(isDeviceError(error, "refused")).toBe(true);
    expect(error.message).toContain("snapshot before_upgrade of v1");
    expect(error.message).toContain("clone other/copy of v2");
    expect(touched).toEqual([]);
  });
});
