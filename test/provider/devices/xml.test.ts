import fc from "fast-check";
import {
  encodeField,
  object,
  ref,
  refOf,
  TypedValue,
  Verbatim,
} from "../../../provider/devices/vcenter/values";
import { escapeXml, parseXml } from "../../../provider/devices/xml";

describe("vim25 values on the wire", () => {
  it("carry any text that XML can carry, unchanged", () => {
    const text = fc
      .string({ unit: "grapheme" })
      .filter((s) => !/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(s));
    fc.assert(
      fc.property(text, (value) => {
        const root = parseXml(`<a>${encodeField("b", value)}</a>`);
        expect(root.string("b")).toBe(value);
      }),
    );
  });

  it("refuse control characters instead of sending something else", () => {
    expect(() => escapeXml("a\u0000b")).toThrow(RangeError);
  });

  it("do not expand entities that a document brings along", () => {
    const text = '<!DOCTYPE a [<!ENTITY x "boom">]><a><b>&x;</b></a>';
    expect(parseXml(text).string("b")).not.toContain("boom");
  });

  it("say class of objects, type of references, repeat lists, leave out what is not set", () => {
    const spec = object("HostThing", {
      host: ref("HostSystem", "host-1"),
      names: ["a", "b"],
      nothing: undefined,
      value: new TypedValue("xsd:long", "9007199254740993"),
    });
    expect(encodeField("spec", spec)).toBe(
      '<spec xsi:type="HostThing">' +
        '<host xsi:type="ManagedObjectReference" type="HostSystem">host-1</host>' +
        "<names>a</names><names>b</names>" +
        '<value xsi:type="xsd:long">9007199254740993</value></spec>',
    );
  });

  it("keep order, repetition and 64-bit numbers of an answer", () => {
    const root = parseXml(
      '<r xmlns:q="urn:x"><q:v xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:type="q:Thing">' +
        "<wwn>1152921504875282434</wwn><n>1</n><n>2</n></q:v></r>",
    );
    expect(root.find("v")?.type).toBe("Thing");
    expect(root.bigint("v.wwn")).toBe(1152921504875282434n);
    expect(
      root
        .find("v")
        ?.all("n")
        .map((n) => n.text),
    ).toEqual(["1", "2"]);
    expect(root.number("v.missing")).toBeUndefined();
    expect(refOf(root.find("v"))).toBeUndefined();
  });

  it("send back what the server proposed, with one name changed", () => {
    const proposed = parseXml(
      '<spec xmlns:xsi="i" xsi:type="VmfsDatastoreCreateSpec"><diskUuid>u&amp;1</diskUuid>' +
        "<vmfs><volumeName>old</volumeName><extent><diskName>naa.1</diskName></extent></vmfs></spec>",
    );
    expect(encodeField("spec", new Verbatim(proposed, { "vmfs.volumeName": "new <name>" }))).toBe(
      '<spec xsi:type="VmfsDatastoreCreateSpec"><diskUuid>u&amp;1</diskUuid>' +
        "<vmfs><volumeName>new &lt;name&gt;</volumeName><extent><diskName>naa.1</diskName></extent></vmfs></spec>",
    );
  });
});
