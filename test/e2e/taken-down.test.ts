import { markName } from "../../bed/mark";
import { parseBedId } from "../../bed/identities";
import { deleted, E2eBed } from "../support/e2e-bed";
import { RawVcenter } from "../support/raw-vcenter";

jest.setTimeout(180_000);

interface Item {
  readonly kind: string;
  readonly path: string;
}

describe("a bed that others use", () => {
  let bed: E2eBed;
  let raw: RawVcenter;

  beforeAll(async () => {
    bed = await E2eBed.start("shared", "D");
    raw = new RawVcenter({ site: bed.lab.site() });
  });

  afterAll(async () => {
    await raw.close();
    await bed.dispose();
  });

  const hostRemains = async (): Promise<readonly string[]> => {
    const items = (await bed.lab.call("GET", "/san/inventory")) as readonly Item[];
    return items
      .filter(({ kind }) => /^Host(Device|DetachedState|UnmountedState|NvmeController)$/.test(kind))
      .map(({ kind, path }) => `${kind} ${path}`);
  };

  it("keeps everything while destroy is refused, naming all of it, and is gone without trace after", async () => {
    await bed.stands();
    const owner = parseBedId(bed.bedId);
    if (owner === undefined) throw new Error("no bed id");
    const [datastore = ""] = await raw.names("Datastore", (name) => name !== "site-local");
    await raw.upload(datastore, "images/rhel9.iso");
    const host = bed.lab.site().hosts[1]?.name ?? "";
    await bed.lab.call("POST", "/san/hosts", { host, connection: "notResponding" });
    const before = await bed.inventory();
    expect(await hostRemains()).not.toEqual([]);

    const refused = await bed.cli.destroy();
    expect(refused.code).not.toBe(0);
    expect(refused.output).toMatch(/file \[[^\]]+\] images\/rhel9\.iso on datastore/);
    expect(refused.output).toContain(`host ${host} does not answer`);
    expect(refused.output).toMatch(/Move the file elsewhere/);
    expect(await bed.inventory()).toBe(before);
    expect(deleted(refused).filter((name) => /-(guests|datastores)-/.test(name))).toEqual(
      expect.not.arrayContaining([expect.stringMatching(/-guests-g0\d$/)]),
    );

    await raw.deleteFile(datastore, "images");
    await bed.lab.call("POST", "/san/hosts", { host, connection: "connected" });
    await bed.destroyToNothing();
    expect(await hostRemains()).toEqual([]);
    expect(await raw.names("Datastore", (name) => name !== "site-local")).toEqual([]);
    expect(await raw.names("Folder", (name) => name.includes(markName(owner, "")))).toEqual([]);
  });
});
