import { withLab } from "../../support/lab";
import { firstError, FosSession } from "./fos-client";

const vf = { shape: { virtualFabrics: true } } as const;
const effective = "/rest/running/brocade-zone/effective-configuration";

async function read(session: FosSession, path: string): Promise<Record<string, unknown>> {
  const reply = await session.send("GET", path);
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status.toString()} ${reply.body}`);
  return (JSON.parse(reply.body) as { Response: Record<string, unknown> }).Response;
}

describe("virtual fabrics of the FOS emulator", () => {
  it("goes to the default logical switch without vf-id, and to the named one with it", () =>
    withLab(
      "D",
      async (lab) => {
        expect(lab.site.devices["fabricA"]).toMatchObject({ kind: "brocade-fos", vfId: 10 });
        const session = await FosSession.login(lab);
        const home = await read(session, effective);
        expect(home["effective-configuration"]).not.toHaveProperty("cfg-name");
        const bed = await read(session, `${effective}?vf-id=10`);
        expect(bed["effective-configuration"]).toMatchObject({ "cfg-name": "prod_A" });
        const names = "/rest/running/brocade-name-server/fibrechannel-name-server";
        expect((await session.send("GET", names)).status).toBe(404);
        expect((await session.send("GET", `${names}?vf-id=10`)).status).toBe(200);
        const own = await read(
          session,
          "/rest/running/brocade-fibrechannel-switch/fibrechannel-switch?vf-id=10",
        );
        expect(own["fibrechannel-switch"]).toMatchObject([{ "vf-id": 10, "domain-id": 1 }]);
      },
      vf,
    ));

  it("says that it is on and which logical switches there are, and refuses others", () =>
    withLab(
      "D",
      async (lab) => {
        const session = await FosSession.login(lab);
        const chassis = await session.get("brocade-chassis/chassis");
        expect(chassis["chassis"]).toMatchObject({ "vf-enabled": true });
        const logical = await session.get(
          "brocade-fibrechannel-logical-switch/fibrechannel-logical-switch",
        );
        expect(logical["fibrechannel-logical-switch"]).toMatchObject([
          { "fabric-id": 10, "default-switch-status": 0 },
          { "fabric-id": 128, "default-switch-status": 1 },
        ]);
        for (const id of ["11", "-1", "x"]) {
          const refused = await session.send("GET", `${effective}?vf-id=${id}`);
          expect(refused.status).toBe(400);
          expect(firstError(refused).tag).toBe("invalid-value");
        }
      },
      vf,
    ));

  it("keeps database, transaction and size apart per logical switch, the chassis-wide size in common", () =>
    withLab(
      "D",
      async (lab) => {
        const session = await FosSession.login(lab);
        const post = (id: string): Promise<{ status: number }> =>
          session.send(
            "POST",
            `/rest/running/brocade-zone/defined-configuration/alias?vf-id=${id}`,
            {
              alias: [{ "alias-name": "x1", "member-entry": { "alias-entry-name": ["1,60"] } }],
            },
          );
        expect((await post("10")).status).toBe(201);
        const token = async (id: string): Promise<unknown> => {
          const tree = await read(session, `${effective}?vf-id=${id}`);
          return (tree["effective-configuration"] as Record<string, unknown>)["transaction-token"];
        };
        expect(await token("10")).not.toBe(0);
        expect(await token("128")).toBe(0);
        const sizes = async (id: string): Promise<number[]> => {
          const tree = await read(session, `${effective}?vf-id=${id}`);
          const leaves = tree["effective-configuration"] as Record<string, number>;
          return [leaves["db-committed"] ?? 0, leaves["db-chassis-wide-committed"] ?? 0];
        };
        const [bed = 0, all = 0] = await sizes("10");
        const [home = 0, same = 0] = await sizes("128");
        expect([all, same]).toEqual([bed + home, bed + home]);
        await session.logout();
        const again = await FosSession.login(lab);
        const left = await read(again, `${effective}?vf-id=10`);
        expect(left["effective-configuration"]).toMatchObject({ "transaction-token": 0 });
      },
      vf,
    ));

  it("is off in the usual lab: a number is refused, -1 is taken", () =>
    withLab("D", async (lab) => {
      const session = await FosSession.login(lab);
      expect((await session.send("GET", `${effective}?vf-id=128`)).status).toBe(400);
      expect((await session.send("GET", `${effective}?vf-id=-1`)).status).toBe(200);
      const path = "/rest/running/brocade-fibrechannel-logical-switch/fibrechannel-logical-switch";
      expect((await session.send("GET", path)).status).toBe(404);
    }));
});
