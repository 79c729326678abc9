import { z } from "zod";
import { addressList } from "./addresses";
import { lunNumber } from "./san";

/** What is taken at the site, as of one moment: `sanbed discover` writes it and renews it. */
export const occupancy = z.strictObject({
  takenAt: z.iso.datetime().optional(),
  /** LUN numbers that hosts see, by host: joined with the hosts' own `lunsTaken`. */
  luns: z.record(z.string(), z.array(lunNumber)).default({}),
  /** Names of host entries and groups on the array. */
  hostEntries: z.array(z.string().min(1)).default([]),
  /** Addresses in use on the guests' networks. */
  addresses: addressList.default([]),
});
