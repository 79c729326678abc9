import { quoteWord } from "../bed/shell-words";
import { renderTemplate } from "./render";

/** What the bootstrap of a Vdbench or fio worker needs to know. Holds no secret. */
export interface WorkerBootstrapArgs {
  readonly bedId: string;
  /** Disks that the load goes to, raw, by label: their paths below /dev/disk/by-id. */
  readonly disks: Readonly<Record<string, string>>;
  /** Names of the disks' sizes: the smallest that each must have, in bytes. */
  readonly sizes: Readonly<Record<string, bigint>>;
  readonly tool: "vdbench" | "fio";
}

/**
 * Shell script (POSIX sh, to be run as root) that makes a guest fit to drive raw disks. It may be run
 * again; it refuses a disk that holds a file system, a partition table or another bed's mark, and a
 * guest that lacks the tool.
 */
export function workerBootstrap(args: WorkerBootstrapArgs): string {
  const disks = Object.entries(args.disks).map(([label, path]) => ({
    label,
    path,
    bytes: args.sizes[label] ?? 0n,
  }));
  const { bedId, tool } = args;
  return renderTemplate("guests/bootstrap-worker.sh", { bedId, tool, disks }, quoteWord);
}
