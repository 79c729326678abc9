import { RestClient } from "../../../../provider/devices/ontap/rest/rest-client";
import { parseJson } from "../../../../provider/devices/ontap/rest/rest-errors";
import { RestEvidence } from "../../../../provider/devices/ontap/rest/rest-evidence";
import { OntapiClient } from "../../../../provider/devices/ontapi/ontapi-client";
import { OntapiGateway } from "../../../../provider/devices/ontapi/ontapi-gateway";
import { call } from "../../../support/device-rig";
import { scriptedLine } from "../../../support/ontap-line";

const scope = { target: "svm", protocol: "fcp", volumes: ["v1", "v2"] } as const;
/** Beyond 2^53: two years of an all-flash array. */
const many = "9007199254740995";

describe("counters over REST", () => {
  test("come without losing a digit, and are left out where the array has none", async () => {
    const statistics = (status: string) =>
      `{"timestamp":"2024-05-02T09:11:40Z","status":"${status}","iops_raw":{"read":${many},"write":2},"throughput_raw":{"read":18446744073709551615,"write":4},"latency_raw":{"read":5,"write":6}}`;
    const { line, requests } = scriptedLine((request) => [
      200,
      request.path.includes("/storage/luns")
        ? `{"records":[{"name":"/vol/v1/v1","statistics":${statistics("ok")}},{"name":"/vol/v2/v2","statistics":${statistics("partial_no_data")}}]}`
        : `{"records":[{"name":"lif_a"}]}`,
    ]);
    const samples = await new RestEvidence(new RestClient(line)).counters(call(), scope);
    expect(samples).toEqual([
      {
        kind: "volume",
        name: "v1",
        at: "2024-05-02T09:11:40Z",
        readOps: 9007199254740995n,
        writeOps: 2n,
        readBytes: 18446744073709551615n,
        writeBytes: 4n,
        readMicroseconds: 5n,
        writeMicroseconds: 6n,
      },
    ]);
    expect(requests.every((one) => one.method === "GET")).toBe(true);
  });

  test("leave other numbers as they are", () => {
    expect(parseJson(`{"a":1.5,"b":${many},"c":-1,"d":"${many}","e":1e300}`)).toEqual({
      a: 1.5,
      b: 9007199254740995n,
      c: -1,
      d: many,
      e: 1e300,
    });
    expect(parseJson("<html>")).toBeUndefined();
  });
});

describe("counters over ONTAPI", () => {
  test("come without losing a digit, of this tenant only", async () => {
    const data = (counters: Record<string, string>): string =>
      Object.entries(counters)
        .map(([n, v]) => `<counter-data><name>${n}</name><value>${v}</value></counter-data>`)
        .join("");
    const instance = (name: string, svm: string): string =>
      `<instance-data><name>${name}</name><uuid>u</uuid><counters>${data({ vserver_name: svm, read_ops: many, avg_read_latency: "77" })}</counters></instance-data>`;
    const { line, requests } = scriptedLine(({ body = "" }) => {
      const content = body.includes("perf-object-get-instances")
        ? `<timestamp>1714641100</timestamp><instances>${instance("/vol/v1/v1", "svm")}${instance("/vol/v1/v1", "other")}</instances>`
        : "<num-records>0</num-records>";
      return [200, `<netapp><results status="passed">${content}</results></netapp>`];
    });
    const gateway = new OntapiGateway(new OntapiClient(line), {
      name: "c",
      uuid: "u",
      version: { generation: 9, major: 5, minor: 0 },
      full: "9.5",
    });
    const samples = await gateway.evidence.counters(call(), scope);
    expect(samples).toEqual([
      {
        kind: "volume",
        name: "v1",
        at: "2024-05-02T09:11:40.000Z",
        readOps: 9007199254740995n,
        writeOps: undefined,
        readBytes: undefined,
        writeBytes: undefined,
        readMicroseconds: 77n,
        writeMicroseconds: undefined,
      },
    ]);
    expect(requests.every((one) => one.readOnly === true)).toBe(true);
  });
});
