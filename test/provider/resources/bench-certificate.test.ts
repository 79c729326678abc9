import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { generateKeyPairSync, verify } from "node:crypto";
import type { BedId } from "../../../bed/identities";
import type { InventoryObject } from "../../../provider/devices/call";
import type { HostStorage } from "../../../provider/devices/host-storage";
import { certificate } from "../../../provider/resources/bench-certificate";
import { noteTouched } from "../../../provider/resources/ledger";
import { GuestBed, type HandlerCall } from "../../support/handler-call";

const bedId = "abcdefghij" as BedId;
const naa = "naa.600a098038314c674d24563477615370";
const theirs: InventoryObject = { class: "datastore", name: "dc/theirs", digest: "1" };

let folder: string;
let objects: InventoryObject[];
let swept: number;
let secrets: Record<string, string>;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "sanbed-certificate-"));
  objects = [theirs];
  swept = 0;
  secrets = {};
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A vCenter of which the certificate sees only what it is asked for: what stands in `objects`. */
function begin(): HandlerCall {
  const bed = new GuestBed(bedId, folder, (reference) => Promise.resolve(secrets[reference] ?? ""));
  const vcenter = {
    inventory: () => Promise.resolve([...objects]),
    hosts: () => Promise.resolve([]),
    rescan: () => Promise.resolve(),
    purge: () => Promise.resolve(),
    sweep: () => {
      swept += 1;
      return Promise.resolve([]);
    },
  } as unknown as HostStorage;
  Object.assign(bed.context, { hypervisors: new Map([["vcenter", vcenter]]) });
  return bed.call("certificate");
}

const create = (call: HandlerCall, signingKey?: string) =>
  certificate.create(call.call, { devices: ["vcenter"], ...(signingKey && { signingKey }) });

async function life(between: () => void, call = begin()): Promise<HandlerCall> {
  const { id, state } = await create(call);
  between();
  await certificate.delete(call.call, id, state);
  return call;
}

describe("the certificate", () => {
  it("is given when everything is as before", async () => {
    const { heard } = await life(() => undefined);
    expect(heard.log.join()).toMatch(/1 objects as before, nothing left behind/);
  });

  it("lists other people's changes and does not fail for them", async () => {
    const { heard } = await life(() => (objects = [{ ...theirs, name: "dc/new" }]));
    expect(heard.log.join()).toMatch(/2 changes by others/);
  });

  it("fails for what carries the mark, and names it", async () => {
    const left = { class: "folder", name: "dc/vm/sanbed_x", digest: "2", bedId };
    await expect(life(() => objects.push(left))).rejects.toThrow(
      /left behind: vcenter folder dc\/vm\/sanbed_x/,
    );
  });

  it("fails for a device that the ledger says we brought to a host", async () => {
    const device = { class: "hostDevice", name: `esx01/${naa}`, digest: "3" };
    const leave = (): void => {
      noteTouched(folder, [{ device: "vcenter", class: device.class, name: device.name }]);
      objects.push(device);
    };
    await expect(life(leave)).rejects.toThrow(
      new RegExp(`left behind: vcenter hostDevice esx01/${naa}`),
    );
  });

  it("proves nothing about a host that held our devices and cannot be read", async () => {
    const leave = (): void => {
      noteTouched(folder, [{ device: "vcenter", class: "hostDevice", name: `esx01/${naa}` }]);
      objects.push({ class: "unreadHost", name: "esx01", digest: "" });
    };
    await expect(life(leave)).rejects.toThrow(
      /host esx01 had devices of the bed and cannot be read/,
    );
  });

  it("does not sweep when the ledger or the first inventory is gone", async () => {
    for (const file of ["ledger.jsonl", "inventory-before.jsonl"]) {
      swept = 0;
      const lose = (): void => {
        rmSync(path.join(folder, file));
      };
      await expect(life(lose)).rejects.toThrow(
        `${path.join(folder, file)} is missing: nothing can be proven, and nothing was changed.`,
      );
      expect(swept).toBe(0);
    }
  });

  it("tells in a refresh that what destroy will need is gone, and keeps all that is recorded", async () => {
    const call = begin();
    const { id, state } = await create(call);
    const given = { devices: ["vcenter"] };
    const before = await certificate.read!(call.call, id, state, given);
    expect(before).toEqual({ id, inputs: given, state });
    expect(call.heard.log).toEqual([]);
    rmSync(path.join(folder, "ledger.jsonl"));
    expect(await certificate.read!(call.call, id, state, given)).toEqual(before);
    expect(call.heard.log.join()).toContain(
      `${path.join(folder, "ledger.jsonl")} is missing: destroy will prove nothing.`,
    );
    expect(call.heard.log.join()).toContain(
      `npx sanbed sweep --site FILE --bed ${bedId}\` and give the certificate up with \`pulumi state delete '${call.call.urn}'`,
    );
  });

  it("does not sweep another device that answers at the address by now", async () => {
    objects.push({ class: "device", name: "vcenter-1", digest: "" });
    const move = (): void => {
      objects = [theirs, { class: "device", name: "vcenter-2", digest: "" }];
    };
    await expect(life(move)).rejects.toThrow(
      /vcenter was vcenter-1 and is vcenter-2 now.*Nothing was swept/s,
    );
    expect(swept).toBe(0);
  });

  it("does not lose an entry of the ledger to one that a full disk cut off before it", async () => {
    const device = { class: "hostDevice", name: `esx01/${naa}`, digest: "3" };
    const leave = (): void => {
      appendFileSync(path.join(folder, "ledger.jsonl"), '{"device":"vcenter","cla');
      noteTouched(folder, [{ device: "vcenter", class: device.class, name: device.name }]);
      objects.push(device);
    };
    await expect(life(leave)).rejects.toThrow(/left behind: vcenter hostDevice/);
  });

  it.each(["null", '{"device":"x"}', "damaged"])(
    "believes no ledger with the line %p in it",
    async (line) => {
      const damage = (): void => {
        appendFileSync(path.join(folder, "ledger.jsonl"), `\n${line}\n`);
        noteTouched(folder, [{ device: "vcenter", class: "zone", name: "z" }]);
      };
      await expect(life(damage)).rejects.toThrow(
        /(ledger|inventory-before)\.jsonl is not as this certificate wrote it .*nothing can be proven/,
      );
    },
  );

  it.each(["not JSON", "", '["vcenter","datastore","ds","",""]'])(
    "believes no inventory with the line %p in it",
    async (line) => {
      const file = path.join(folder, "inventory-before.jsonl");
      const damage = (): void => {
        appendFileSync(file, `${line}\n`);
      };
      await expect(life(damage)).rejects.toThrow(
        /(ledger|inventory-before)\.jsonl is not as this certificate wrote it .*nothing can be proven/,
      );
    },
  );

  it("does not sweep a bed that the program still declares", async () => {
    const call = begin();
    const { id, state } = await create(call);
    call.call.context.declared.add(call.call.urn);
    call.call.context.declared.add("urn:pulumi:s::p::sanbed:array:VolumeSet::logs");
    await expect(certificate.delete(call.call, id, state)).rejects.toThrow(
      /still declares 1 resources.*\(logs\)/s,
    );
    expect(swept).toBe(0);
  });

  it("is not begun over marked objects, and warns that they may be another stack's", async () => {
    objects.push({ class: "folder", name: "dc/vm/sanbed_x", digest: "2", bedId });
    await expect(create(begin())).rejects.toThrow(/another stack uses this bed id/);
  });

  it("never leaves a device out of the proof that was once in it", async () => {
    const call = begin();
    const { id, state } = await create(call);
    const updated = await certificate.update?.(call.call, id, state, { devices: [] });
    expect(updated).toMatchObject({ devices: ["vcenter"] });
  });

  it("is signed with the key that a reference names; the key is nowhere in the file", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    secrets["env:KEY"] = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
    const call = begin();
    const { id, state } = await create(call, "env:KEY");
    await certificate.delete(call.call, id, state);
    const text = readFileSync(path.join(folder, "certificate.json"), "utf8");
    const { certificate: body, signature } = JSON.parse(text) as {
      certificate: object;
      signature: { value: string };
    };
    const payload = Buffer.from(JSON.stringify(body));
    expect(verify(null, payload, publicKey, Buffer.from(signature.value, "base64"))).toBe(true);
    expect(text).not.toMatch(/PRIVATE/);
  });
});
