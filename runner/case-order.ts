import type { BedId } from "../bed/identities";
import type { DeviceCall } from "../provider/devices/call";
import type { Clock } from "../provider/devices/clock";
import { GuestJobs, type Workplace } from "./jobs/guest-jobs";
import type { Declaration } from "./results/run-folder";
import { planSysbench, type SysbenchCase, type SysbenchPlan } from "./workloads/sysbench/plan";

/** One guest that takes part in a case. */
export interface CaseGuest {
  readonly name: string;
  readonly vmUuid: string;
  readonly place: Workplace;
  /** Socket of the database server on the guest. */
  readonly socket: string;
}

/** One case to run. */
export interface CaseOrder {
  /** Name of the run, the same for the same case, run id, guests and workload. Also the job's name. */
  readonly id: string;
  readonly bedId: BedId;
  readonly declaration: Declaration;
  readonly spec: SysbenchCase;
  readonly guests: readonly CaseGuest[];
  /** Where the run is kept, absolute. */
  readonly folder: string;
}

/** What running a case needs from outside. */
export interface RunContext {
  readonly call: DeviceCall;
  readonly clock: Clock;
}

/** A guest of a case with its jobs. */
export interface CaseSeat {
  readonly guest: CaseGuest;
  readonly jobs: GuestJobs;
}

/** What is fixed once a case is planned. */
export interface CaseSetup {
  readonly order: CaseOrder;
  readonly plan: SysbenchPlan;
  readonly seats: readonly CaseSeat[];
}

export function setUpCase(order: CaseOrder): CaseSetup {
  const seats = order.guests.map((guest) => ({
    guest,
    jobs: new GuestJobs(guest.place, order.bedId),
  }));
  return { order, plan: planSysbench(order.spec), seats };
}

/** Option file of sysbench on a guest, with user and password. Made by the data set. */
export function connectionFile(jobs: GuestJobs): string {
  return `${jobs.folder}/sysbench.cnf`;
}

/** What the data set says about itself on a guest. */
export function datasetFile(jobs: GuestJobs): string {
  return `${jobs.folder}/dataset.json`;
}
