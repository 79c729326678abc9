import { formatProblem } from "../../bed/errors";
import { findPlan } from "../../bed/plan";
import type { ReviewBed } from "../../bed/review-bed";
import { parseSettings } from "../../bed/settings";
import type { Site } from "../../bed/site";
import { affA250 } from "../../stacks/beds/aff-a250";
import { planSite } from "../support/plan-sites";

const bed = affA250({ protocol: "fcp" });

function planned(
  change: (site: Site) => void = () => undefined,
  { declared = bed, phase = "vdbench", scale = {} } = {},
) {
  const site = structuredClone(planSite(declared));
  change(site);
  const settings = parseSettings({ bedId: "abcdefghij", stack: "t", phase, runId: "1", scale });
  const { plan, problems } = findPlan(declared, site, settings);
  return {
    problems: problems.map(formatProblem).join("\n"),
    queues: plan!.estimates.queues,
    set: plan!.hostSettings.queueDepth,
    remarks: plan!.remarks.map(({ message }) => message).join("\n"),
  };
}

/** Every port of every host is set so, or those of one host. */
const depths =
  (depth: number, which: "deviceQueueDepth" | "portQueueDepth", host?: number) =>
  (site: Site): void => {
    site.hosts.forEach(({ hbas }, index) => {
      if (host !== undefined && index !== host) return;
      for (const hba of hbas) hba[which] = depth;
    });
  };

const withWorkers = (change: Partial<ReviewBed["phases"][string]["guests"][string]>): ReviewBed => {
  const phase = bed.phases["vdbench"]!;
  const guests = { vdbench: { ...phase.guests["vdbench"]!, ...change } };
  return { ...bed, phases: { vdbench: { ...phase, guests } } };
};

test("128 requests on a volume pass guest disk, guest adapter, device, host adapter, host and target port", () => {
  const { queues, problems } = planned();
  expect(problems).toBe("");
  expect(
    queues.map(({ where, plannedRequests, depth }) => [where, plannedRequests, depth]),
  ).toEqual([
    ["guest disk", 128, 254],
    ["guest adapter", 128, 1024],
    ["volume on a host", 128, 128],
    ["host adapter, one volume", 128, 128],
    ["host port", 256, 8192],
    ["target port", 1024, 2048],
  ]);
});

test.each([30, 64, 127])(
  "host adapters that take %i requests for a device are refused, with how many wait and what to set",
  (depth) => {
    const { problems } = planned(depths(depth, "deviceQueueDepth"));
    expect(problems).toMatch(
      `host adapter, one volume vdbench/01 on esx01.example: vdbench keeps 128 requests in flight, ${depth} are taken, ${128 - depth} wait (deviceQueueDepth of vmhba2 in the site) (set the driver`,
    );
    expect(problems).toMatch(/lpfc_lun_queue_depth.*128 are needed/);
    expect(problems.split("\n")).toHaveLength(1);
  },
);

test("one shallow host among others is the one that is named", () => {
  expect(planned(depths(32, "deviceQueueDepth", 5)).problems).toMatch(
    /on esx06\.example: .* 32 are/,
  );
});

test("adapters that take enough are taken at the site's word, and nothing is assumed any more", () => {
  const deep = planned(depths(254, "deviceQueueDepth"));
  expect(deep.problems).toBe("");
  expect(deep.queues.find(({ where }) => where === "host adapter, one volume")?.depth).toBe(254);
  expect(deep.remarks).not.toMatch(/how many requests the adapters/);
  expect(planned().remarks).toMatch(
    /the adapters of esx01\.example, esx02\.example, esx03\.example and 5 more .*: 128 are counted on/,
  );
});

test("no more is set on devices than the shallowest adapter takes, since the host refuses it, and that is said", () => {
  const sysbench = planned(depths(40, "deviceQueueDepth", 2), { phase: "sysbench" });
  expect(sysbench.problems).toBe("");
  expect(sysbench.set).toBe(40);
  expect(sysbench.remarks).toMatch(
    /40 requests are set on each device instead of 64: the adapters of esx03\.example take no more/,
  );
  expect(planned(depths(254, "deviceQueueDepth"), { phase: "sysbench" }).set).toBe(64);
  expect(planned(undefined, { phase: "sysbench" }).set).toBe(64);
});

test("a host port and its figure in the site count before the bed's assumption", () => {
  expect(planned(depths(200, "portQueueDepth")).problems).toMatch(
    /host port a port of esx01\.example: .*256 requests in flight, 200 are taken, 56 wait \(portQueueDepth of vmhba2/,
  );
});

test("a guest's driver takes what it does by itself, unless the bed sets it", () => {
  const plain = planned(undefined, { declared: withWorkers({ queues: undefined }) });
  expect(plain.problems).toMatch(
    /guest disk vdbench, pvscsi: .*128 requests in flight, 64 are taken, 64 wait \(the driver by itself/,
  );
  const beyond = planned(undefined, {
    declared: withWorkers({ queues: { disk: 512, adapter: 1024 } }),
  });
  expect(beyond.problems).toMatch(
    /queues\.disk: 512 requests on one disk, pvscsi takes at most 254/,
  );
});

test("namespaces have queues that host and array agree on: nothing is assumed of adapters", () => {
  const nvme = affA250({ protocol: "nvme-fc" });
  const { queues, remarks } = planned(depths(30, "deviceQueueDepth"), { declared: nvme });
  expect(queues.map(({ where }) => where)).not.toContain("host adapter, one volume");
  expect(remarks).not.toMatch(/adapters/);
});
