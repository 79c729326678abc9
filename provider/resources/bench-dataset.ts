import { z } from "zod";
import { isGuestAway } from "../../bed/errors";
import { dropDataset, ensureDataset } from "../../runner/workloads/sysbench/dataset";
import { databaseName } from "../../runner/workloads/sysbench/server";
import { resource, type WriteCall } from "../kit/handler";
import type { BedContext } from "./context";
import { defaultSocket, guestSchema, runContext, workplaceOf } from "./guest-schema";

const inputs = z.object({
  vmUuid: z.string().describe("UUID of the machine: its data go with it."),
  guest: guestSchema.describe("How the guest is reached."),
  ready: z.string().describe("Id of the `guest:Ready` of this guest; orders the two."),
  engine: z.enum(["mariadb"]).meta({ id: "DatabaseEngine" }).describe("Database server."),
  tables: z.int().min(1).max(1000).describe("Number of Sysbench tables."),
  rows: z.int().min(100).describe("Rows of each table."),
  bufferPoolBytes: z
    .string()
    .regex(/^\d+$/, "a number of bytes")
    .describe("Buffer pool that the server must have been started with, in bytes."),
  loadThreads: z.int().min(1).max(64).default(4).describe("Connections that load at once."),
  socket: z.string().default(defaultSocket).describe("Socket of the database server."),
  onDelete: z
    .enum(["leave", "drop"])
    .meta({ id: "DatasetOnDelete" })
    .default("leave")
    .describe("`leave`: the data end with the machine. `drop`: database and user are dropped."),
});

const state = inputs.extend({
  database: z.string().describe("Name of the database; it carries the bed's mark."),
  fingerprint: z
    .string()
    .describe("Stands for tables, rows, row counts and the settings that shape the data."),
  dataBytes: z.string().optional().describe("Tables and indexes, in bytes."),
  server: z.string().optional().describe("Version of the database server."),
  reused: z.boolean().optional().describe("It was there and whole, and was not loaded again."),
});
type Inputs = z.infer<typeof inputs>;
type State = z.infer<typeof state>;

/** Loaded and verified tables on one guest. */
export const dataset = resource<BedContext, typeof inputs, typeof state>({
  token: "sanbed:bench:Dataset",
  description: "Sysbench tables in a guest's database, loaded, counted and reused while valid.",
  inputs,
  state,
  replaceOn: ["vmUuid", "engine", "tables", "rows"],
  deleteBeforeReplace: true,
  stables: ["database"],
  async create(call, args) {
    const id = args.vmUuid;
    return { id, state: await load(call, id, args) };
  },
  update: (call, id, _olds, news) => load(call, id, news),
  async delete(call, _id, olds) {
    if (olds.onDelete === "leave") return;
    const place = workplaceOf(call.context, olds.guest);
    try {
      await dropDataset(runContext(call), place, call.context.bedId, olds.socket);
    } catch (error) {
      if (!isGuestAway(error)) throw error;
      call.log("warning", `${error.message} Its data end with it.`);
    }
  },
});

async function load(call: WriteCall<BedContext, State>, id: string, args: Inputs): Promise<State> {
  const place = workplaceOf(call.context, args.guest);
  const database = databaseName(call.context.bedId);
  const spec = {
    tables: args.tables,
    rows: args.rows,
    loadThreads: args.loadThreads,
    bufferPoolBytes: BigInt(args.bufferPoolBytes),
    socket: args.socket,
  };
  const result = await ensureDataset(
    runContext(call),
    place,
    call.context.bedId,
    spec,
    (fingerprint) => {
      call.began(id, { ...args, database, fingerprint });
    },
  );
  if (result.reused) {
    call.log("info", `${args.guest.name}: the data set is whole, not loaded again`);
  }
  const { fingerprint, server, reused } = result;
  return { ...args, database, fingerprint, dataBytes: result.dataBytes.toString(), server, reused };
}
