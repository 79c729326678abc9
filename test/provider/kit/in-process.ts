import { startProvider } from "../../../provider/kit/serve";
import type { RunningProvider } from "../../../provider/kit/serve";
import { EngineStub } from "../../support/engine-stub";
import { PluginClient } from "../../support/plugin-client";
import { Shelf, testProvider } from "../../support/test-provider";

/** A configured test provider in this process, its client, its engine and what it manages. */
export interface Running {
  readonly client: PluginClient;
  readonly shelf: Shelf;
  readonly engine: EngineStub;
  readonly provider: RunningProvider;
  /** Resolves when the provider has noticed that the engine is gone. */
  readonly lost: Promise<void>;
}

export const device = { kind: "array", endpoint: "https://a" };

export async function withProvider(
  use: (running: Running) => Promise<void>,
  graceMs = 200,
): Promise<void> {
  const shelf = new Shelf();
  const engine = await EngineStub.start();
  let noticed: () => void = () => undefined;
  const lost = new Promise<void>((resolve) => (noticed = resolve));
  const provider = await startProvider(testProvider(shelf), {
    engineAddress: engine.address,
    graceMs,
    engineLost: noticed,
  });
  const client = PluginClient.connect(provider.port);
  try {
    await client.configure({ bedId: "bed", devices: { array: device } });
    await use({ client, shelf, engine, provider, lost });
  } finally {
    await client.close();
    await provider.stop();
    engine.kill();
  }
}
