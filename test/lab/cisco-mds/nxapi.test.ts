import { deviceRequest } from "../../support/device-request";
import { withLab } from "../../support/lab";
import { NxapiClient } from "../../support/nxapi-client";

const shape = { fabric: "cisco-mds" } as const;

describe("NX-API of the MDS emulator", () => {
  it("asks for authorization, hands out a cookie and takes it instead of the password", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const body = JSON.stringify([]);
        const bare = await deviceRequest(lab, "fabricA", "POST", "/ins", { body });
        expect(bare.status).toBe(401);
        expect(bare.headers["www-authenticate"]).toBe('Basic realm="Secure Zone"');
        const wrong = await client.post(body, "application/json", { authorization: "Basic eDp5" });
        expect(wrong.status).toBe(401);
        const first = await client.rpc(["show version"]);
        const [cookie = ""] = String(first.headers["set-cookie"]).split(";");
        expect(cookie).toMatch(/^nxapi_auth=admin:/);
        const type = { "content-type": "application/json-rpc", cookie };
        const call = {
          jsonrpc: "2.0",
          method: "cli",
          params: { cmd: "show clock", version: 1 },
          id: 1,
        };
        const again = (): Promise<{ status: number }> =>
          deviceRequest(lab, "fabricA", "POST", "/ins", {
            headers: type,
            body: JSON.stringify(call),
          });
        expect((await again()).status).toBe(200);
        await lab.client.tamper("fabricA", "end-sessions");
        expect((await again()).status).toBe(401);
      },
      { shape },
    ));

  it("answers JSON-RPC: structured body, text where there is none, null for nothing, one or a batch", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const reply = await client.rpc(["show version", "show switchname", "terminal dont-ask"]);
        expect(reply.status).toBe(200);
        expect(reply.headers["content-type"]).toBe("application/json-rpc");
        expect(JSON.parse(reply.body)).toMatchObject([
          { jsonrpc: "2.0", id: 1, result: { body: { sys_ver_str: "9.3(2)" } } },
          { id: 2, result: { msg: "mds9148t-a\n" } },
          { id: 3, result: null },
        ]);
        const single = await client.post(
          {
            jsonrpc: "2.0",
            method: "cli_ascii",
            params: { cmd: "show clock", version: 1.2 },
            id: 7,
          },
          "application/json-rpc",
        );
        expect(JSON.parse(single.body)).toMatchObject({
          id: 7,
          result: { msg: expect.stringMatching(/UTC/) as string },
        });
      },
      { shape },
    ));

  it("answers a command that fails with HTTP 500 and the switch's text, and goes on with the batch", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const reply = await client.rpc(["show clock", "show zone status vsan 7", "show version"]);
        expect(reply.status).toBe(500);
        expect(JSON.parse(reply.body)).toMatchObject([
          { id: 1 },
          {
            id: 2,
            error: {
              code: -32602,
              message: "Invalid params",
              data: { msg: "VSAN 7 is not configured\n" },
            },
          },
          { id: 3 },
        ]);
        await lab.client.tamper("fabricA", "set-readings", { rpcBatch: "stop-on-error" });
        const stopped = await client.rpc(["show zone status vsan 7", "show version"]);
        expect(JSON.parse(stopped.body)).toHaveLength(1);
        const code = async (body: unknown): Promise<[number, unknown]> => {
          const answer = await client.post(body, "application/json-rpc");
          const parsed = JSON.parse(answer.body) as { error: { code: unknown } };
          return [answer.status, parsed.error.code];
        };
        expect(await code("{")).toEqual([400, -32700]);
        expect(await code({ jsonrpc: "1.0", method: "cli", id: 1 })).toEqual([400, -32600]);
        const call = { jsonrpc: "2.0", method: "get", params: { cmd: "x", version: 1 }, id: 1 };
        expect(await code(call)).toEqual([400, -32601]);
      },
      { shape },
    ));

  it("answers the ins_api form: an object for one command, a list for several, codes per command", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const one = JSON.parse((await client.ins("cli_show", "show version")).body) as object;
        expect(one).toMatchObject({
          ins_api: {
            type: "cli_show",
            version: "1.0",
            sid: "eoc",
            outputs: { output: { input: "show version", msg: "Success", code: "200" } },
          },
        });
        const several = await client.outputs("cli_show", "show version ;show foo ;show switchname");
        expect(several).toMatchObject([
          { code: "200" },
          { code: "400", msg: "Input CLI command error", clierror: "% Invalid command\n" },
          { code: "501", msg: "Structured output unsupported" },
        ]);
        const ascii = await client.outputs("cli_show_ascii", "show switchname");
        expect(ascii).toMatchObject([{ body: "mds9148t-a\n" }]);
        const status = await lab.client.status();
        expect(status.emulators["fabricA"]?.unknownRoutes).toBe(1);
      },
      { shape },
    ));

  it.each([
    ["cli_show", "zone name x vsan 101", {}, "405", "Show mode does not allow configuration"],
    ["cli_conf", "show version", {}, "405", "Configuration mode does not allow show"],
    ["cli_show", "", {}, "400", "No input command"],
    ["bash", "ls", {}, "400", "Request message is invalid"],
    ["cli_show", "show clock", { version: "9" }, "400", "Message version mismatch"],
    [
      "cli_show",
      "show clock ;show clock",
      { chunk: "1" },
      "400",
      "Chunking honors only one command",
    ],
    [
      "cli_show",
      "show clock",
      { sid: "eoc" },
      "400",
      "Invalid character that is entered as a session ID",
    ],
    ["cli_show", "show version | grep x", {}, "400", "Pipe is not allowed for this input type"],
    [
      "cli_show",
      Array.from({ length: 11 }, () => "show version").join(" ;"),
      {},
      "413",
      "Maximum number of consecutive show commands exceeded. The maximum is 10",
    ],
    ["cli_show", "show clock", { colour: "red" }, "400", "Request message is invalid"],
  ])("refuses %s %j %j with %s", (type, input, more, code, msg) =>
    withLab(
      "D",
      async (lab) => {
        const reply = await new NxapiClient(lab).ins(type, input, more);
        expect(reply.status).toBe(200);
        const answer = JSON.parse(reply.body) as { ins_api: { outputs: { output: object } } };
        expect(answer.ins_api.outputs.output).toMatchObject({ code, msg });
      },
      { shape },
    ),
  );

  it("stops cli_conf at the first command that fails, unless told to go on", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab, "fabricB");
        const input = "zone name z1 vsan 102 ;member fcid 0x1 ;member pwwn 10:00:00:00:00:00:00:01";
        const outputs = await client.outputs("cli_conf", input);
        expect(outputs).toMatchObject([
          { code: "200", body: {} },
          { code: "400", msg: "CLI execution error", clierror: "Invalid FCID\n" },
        ]);
        const zone = await client.show("show zone name z1 vsan 102");
        expect(zone).toEqual({ name: "z1", vsan: 102 });
        await client.ins("cli_conf", input, { rollback: "continue-on-error" });
        expect(await client.show("show zone name z1 vsan 102")).toEqual({
          name: "z1",
          vsan: 102,
          TABLE_zone_member: { ROW_zone_member: { type: "pwwn", wwn: "10:00:00:00:00:00:00:01" } },
        });
      },
      { shape },
    ));

  it("refuses other paths, methods, media types and large bodies as its web server does", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const headers = { authorization: client.basic };
        const get = await deviceRequest(lab, "fabricA", "GET", "/ins", { headers });
        expect(get.status).toBe(405);
        const other = await deviceRequest(lab, "fabricA", "POST", "/api", { headers });
        expect(other.status).toBe(404);
        expect((await client.post("<ins_api/>", "text/xml")).status).toBe(415);
        const large = await client.post(" ".repeat(1024 * 1024 + 1), "application/json");
        expect(large.status).toBe(413);
      },
      { shape },
    ));

  it("lets a network-operator look only", () =>
    withLab(
      "D",
      async (lab) => {
        await lab.client.tamper("fabricA", "set-role", { readOnly: true });
        const client = new NxapiClient(lab);
        expect(await client.status(101)).toMatchObject({ vsan: 101 });
        const [output] = await client.outputs("cli_conf", "zone name z1 vsan 101");
        expect(output).toMatchObject({ code: "401", msg: "Permission denied" });
      },
      { shape },
    ));

  it("follows fault rules in both forms: a code, a page of the web server, a dropped answer", () =>
    withLab(
      "D",
      async (lab) => {
        const client = new NxapiClient(lab);
        const once = (effect: object): Promise<string> =>
          lab.client.addFault({
            device: "fabricA",
            match: { body: "zone commit" },
            times: 1,
            effect: effect as { code: string },
          });
        await client.configure("zone name z1 vsan 101");
        await once({ code: "lock-busy" });
        const [busy] = await client.outputs("cli_conf", "zone commit vsan 101");
        expect(busy).toMatchObject({ code: "400", clierror: "Lock is currently busy\n" });
        await once({ code: "lock-busy" });
        const rpc = await client.rpc(["zone commit vsan 101"]);
        expect(rpc.status).toBe(500);
        expect(rpc.body).toContain("Lock is currently busy");
        await once({ status: 502 });
        expect((await client.rpc(["zone commit vsan 101"])).status).toBe(502);
        await once({ dropAfter: true });
        await expect(client.rpc(["zone commit vsan 101"])).rejects.toThrow();
        expect(await client.settled(101)).toMatch(/^Commit complete at /);
      },
      { shape },
    ));
});
