import {
  addIo,
  type IoMeter,
  type IoObject,
  ioSince,
  type IoTotals,
  noIo,
  shareIo,
} from "./world/io";
import { hostDevices } from "./world/visibility";
import type { World } from "./world/world";

/** I/O of one host on one volume since the counting began. */
export interface VolumeIo {
  readonly volumeId: string;
  readonly host: string;
  readonly io: IoTotals;
}

/**
 * Counters of volumes, interfaces and ports from what the hosts' disks have counted. What came since
 * the last look is spread evenly over the paths that carry I/O now, as round robin does; without any
 * path it counts for the volume alone.
 */
export class IoLedger implements IoMeter {
  readonly #seen = new Map<string, IoTotals>();
  readonly #totals = new Map<string, IoTotals>();
  #refreshing: Promise<void> | undefined;

  constructor(
    private readonly world: World,
    private readonly read: () => Promise<readonly VolumeIo[]>,
  ) {}

  /** Requests at the same time share one look. */
  refresh(): Promise<void> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  totals(kind: IoObject, id: string): IoTotals {
    return this.#totals.get(`${kind} ${id}`) ?? noIo;
  }

  async #refresh(): Promise<void> {
    for (const { volumeId, host, io } of await this.read()) {
      const key = `${volumeId} ${host}`;
      const fresh = ioSince(io, this.#seen.get(key) ?? noIo);
      this.#seen.set(key, io);
      this.#add("volume", volumeId, fresh);
      const paths = this.#paths(volumeId, host);
      paths.forEach(({ targetPortId, portId }, index) => {
        const share = shareIo(fresh, paths.length, index);
        this.#add("targetPort", targetPortId, share);
        this.#add("port", portId, share);
      });
    }
  }

  #paths(volumeId: string, host: string): { targetPortId: string; portId: string }[] {
    const device = hostDevices(this.world.view, host).find((one) => one.volumeId === volumeId);
    const array = this.world.view.arrays[device?.array ?? ""];
    if (device === undefined || array === undefined) return [];
    const optimized = device.paths.filter((path) => path.optimized);
    return (optimized.length > 0 ? optimized : device.paths).map(({ targetWwpn }) => {
      const virtual = Object.values(array.targetPorts).find((port) => port.wwpn === targetWwpn);
      const physical = Object.values(array.ports).find((port) => port.wwpn === targetWwpn);
      return { targetPortId: virtual?.id ?? "", portId: virtual?.portId ?? physical?.id ?? "" };
    });
  }

  #add(kind: IoObject, id: string, io: IoTotals): void {
    const key = `${kind} ${id}`;
    this.#totals.set(key, addIo(this.#totals.get(key) ?? noIo, io));
  }
}
