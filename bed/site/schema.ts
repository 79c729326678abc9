import { z } from "zod";
import { deviceConnection } from "./device";
import { occupancy } from "./occupancy";
import { array, host } from "./san";
import { checkedFile, guests, hypervisor, network, template } from "./virtual";

const fabric = z.strictObject({ device: z.string().min(1) });

/** Form of a site file. What needs a look at several parts of it is in `problems.ts`. */
export const siteSchema = z.strictObject({
  /** The schema file, for editors. Not used otherwise. */
  $schema: z.string().optional(),
  name: z.string().min(1),
  /** Set by the embedded lab only: how much of it is real. Carried into every report. */
  lab: z
    .strictObject({
      level: z.enum(["A", "B", "C", "D"]),
      guests: z.enum(["real", "emulated"]),
      /** Bed id for a stack that has none of its own: the lab's, made with its folder. */
      bedId: z.string().optional(),
      /** Level C: folder that holds the root folder of each guest, by its address. Absolute. */
      guestRoots: z.string().startsWith("/").optional(),
    })
    .optional(),
  devices: z.record(z.string(), deviceConnection),
  fabrics: z.strictObject({ A: fabric, B: fabric }),
  array,
  hypervisor,
  hosts: z.array(host).min(1),
  /** What guests are cloned from, by what the bed calls it: `sysbench`. */
  templates: z.record(z.string(), template),
  guests,
  /** Networks besides the guests' own, by purpose. */
  networks: z.record(z.string(), network).optional(),
  /** Installation media and licences, by name. */
  media: z.record(z.string(), checkedFile).optional(),
  licences: z.record(z.string(), checkedFile).optional(),
  occupancy: occupancy.optional(),
});

export type Site = z.infer<typeof siteSchema>;
