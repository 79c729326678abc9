import { planBed } from "../../bed/plan";
import { planOfHosts } from "./plan-scale";

/** Plans a bed of so many hosts once, in a process of its own, and prints what it took as JSON. */
const input = planOfHosts(Number(process.argv[2]));
const startedAtMs = performance.now();
const plan = planBed(input.bed, input.site, input.settings);
const planMs = performance.now() - startedAtMs;

process.stdout.write(
  JSON.stringify({
    planMs,
    // KiB, getrusage(2): of the whole process, Node and the making of the input included.
    peakBytes: process.resourceUsage().maxRSS * 1024,
    hosts: plan.hosts.length,
    volumes: plan.volumeGroups.reduce((sum, group) => sum + group.volumes.length, 0),
    guests: plan.guests.length,
  }),
);
