import { withLab } from "../../support/lab";
import { firstError, FosSession } from "./fos-client";

const two = { shape: { switchesPerFabric: 2 } } as const;
const alias = (name: string): object => ({
  alias: [{ "alias-name": name, "member-entry": { "alias-entry-name": ["1,60"] } }],
});
const post = "defined-configuration/alias";

describe("two Brocade switches in one fabric", () => {
  it("answer the same database and name server, each with its own ports", () =>
    withLab(
      "D",
      async (lab) => {
        const [edge, core] = [await FosSession.login(lab), await FosSession.login(lab, "fabricA2")];
        const checksum = await edge.checksum();
        expect((await edge.zone("POST", post, alias("a1"))).status).toBe(201);
        const save = { "effective-configuration": { "cfg-action": 1, checksum } };
        expect((await edge.zone("PATCH", "effective-configuration", save)).status).toBe(204);
        expect(await core.checksum()).toBe(await edge.checksum());
        expect(await core.checksum()).not.toBe(checksum);
        const names = "brocade-name-server/fibrechannel-name-server";
        expect(await core.get(names)).toEqual(await edge.get(names));
        const switches = await core.get("brocade-fabric/fabric-switch");
        expect(switches["fabric-switch"]).toMatchObject([
          { "domain-id": 1, principal: 1 },
          { "domain-id": 11, principal: 0 },
        ]);
        const online = async (session: FosSession): Promise<unknown[]> => {
          const { fibrechannel } = await session.get("brocade-interface/fibrechannel");
          const ports = fibrechannel as Record<string, unknown>[];
          return ports
            .filter((port) => port["operational-status"] === 2)
            .map((port) => port["name"]);
        };
        expect(await online(edge)).toContain("0/0");
        expect(await online(core)).toEqual(["0/16", "0/17", "0/20", "0/21"]);
      },
      two,
    ));

  it("share the fabric lock on 9.x: the other is refused and names the holder's domain", () =>
    withLab(
      "D",
      async (lab) => {
        const [edge, core] = [await FosSession.login(lab), await FosSession.login(lab, "fabricA2")];
        await core.zone("POST", post, alias("a1"));
        expect((await edge.effective())["transaction-token"]).toBe(0);
        const { "fabric-lock": lock } = await edge.get("brocade-zone/fabric-lock");
        expect(lock).toMatchObject({ "lock-principal-domain-id": 11, timeout: 330 });
        const refused = await edge.zone("POST", post, alias("a2"));
        expect(firstError(refused)).toMatchObject({ code: -3, module: "zone" });
        await core.logout();
        expect((await edge.zone("POST", post, alias("a2"))).status).toBe(201);
      },
      two,
    ));

  it("do not see each other's transaction on 8.2, and the commit fails while it is open", () =>
    withLab(
      "D",
      async (lab) => {
        const [edge, core] = [
          await FosSession.login(lab, "fabricB"),
          await FosSession.login(lab, "fabricB2"),
        ];
        const checksum = await edge.checksum();
        await core.zone("POST", post, alias("a1"));
        expect((await edge.effective())["transaction-token"]).toBe(0);
        expect((await edge.zone("POST", post, alias("a2"))).status).toBe(201);
        const save = { "effective-configuration": { "cfg-action": 1, checksum } };
        expect((await edge.zone("PATCH", "effective-configuration", save)).status).toBe(400);
        await core.logout();
        expect((await edge.zone("PATCH", "effective-configuration", save)).status).toBe(204);
      },
      two,
    ));
});
