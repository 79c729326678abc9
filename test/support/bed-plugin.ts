import { startProvider } from "../../provider/kit/serve";
import { definition } from "../../provider/resources/definition";
import type { TestLab } from "./lab";
import { testBedId } from "./device-rig";
import type { Wire } from "./plugin-client";
import { PluginClient } from "./plugin-client";

/** A resource as the engine remembers it. */
export interface Remembered {
  readonly id: string;
  readonly inputs: Wire;
  readonly state: Wire;
}

/** The provider of a lab's bed, in this process, spoken to as the engine does. */
export class BedPlugin {
  private constructor(
    readonly client: PluginClient,
    private readonly stop: () => Promise<void>,
  ) {}

  static async start(lab: TestLab): Promise<BedPlugin> {
    const running = await startProvider(definition);
    const client = PluginClient.connect(running.port);
    const plugin = new BedPlugin(client, async () => {
      await client.close();
      await running.stop();
    });
    await client.handshake();
    const folder = `${lab.dir}/bed`;
    const devices = JSON.stringify(lab.site.devices);
    await client.configure({ bedId: testBedId, folder, devices });
    return plugin;
  }

  /** Check, then create. */
  async create(
    token: string,
    news: Wire,
    options: { readonly timeout?: number } = {},
  ): Promise<Remembered> {
    const { inputs, failures } = await this.client.check(token, news);
    if (failures.length > 0) throw new Error(JSON.stringify(failures));
    const { id, state } = await this.client.create(token, inputs, options);
    return { id, inputs, state };
  }

  async update(token: string, was: Remembered, news: Wire): Promise<Remembered> {
    const { inputs } = await this.client.check(token, news);
    return { id: was.id, inputs, state: await this.client.update(token, was.id, was, inputs) };
  }

  async refresh(token: string, was: Remembered): Promise<Remembered> {
    return this.client.read(token, was.id, was);
  }

  delete(token: string, was: Remembered): Promise<void> {
    return this.client.delete(token, was.id, was.state);
  }

  close(): Promise<void> {
    return this.stop();
  }
}
