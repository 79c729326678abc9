import path from "node:path";
import { LabClient } from "../../lab/client";
import { labCommand } from "../lab";
import type { Terminal } from "../terminal";
import { SanbedError } from "../../bed/errors";

export interface DemoLab {
  readonly client: LabClient;
  readonly level: string;
  /** Takes the lab down, unless it was running before the demo. */
  stop(): Promise<void>;
}

/** Starts the lab of this checkout, or takes the one that runs already. */
export async function startLab(projectRoot: string, terminal: Terminal): Promise<DemoLab> {
  const dir = path.join(projectRoot, ".sanbed", "lab");
  const running = await LabClient.connect(dir).catch(() => undefined);
  if (running === undefined) {
    const code = await labCommand(["up", "--array", "aff-a250@9.8", "--dir", dir]);
    if (code !== 0)
      throw new SanbedError("lab", `the lab did not start; see ${path.join(dir, "logs")}`);
  }
  const client = running ?? (await LabClient.connect(dir));
  const { level } = await client.status();
  terminal.step(`lab at level ${level}${running === undefined ? "" : " (was running already)"}`);
  return {
    client,
    level,
    stop: async () => {
      if (running !== undefined) return;
      await labCommand(["down", "--dir", dir]);
    },
  };
}
