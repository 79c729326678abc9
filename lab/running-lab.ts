import type { GuestStatus } from "./control/guest-supervisor";
import type { TamperAction } from "./emulator/emulator";
import type { FaultRules } from "./emulator/faults";
import type { RequestLog } from "./emulator/request-log";
import type { EmulatorServer } from "./emulator/server";
import type { LabFolder, LabPorts } from "./folder";
import type { LabGuests } from "./guest-power";
import type { Level, LevelProbe } from "./levels";
import type { LabShape } from "./presets/lab-shape";
import type { SanProcess } from "./san-process";
import type { Json } from "./world/state";
import type { World } from "./world/world";

/** What `GET /status` answers. */
export interface LabStatus {
  readonly level: string;
  readonly missing: Readonly<Record<string, readonly string[]>>;
  readonly startedAt: string;
  readonly dir: string;
  readonly shape: LabShape;
  /** Release of the vCenter. */
  readonly vsphere: string;
  readonly processes: { readonly daemon: number; readonly san: number | null };
  /** By device name; the vCenter only where the SAN process runs. */
  readonly endpoints: Readonly<Record<string, string>>;
  readonly emulators: Readonly<
    Record<
      string,
      {
        readonly kind: string;
        /** Its release. */
        readonly profile: string;
        readonly unknownRoutes: number;
        readonly state: Json;
      }
    >
  >;
  readonly guests: readonly GuestStatus[];
  readonly revision: number;
}

/** A running lab as the control port sees it. */
export interface RunningLab {
  readonly folder: LabFolder;
  readonly ports: LabPorts;
  readonly level: Level;
  readonly shape: LabShape;
  readonly probe: LevelProbe;
  readonly token: string;
  /** Process that holds the lab, as the host sees it. */
  readonly pid: number;
  readonly startedAt: string;
  readonly world: World;
  readonly faults: FaultRules;
  readonly requests: RequestLog;
  /** Release by device name. */
  readonly profiles: ReadonlyMap<string, string>;
  readonly emulators: readonly EmulatorServer[];
  /** Absent: this lab has no vCenter. */
  readonly san: SanProcess | undefined;
  /** Absent: this lab has no guests. */
  readonly guests: LabGuests | undefined;
  inventory(): Promise<unknown>;
  /** By device name; `world` is the hardware itself. */
  tamperActions(): Readonly<Record<string, Readonly<Record<string, TamperAction>>>>;
  reset(): Promise<void>;
  requestDown(): void;
  log(line: string): void;
}
