import { EventEmitter, once } from "node:events";
import { rmSync } from "node:fs";
import type { Site } from "../bed/site";
import { keepVolumeContent } from "./content";
import { type ControlServer, serveControl } from "./control/server";
import { worldTamper } from "./control/world-tamper";
import { labError } from "./emulator/lab-error";
import type { TamperAction } from "./emulator/emulator";
import { FaultRules } from "./emulator/faults";
import { RequestLog } from "./emulator/request-log";
import { type EmulatorServer, serveEmulator } from "./emulator/server";
import { candidatePorts } from "./emulator/listen";
import {
  createEmulator,
  type DeviceSpec,
  deviceSpecs,
  noteReleases,
  vcenterRelease,
} from "./emulators";
import { LabFolder, type LabPorts, writeJson } from "./folder";
import { LabGuests } from "./guest-power";
import { IoLedger, type VolumeIo } from "./io-ledger";
import type { Level, LevelProbe } from "./levels";
import { freePort, type GuestAddresses, takeGuestAddresses } from "./ports";
import { chooseStart, labPreset, type LabShape, shapeOfReleases } from "./presets/lab-shape";
import type { RunningLab } from "./running-lab";
import { SanProcess } from "./san-process";
import { LabSecrets } from "./secrets";
import { labBedId } from "./bed-id";
import { labSite } from "./site";
import { readVolumeIo } from "./volume-io";
import { worldInventory } from "./world/inventory";
import { loadWorld } from "./world/snapshot";
import type { WorldState } from "./world/state";
import { World } from "./world/world";
import { WorldFile } from "./world/world-file";

export interface LabOptions {
  readonly dir: string;
  /** The level to run at, with the reasons for what is missing. */
  readonly probe: LevelProbe;
  /** Release of an emulated device by its name. */
  readonly profiles?: Readonly<Record<string, string>>;
  /** Array and switches of the lab; absent: as the lab was before, else the usual. */
  readonly shape?: Partial<LabShape>;
  /** The Go process with the vCenter; absent: emulators only. */
  readonly sanBinary?: string | undefined;
  /** Root file system of the guests (level A). */
  readonly guestTree?: string | undefined;
  /** Process that holds this lab, as the host sees it; default this one. */
  readonly pid?: number;
  /** Bearer token of the control port. */
  readonly token: string;
  readonly log: (line: string) => void;
}

/** A running lab in this process: world, emulators, control port; guests and SAN process if any. */
export class Lab implements RunningLab {
  readonly faults = new FaultRules();
  readonly requests: RequestLog;
  readonly startedAt = new Date().toISOString();
  readonly folder: LabFolder;
  readonly level: Level;
  readonly shape: LabShape;
  readonly world: World;
  readonly secrets: LabSecrets;
  readonly profiles = new Map<string, string>();
  readonly #events = new EventEmitter();
  #emulators: EmulatorServer[] = [];
  #san: SanProcess | undefined;
  #guests: LabGuests | undefined;
  #control: ControlServer | undefined;
  #addresses: GuestAddresses | undefined;
  #vcenterPort = 0;
  #stopContent: (() => void) | undefined;
  readonly #worldFile: WorldFile;
  #stopping: Promise<void> | undefined;

  private constructor(readonly options: LabOptions) {
    this.folder = new LabFolder(options.dir);
    this.folder.create();
    this.level = options.probe.level;
    this.requests = new RequestLog(this.folder.file("logs", "requests.jsonl"));
    this.secrets = new LabSecrets(this.folder);
    const before = loadWorld(this.folder.world);
    const wanted = { ...shapeOfReleases(options.profiles ?? {}), ...options.shape };
    const { shape, world } = chooseStart(wanted, before, this.folder.path);
    this.shape = shape;
    this.world = new World(labPreset(shape), world);
    this.#worldFile = new WorldFile(
      this.folder.world,
      () => this.world.view as WorldState,
      options.log,
    );
  }

  /** Starts everything; on failure what was started is stopped again. */
  static async start(options: LabOptions): Promise<Lab> {
    const lab = new Lab(options);
    try {
      await lab.#start();
      return lab;
    } catch (error) {
      await lab.stop();
      throw error;
    }
  }

  get probe(): LevelProbe {
    return this.options.probe;
  }

  get pid(): number {
    return this.options.pid ?? process.pid;
  }

  get token(): string {
    return this.options.token;
  }

  log(line: string): void {
    this.options.log(line);
  }

  get ports(): LabPorts {
    if (this.#addresses === undefined) throw new Error("the lab has no addresses yet");
    const { net, sshPort, databasePort } = this.#addresses;
    const served = this.#emulators.map(({ emulator, port }): [string, number] => [
      emulator.device,
      port,
    ]);
    return {
      control: this.#control?.port ?? 0,
      devices: { ...Object.fromEntries(served), vcenter: this.#vcenterPort },
      guestNet: net,
      sshPort,
      databasePort,
    };
  }

  get emulators(): readonly EmulatorServer[] {
    return this.#emulators;
  }

  get san(): SanProcess | undefined {
    return this.#san;
  }

  get guests(): LabGuests | undefined {
    return this.#guests;
  }

  get controlUrl(): string {
    return `http://127.0.0.1:${(this.#control?.port ?? 0).toString()}`;
  }

  site(): Site {
    const { secrets, ports, level } = this;
    const bedId = labBedId(this.folder);
    const dir = this.folder.path;
    return labSite({ world: this.world.view, ports, secrets, level, bedId, dir });
  }

  /** Everything the lab emulates, in canonical form. */
  async inventory(): Promise<unknown> {
    const vcenter =
      this.#san === undefined ? null : (await this.#san.call("GET", "inventory")).body;
    const guests = this.#guests === undefined ? [] : this.#guests.names();
    return { world: worldInventory(this.world.view), vcenter, guests };
  }

  /** Tamper actions by device name; `world` is the hardware itself. */
  tamperActions(): Readonly<Record<string, Readonly<Record<string, TamperAction>>>> {
    return {
      world: worldTamper(this.world),
      ...Object.fromEntries(
        this.#emulators.map(({ emulator }) => [emulator.device, emulator.tamper]),
      ),
    };
  }

  /** Back to the preset: no guests, no content, no sessions, no faults; ports stay. */
  async reset(): Promise<void> {
    await this.#guests?.removeAll();
    await this.#san?.stop();
    this.faults.clear();
    this.world.reset();
    noteReleases(this.world, this.profiles);
    for (const { emulator } of this.#emulators) emulator.reset();
    rmSync(this.folder.file("volumes"), { recursive: true, force: true });
    this.folder.create();
    this.#stopContent?.();
    this.#stopContent = keepVolumeContent(this.world, this.folder);
    await this.#startSan();
  }

  /** Resolves when somebody asked for the end over the control port. */
  async downRequested(): Promise<void> {
    await once(this.#events, "down");
  }

  requestDown(): void {
    this.#events.emit("down");
  }

  /** Orderly stop. Safe to repeat. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #start(): Promise<void> {
    const { options, folder } = this;
    const before = folder.readPorts();
    // The vCenter's machines live in memory only: what is here belongs to none, and nobody would
    // ever remove it.
    rmSync(folder.file("guests"), { recursive: true, force: true });
    folder.create();
    this.#addresses = await takeGuestAddresses(before);
    this.#stopContent = keepVolumeContent(this.world, folder);
    this.world.onChange(() => {
      this.#worldFile.changed();
    });
    this.profiles.set("vcenter", vcenterRelease(this.world.view, options.profiles ?? {}));
    for (const spec of deviceSpecs(this.world.view, options.profiles ?? {})) {
      this.#emulators.push(await this.#serve(spec, before?.devices[spec.device]));
    }
    noteReleases(this.world, this.profiles);
    this.secrets.credentials("vcenter");
    this.secrets.certificate("vcenter");
    this.secrets.publicKey(this.secrets.guestKey);
    this.secrets.publicKey(this.secrets.guestHostKey);
    if (this.level !== "D") this.#guests = this.#startGuests();
    this.#control = await serveControl(this, candidatePorts(before?.control));
    this.#vcenterPort = await freePort(before?.devices["vcenter"], "the vCenter");
    await this.#startSan();
    writeJson(folder.ports, this.ports);
    writeJson(folder.site, this.site());
  }

  #serve(spec: DeviceSpec, port: number | undefined): Promise<EmulatorServer> {
    const { device, kind, profile } = spec;
    const credentials = this.secrets.credentials(device);
    this.profiles.set(device, profile);
    return serveEmulator({
      emulator: createEmulator(kind, { device, world: this.world, credentials, profile }),
      port: candidatePorts(port),
      certificate: this.secrets.certificate(device),
      faults: this.faults,
      log: this.requests,
      onBug: (name, error) => {
        this.log(`${name}: ${error instanceof Error ? (error.stack ?? "") : String(error)}`);
      },
    });
  }

  #startGuests(): LabGuests {
    const { guestTree } = this.options;
    if (guestTree === undefined) {
      throw labError(`level ${this.level} needs the guests' root file system (--guest-tree)`);
    }
    const { secrets, folder, ports } = this;
    return new LabGuests({
      level: this.level,
      dir: folder.file("guests"),
      cgroupList: folder.cgroups,
      tree: guestTree,
      sshPort: ports.sshPort,
      databasePort: ports.databasePort,
      authorizedKey: secrets.publicKey(secrets.guestKey),
      hostKeyFile: secrets.guestHostKey,
      guestNet: ports.guestNet,
      templates: this.world.view.vcenter.templates,
      log: this.options.log,
    });
  }

  async #startSan(): Promise<void> {
    const { sanBinary, token, log } = this.options;
    if (sanBinary === undefined) return;
    this.#san = await SanProcess.start({
      binary: sanBinary,
      controlUrl: this.controlUrl,
      token,
      port: this.#vcenterPort,
      dir: this.folder.path,
      blocks: this.level === "A",
      certPem: this.secrets.certificate("vcenter").certPem,
      certFile: this.folder.file("secrets", "vcenter.crt"),
      keyFile: this.folder.file("secrets", "vcenter.key"),
      credentialsFile: this.secrets.credentialsFile("vcenter"),
      logFile: this.folder.file("logs", "san.log"),
      onExit: (reason) => {
        log(`the SAN process ended by itself: ${reason}`);
        this.#san = undefined;
      },
    });
    if (this.level === "A") {
      const read = (): Promise<readonly VolumeIo[]> =>
        this.#san === undefined ? Promise.resolve([]) : readVolumeIo(this.#san);
      this.world.measureIoWith(new IoLedger(this.world, read));
    }
  }

  async #stop(): Promise<void> {
    await this.#guests?.close();
    await this.#san?.stop();
    await Promise.all(this.#emulators.map((server) => server.close()));
    await this.requests.flush();
    this.#stopContent?.();
    this.#worldFile.close();
    await this.#control?.close();
    await this.#addresses?.release();
  }
}
