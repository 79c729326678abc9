import { isDeviceError } from "../../../../bed/errors";
import { OntapiClient } from "../../../../provider/devices/ontapi/ontapi-client";
import { meaningOfErrno } from "../../../../provider/devices/ontapi/ontapi-codes";
import {
  ontapiMessage,
  readOntapiAnswer,
} from "../../../../provider/devices/ontapi/ontapi-message";
import { lunShape } from "../../../../provider/devices/ontapi/ontapi-wire";
import { parseXml } from "../../../../provider/devices/xml";
import { failure } from "../../../support/array-bed";
import { call } from "../../../support/device-rig";
import { scriptedLine } from "../../../support/ontap-line";

/** As arrays begin their answers (NetApp/netappdvp issue 106). */
const answerOf = (attributes: string, content = ""): string =>
  "<?xml version='1.0' encoding='UTF-8' ?>\n" +
  "<!DOCTYPE netapp SYSTEM 'file:/etc/netapp_gx.dtd'>\n" +
  `<netapp version='1.150' xmlns='http://www.netapp.com/filer/admin'><results ${attributes}>${content}</results></netapp>`;

const lun = (path: string, serial: string): string =>
  `<lun-info><path>${path}</path><uuid>u-${path}</uuid><serial-number>${serial}</serial-number><size>10737418240</size><vserver>svm</vserver><mapped>true</mapped><online>true</online></lun-info>`;

const request = { api: "lun-destroy", vserver: "svm", operation: "remove LUN", object: "l" };

describe("a call of ONTAPI", () => {
  test("is handed on to an SVM, with lists repeated, nothing left open and everything escaped", () => {
    const text = ontapiMessage(
      "vserver-modify",
      { comment: `a<b & "c"`, "aggr-list": { "aggr-name": ["x", "y"] }, unset: undefined },
      "svm&1",
    );
    const root = parseXml(text);
    expect(root.attributes["vfiler"]).toBe("svm&1");
    expect(root.find("vserver-modify")?.string("comment")).toBe(`a<b & "c"`);
    expect(
      root
        .find("vserver-modify.aggr-list")
        ?.all("aggr-name")
        .map((one) => one.text),
    ).toEqual(["x", "y"]);
    expect(text).not.toContain("unset");
  });

  test("is answered with results or a failure; anything else is no answer", () => {
    expect(readOntapiAnswer(answerOf("status='passed'"))?.fault).toBeUndefined();
    expect(
      readOntapiAnswer(answerOf(`status='failed' reason='LUN already exists' errno='9012'`))?.fault,
    ).toEqual({ errno: "9012", reason: "LUN already exists" });
    expect(readOntapiAnswer("<html><body>404</body></html>")).toBeUndefined();
    expect(readOntapiAnswer("")).toBeUndefined();
  });

  test("keeps every character of a serial number", async () => {
    const { line } = scriptedLine(() => [
      200,
      answerOf(
        "status='passed'",
        `<num-records>1</num-records><attributes-list>${lun("/vol/v/v", "8&lt;L&amp;M$V4 a ")}</attributes-list>`,
      ),
    ]);
    const wanted = { api: "lun-get-iter", element: "lun-info", operation: "list LUNs" };
    const [one] = await new OntapiClient(line).list(call(), lunShape, wanted);
    expect(one).toMatchObject({ serial: "8<L&M$V4 a ", sizeBytes: 10737418240n, mapped: true });
  });

  test("lists over all answers, by the tag as it was given", async () => {
    const tag = "<key>a&b</key>";
    const { line, requests } = scriptedLine((sent) => {
      const asked = parseXml(sent.body ?? "").string("lun-get-iter.tag");
      const next = asked === undefined ? "<next-tag>&lt;key&gt;a&amp;b&lt;/key&gt;</next-tag>" : "";
      expect(asked ?? tag).toBe(tag);
      const content = `<attributes-list>${lun(`/vol/v/${asked === undefined ? "1" : "2"}`, "123456789012")}</attributes-list>`;
      return [200, answerOf("status='passed'", `${content}<num-records>1</num-records>${next}`)];
    });
    const wanted = { api: "lun-get-iter", element: "lun-info", operation: "list LUNs" };
    const luns = await new OntapiClient(line).list(call(), lunShape, wanted);
    expect(luns.map((one) => one.path)).toEqual(["/vol/v/1", "/vol/v/2"]);
    expect(requests).toHaveLength(2);
    expect(requests.every((one) => one.readOnly === true)).toBe(true);
  });

  test("never takes another's answer, or half an object, for an empty list", async () => {
    const wanted = { api: "lun-get-iter", element: "lun-info", operation: "list LUNs" };
    for (const text of [
      "<html/>",
      answerOf("status='passed'"),
      answerOf(
        "status='passed'",
        "<num-records>1</num-records><attributes-list><lun-info><path>/vol/v/v</path></lun-info></attributes-list>",
      ),
    ]) {
      const { line } = scriptedLine(() => [200, text]);
      const error = await failure(new OntapiClient(line).list(call(), lunShape, wanted));
      expect(isDeviceError(error, "protocol")).toBe(true);
    }
  });

  test("is not sent again when its answer is lost, unless the array asks to wait", async () => {
    const lost = scriptedLine(() => [503, ""]);
    const error = await failure(new OntapiClient(lost.line).write(call(), request));
    expect(isDeviceError(error, "unreachable")).toBe(true);
    expect(lost.requests).toHaveLength(1);
    let asked = 0;
    const busy = scriptedLine(() => [
      200,
      asked++ < 2
        ? answerOf(
            "status='failed' errno='13001' reason='Another operation is in progress. Try again later.'",
          )
        : answerOf("status='passed'"),
    ]);
    await new OntapiClient(busy.line).write(call(), request);
    expect(busy.requests).toHaveLength(3);
  });

  test("tells what failed, on which object, with the number and a remedy", async () => {
    const { line } = scriptedLine(() => [
      200,
      answerOf("status='failed' errno='9029' reason='igroup has maps'"),
    ]);
    const error = await failure(new OntapiClient(line).write(call(), request));
    expect(error).toMatchObject({ kind: "refused", vendorCode: "ONTAPI 9029" });
    expect(error.message).toContain("igroup has maps");
    expect(error.message).toContain("Unmap its volumes first.");
    const denied = scriptedLine(() => [401, "<html>"]);
    const refused = await failure(new OntapiClient(denied.line).probe(call()));
    expect(isDeviceError(refused, "unauthorized")).toBe(true);
    expect(refused.message).not.toContain("p<w&d");
    expect(denied.requests).toHaveLength(1);
  });
});

test("a number that says nothing is read by its words, and only those that ask to wait are waited for", () => {
  expect(meaningOfErrno("13001", "Volume is busy")?.retry).toBeDefined();
  expect(meaningOfErrno("13001", "Not enough space in aggregate")?.kind).toBe("refused");
  expect(meaningOfErrno("13001", "no such thing exists")).toMatchObject({ kind: "refused" });
  expect(meaningOfErrno("13001", "no such thing exists")?.retry).toBeUndefined();
  expect(meaningOfErrno("99999", "try again")).toBeUndefined();
});
