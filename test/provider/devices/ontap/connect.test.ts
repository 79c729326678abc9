import { isDeviceError } from "../../../../bed/errors";
import { OntapConnection, type OntapInterface } from "../../../../provider/devices/ontap/connect";
import type { OntapGateway } from "../../../../provider/devices/ontap/gateway";
import { RestClient } from "../../../../provider/devices/ontap/rest/rest-client";
import { RestGateway } from "../../../../provider/devices/ontap/rest/rest-gateway";
import { OntapiClient } from "../../../../provider/devices/ontapi/ontapi-client";
import { OntapiGateway } from "../../../../provider/devices/ontapi/ontapi-gateway";
import { failure } from "../../../support/array-bed";
import { call } from "../../../support/device-rig";
import { scriptedLine } from "../../../support/ontap-line";

const cluster = (major: number, minor: number): string =>
  JSON.stringify({
    name: "c",
    uuid: "u",
    version: { full: `NetApp Release 9.${major.toString()}`, generation: 9, major, minor },
  });

function ontapi(body: string): readonly [number, string] {
  const content = body.includes("system-get-version")
    ? "<version>NetApp Release 9.5RC1</version><version-tuple><system-version-tuple><generation>9</generation><major>5</major><minor>0</minor></system-version-tuple></version-tuple>"
    : "<attributes><cluster-identity-info><cluster-name>c</cluster-name><cluster-uuid>u</cluster-uuid></cluster-identity-info></attributes>";
  return [200, `<netapp><results status="passed">${content}</results></netapp>`];
}

/** A cluster whose REST API answers like that and whose ONTAPI does, or does not, answer. */
function connect(
  rest: readonly [number, string],
  options: { readonly ontapi?: boolean; readonly wanted?: OntapInterface } = {},
) {
  const { line, requests } = scriptedLine((request) => {
    if (request.path.startsWith("/api/")) return rest;
    return options.ontapi === false ? [404, "<html>"] : ontapi(request.body ?? "");
  });
  const wanted = options.wanted ?? "auto";
  const connection = new OntapConnection(new RestClient(line), new OntapiClient(line), wanted);
  return { gateway: (): Promise<OntapGateway> => connection.gateway(call()), requests };
}

describe("the interface to a cluster", () => {
  test.each([
    ["9.8", cluster(8, 0), RestGateway],
    ["9.13.1", cluster(13, 1), RestGateway],
    ["9.7, whose REST is too young", cluster(7, 0), OntapiGateway],
  ])("is chosen by the release that it reports: %s", async (_release, answer, kind) => {
    expect(await connect([200, answer]).gateway()).toBeInstanceOf(kind);
  });

  test.each([
    ["no such path", [404, "<html>not found</html>"]],
    ["an error of an API that is none", [404, '{"error":{"message":"API not found","code":"3"}}']],
    ["something else", [200, "<html>welcome</html>"]],
  ] as const)("is ONTAPI where REST answers %s", async (_what, answer) => {
    const gateway = await connect(answer).gateway();
    expect(gateway).toBeInstanceOf(OntapiGateway);
    expect(gateway.release).toBe("9.5");
    expect(gateway.facts.software).toContain("9.5RC1");
  });

  test("is asked for once, whoever asks, and a wrong password is refused once", async () => {
    const { gateway, requests } = connect([401, ""]);
    const results = await Promise.allSettled([gateway(), gateway(), gateway()]);
    for (const result of results) {
      expect(result.status === "rejected" && isDeviceError(result.reason, "unauthorized")).toBe(
        true,
      );
    }
    expect(requests).toHaveLength(1);
  });

  test("can be told; then nothing else is tried", async () => {
    const told = connect([200, cluster(13, 1)], { wanted: "ontapi" });
    expect(await told.gateway()).toBeInstanceOf(OntapiGateway);
    expect(told.requests.some((one) => one.path.startsWith("/api/"))).toBe(false);
    const old = connect([200, cluster(5, 0)], { wanted: "rest" });
    const error = await failure(old.gateway());
    expect(isDeviceError(error, "unsupported")).toBe(true);
    expect(error.message).toContain("9.8");
  });

  test("names the endpoint as the fault where neither answers", async () => {
    const error = await failure(connect([404, "<html>"], { ontapi: false }).gateway());
    expect(isDeviceError(error, "protocol")).toBe(true);
    expect(error.message).toContain("cluster management interface");
  });
});
