import { call } from "../support/device-rig";
import { openHosts, present, withVcenter } from "../support/host-rig";
import type { Wire } from "../support/plugin-client";
import { CallFailed } from "../support/plugin-client";
import { clone, first, machine, place, second, tokenOf, withVsphere } from "../support/vsphere-rig";

jest.setTimeout(180_000);

withVcenter("stand-in vSphere plugin: machines", () => {
  it("runs the life of a machine made from nothing", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const made = await rig.create("VirtualMachine", machine(at, "t-scratch"));
      expect(made.state).toMatchObject({ powerState: "on", hostSystemId: at.hostSystemId });
      await rig.expectStable("VirtualMachine", made);
      const read = await rig.client.read(tokenOf("VirtualMachine"), made.id, made);
      const disks = read.state["disks"] as Wire[];
      expect(disks.map((disk) => disk["size"])).toEqual([4, 2, 1]);
      const grown = await rig.update("VirtualMachine", made, {
        ...made.inputs,
        memory: 2048,
        numCpus: 4,
        annotation: "changed",
        extraConfig: { "guestinfo.test": "yes" },
        disks: (made.inputs["disks"] as Wire[]).map((disk) =>
          disk["label"] === "data" ? { ...disk, size: 3 } : disk,
        ),
      });
      expect(grown.state).toMatchObject({ powerState: "on", memory: 2048, numCpus: 4 });
      expect(grown.state["uuid"]).toBe(made.state["uuid"]);
      await rig.expectStable("VirtualMachine", grown);
      const token = tokenOf("VirtualMachine");
      const shrunk = {
        ...grown.inputs,
        disks: (grown.inputs["disks"] as Wire[]).map((disk) => ({ ...disk, size: 1 })),
      };
      const shrinking = rig.client.update(token, grown.id, grown, shrunk, { preview: true });
      await expect(shrinking).rejects.toThrow(/shrunk/);
      await rig.remove("VirtualMachine", grown);
    });
  });

  it("sees what was changed behind its back and puts it right", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const made = await rig.create("VirtualMachine", machine(at, "t-drift"));
      const changed = { ...made.inputs, memory: 512, annotation: "somebody was here" };
      await rig.update("VirtualMachine", made, changed);
      const token = tokenOf("VirtualMachine");
      const read = await rig.client.read(token, made.id, made);
      expect(read.inputs).toMatchObject({ memory: 512, annotation: "somebody was here" });
      const back = await rig.update("VirtualMachine", { ...read, id: made.id }, made.inputs);
      expect(back.state).toMatchObject({ memory: 1024, annotation: "made by a test" });
      await rig.remove("VirtualMachine", made);
    });
  });

  it("clones and customizes, several at once, on datastores of their own", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const shown = await present(rig.lab, [first, second], 1);
      const storage = openHosts(rig.lab);
      await storage.rescan(call(), [first, second]);
      const data = await rig.create("VmfsDatastore", {
        name: "t-data",
        hostSystemId: at.hostSystemId,
        disks: shown.devices,
      });
      const folder = { path: "t-guests", type: "vm", datacenterId: at.datacenterId };
      const home = await rig.create("Folder", folder);
      const names = ["t-one", "t-two", "t-three"];
      const wanted = await Promise.all(
        names.map(async (name) => {
          const base = await clone(rig, at, name, { folder: "t-guests" });
          const disks = (base["disks"] as Wire[]).map((disk) =>
            disk["label"] === "test" ? { ...disk, datastoreId: data.id } : disk,
          );
          return { ...base, disks };
        }),
      );
      const made = await Promise.all(wanted.map((news) => rig.create("VirtualMachine", news)));
      for (const vm of made) {
        expect(vm.state["defaultIpAddress"]).toBe(rig.lab.site.guests.addresses[0]);
        const test = (vm.state["disks"] as Wire[]).find((disk) => disk["label"] === "test");
        expect(test?.["datastoreId"]).toBe(data.id);
        await rig.expectStable("VirtualMachine", vm);
      }
      await expect(
        rig.client.delete(tokenOf("VmfsDatastore"), data.id, data.state, { timeout: 4 }),
      ).rejects.toThrow(/machines lie on it|deadline/);
      const token = tokenOf("VirtualMachine");
      const [one] = made;
      const other = {
        ...one?.inputs,
        clone: { ...(one?.inputs["clone"] as Wire), templateUuid: "other" },
      };
      if (one === undefined) throw new Error("nothing was made");
      expect((await rig.client.diff(token, one.id, one, other)).replaces).toContain("clone");
      await Promise.all(made.map((vm) => rig.remove("VirtualMachine", vm)));
      await rig.remove("VmfsDatastore", data);
      await rig.remove("Folder", home);
      await storage.close();
      await shown.close();
    });
  });

  it("leaves nothing behind when a machine cannot be finished", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const wanted = await clone(rig, at, "t-broken");
      // Two customized cards for a machine with one: the vCenter refuses after the clone.
      const spec = wanted["clone"] as Record<string, Wire>;
      const customize = spec["customize"] ?? {};
      const nics = customize["networkInterfaces"] as Wire[];
      const broken = {
        ...wanted,
        clone: { ...spec, customize: { ...customize, networkInterfaces: [...nics, ...nics] } },
      };
      const { inputs } = await rig.client.check(tokenOf("VirtualMachine"), broken);
      const failed = rig.client.create(tokenOf("VirtualMachine"), inputs);
      await expect(failed).rejects.toBeInstanceOf(CallFailed);
      const again = { name: "t-broken", datacenterId: at.datacenterId };
      await expect(rig.lookUp("getVirtualMachine", again)).rejects.toThrow(/none of that name/);
    });
  });

  it("keeps a machine in the stack when only the wait for its address failed", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      // Without a card no address ever comes; the wait is cut by the call's time-out.
      const { inputs } = await rig.client.check(
        tokenOf("VirtualMachine"),
        machine(at, "t-silent", { waitForGuestNetTimeout: 5, networkInterfaces: [] }),
      );
      const work = rig.client.create(tokenOf("VirtualMachine"), inputs, { timeout: 4 });
      const error = await work.then(
        () => {
          throw new Error("it found an address");
        },
        (reason: unknown) => reason as CallFailed,
      );
      expect(error.initFailed?.id).toMatch(/^[0-9a-f-]{36}$/);
      await rig.client.delete(
        tokenOf("VirtualMachine"),
        error.initFailed?.id ?? "",
        error.initFailed?.state ?? {},
      );
    });
  });

  it("undoes a clone that is cancelled while it runs", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const { inputs } = await rig.client.check(
        tokenOf("VirtualMachine"),
        await clone(rig, at, "t-cancelled"),
      );
      const fault = { method: "PowerOnVM_Task" };
      await rig.lab.client.addFault({
        device: "vcenter",
        match: fault,
        effect: { latencyMs: 3000 },
      });
      const work = rig.client.create(tokenOf("VirtualMachine"), inputs);
      const outcome = work.then(
        () => "made",
        () => "failed",
      );
      const exists = async (): Promise<boolean> =>
        rig
          .lookUp("getVirtualMachine", { name: "t-cancelled", datacenterId: at.datacenterId })
          .then(
            () => true,
            () => false,
          );
      while (!(await exists())) await new Promise((resolve) => setTimeout(resolve, 20));
      await rig.client.cancel();
      expect(await outcome).toBe("failed");
      while (await exists()) await new Promise((resolve) => setTimeout(resolve, 50));
    });
  });

  it("undoes a clone whose wait is lost", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const token = tokenOf("VirtualMachine");
      const { inputs } = await rig.client.check(token, await clone(rig, at, "t-lost"));
      const match = { method: "WaitForUpdatesEx" };
      const effect = { status: 400 };
      await rig.lab.client.addFault({ device: "vcenter", match, times: 1, effect });
      const error = await rig.client.create(token, inputs).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(CallFailed);
      expect((error as CallFailed).initFailed).toBeUndefined();
      const again = { name: "t-lost", datacenterId: at.datacenterId };
      await expect(rig.lookUp("getVirtualMachine", again)).rejects.toThrow(/none of that name/);
    });
  });

  it("keeps a machine in the stack that could be neither finished nor destroyed", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const token = tokenOf("VirtualMachine");
      const { inputs } = await rig.client.check(token, await clone(rig, at, "t-stuck"));
      for (const method of ["CustomizeVM_Task", "Destroy_Task"]) {
        const effect = { status: 400 };
        await rig.lab.client.addFault({ device: "vcenter", match: { method }, times: 1, effect });
      }
      const error = await rig.client.create(token, inputs).catch((reason: unknown) => reason);
      const { initFailed } = error as CallFailed;
      expect(initFailed?.reasons.join()).toMatch(/could not be destroyed again/);
      await rig.client.delete(token, initFailed?.id ?? "", initFailed?.state ?? {});
      const again = { name: "t-stuck", datacenterId: at.datacenterId };
      await expect(rig.lookUp("getVirtualMachine", again)).rejects.toThrow(/none of that name/);
    });
  });

  it("leaves no datastore behind that it could not ask about", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const shown = await present(rig.lab, [first], 1);
      const storage = openHosts(rig.lab);
      await storage.rescan(call(), [first]);
      const match = { method: "RetrievePropertiesEx", body: "summary" };
      const effect = { status: 400 };
      await rig.lab.client.addFault({ device: "vcenter", match, times: 1, effect });
      const wanted = { name: "t-mute", hostSystemId: at.hostSystemId, disks: shown.devices };
      const failed = rig.client.create(tokenOf("VmfsDatastore"), wanted);
      await expect(failed).rejects.toBeInstanceOf(CallFailed);
      const again = { name: "t-mute", datacenterId: at.datacenterId };
      await expect(rig.lookUp("getDatastore", again)).rejects.toThrow(/t-mute/);
      await storage.close();
      await shown.close();
    });
  });

  it("moves a machine to another host in place, and says so when the vCenter cannot", async () => {
    await withVsphere(async (rig) => {
      const at = await place(rig);
      const made = await rig.create("VirtualMachine", machine(at, "t-mover"));
      const other = (await place(rig, second)).hostSystemId;
      const news = { ...made.inputs, hostSystemId: other };
      const token = tokenOf("VirtualMachine");
      expect(await rig.client.diff(token, made.id, made, news)).toMatchObject({
        changes: true,
        replaces: [],
      });
      const moved = await rig.update("VirtualMachine", made, news);
      expect(moved.state).toMatchObject({ hostSystemId: other, powerState: "on" });
      await rig.expectStable("VirtualMachine", moved);
      // The lab's vCenter leaves files where they are.
      const elsewhere = { ...news, datastoreId: "datastore-nowhere" };
      await expect(rig.update("VirtualMachine", moved, elsewhere)).rejects.toThrow(
        /cannot migrate machine t-mover: /,
      );
      await rig.remove("VirtualMachine", made);
    });
  });
});
