import type { DeviceCall } from "../../../../provider/devices/call";
import { OntapHosts } from "../../../../provider/devices/ontap/ontap-hosts";
import type { OntapGateway } from "../../../../provider/devices/ontap/gateway";
import { groupName } from "../../../../provider/devices/ontap/naming";
import { readBack } from "../../../../provider/devices/ontap/settle";
import type { Group } from "../../../../provider/devices/ontap/objects";
import { scsiSide } from "../../../../provider/devices/ontap/side";
import { esx01, failure } from "../../../support/array-bed";
import { call, testBedId } from "../../../support/device-rig";

const scope = { bedId: testBedId, target: "svm" };

/** A cluster that shows what was written only some looks later. */
function laggingCluster(looks: number) {
  let lag = 0;
  let group: Group | undefined;
  let shown: Group | undefined;
  const show = (): readonly Group[] => {
    if (lag > 0) lag--;
    else shown = group;
    return shown === undefined ? [] : [shown];
  };
  const groups = {
    list: () => Promise.resolve(show()),
    create: (_call: DeviceCall, { svm, name }: { svm: string; name: string }) => {
      group = {
        ...{ uuid: "g", name, svm, osType: "vmware", protocol: "fcp", comment: undefined },
        ...{ members: [], nqn: undefined },
      };
      lag = looks;
      return Promise.resolve();
    },
    addMembers: (_call: DeviceCall, _group: Group, members: readonly string[]) => {
      if (group !== undefined) group = { ...group, members };
      lag = looks;
      return Promise.resolve();
    },
  };
  const pauses: number[] = [];
  const gateway = {
    device: "array",
    scsi: { groups },
    sleep: (_call: DeviceCall, ms: number) => {
      pauses.push(ms);
      return Promise.resolve();
    },
  } as unknown as OntapGateway;
  return { hosts: new OntapHosts(gateway, scsiSide(gateway)), gateway, pauses };
}

test("what was written and is not seen at once is waited for", async () => {
  const { hosts, pauses } = laggingCluster(2);
  const made = await hosts.ensureGroup(call(), scope, "hosts");
  expect(made.name).toBe(groupName(scope, "hosts"));
  await hosts.ensureHosts(call(), scope, "hosts", [esx01]);
  expect((await hosts.get(call(), scope, "hosts"))?.initiators).toEqual(esx01.initiators);
  expect(pauses.length).toBeGreaterThan(0);
});

test("what is never seen is an error that says so", async () => {
  const { hosts } = laggingCluster(1000);
  const error = await failure(hosts.ensureGroup(call(), scope, "hosts"));
  expect(error.message).toContain(groupName(scope, "hosts"));
});

test("what is seen at once costs one look and no pause", async () => {
  const { gateway, pauses } = laggingCluster(0);
  let looks = 0;
  const seen = await readBack(
    gateway,
    call(),
    () => Promise.resolve(++looks),
    () => true,
  );
  expect([seen, looks, pauses]).toEqual([1, 1, []]);
});
