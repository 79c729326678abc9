import * as pulumi from "@pulumi/pulumi";
import type { PlannedGuest } from "../bed/guest-plan";
import { sqlServerYear } from "../bed/sqlserver-release";
import { parseBytes } from "../bed/units";
import type { SqlServerSettings } from "../bed/workload-settings";
import type { Ready } from "../provider/sdk/guest";
import { driverBootstrap } from "../templates/driver-bootstrap";
import { sqlServerBootstrap, sqlServerPort } from "../templates/sqlserver-bootstrap";
import { diskUuid, runBootstrap } from "./bootstrap";
import { byKey } from "./keyed";
import { createMachines, isEmulated, type Machines } from "./machines";
import { provenReady, type ReadinessArgs } from "./readiness";

export interface SqlServerGuestsArgs extends ReadinessArgs {
  readonly sqlserver: SqlServerSettings;
  /** Software of the servers in the bed's words, `Microsoft SQL Server 2014`: which release is set up. */
  readonly software: string | undefined;
  /** Private key that the templates' users accept (PEM or OpenSSH); kept as a secret. */
  readonly privateKey: pulumi.Input<string>;
}

/** Reads a whole script from standard input, so that no limit on command lines and no quoting matters. */
const powerShell =
  "powershell -NoProfile -NonInteractive -ExecutionPolicy Bypass -Command " +
  '"& ([scriptblock]::Create([Console]::In.ReadToEnd()))"';

/**
 * SQL Server guests and the load generators that drive them, on their own hosts. Windows is named and
 * addressed by sysprep; the server is set up unattended from the template's media onto the data disk
 * (64 KB units), with the bed's memory and the release's trace flags. Secrets stay in the template.
 */
export class SqlServerGuests extends pulumi.ComponentResource {
  /** By guest key, servers and load generators. */
  readonly machines: Machines["machines"];
  /** What keeps a guest on its host, by guest key. */
  readonly pins: Machines["pins"];
  /** By guest key. */
  readonly ready: Readonly<Record<string, Ready>>;

  constructor(name: string, args: SqlServerGuestsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("sanbed:components:SqlServerGuests", name, {}, opts);
    const { machines, pins } = createMachines(name, args, this);
    this.machines = machines;
    this.pins = pins;
    const made: pulumi.Resource[] = [];
    const ready: Record<string, Ready> = {};
    // Load generators look for their servers: those come first.
    for (const guest of args.guests.filter(({ role }) => role === "test")) {
      const [resource, command] = this.prepare(name, args, guest, []);
      ready[guest.key] = resource;
      made.push(...command);
    }
    for (const guest of args.guests.filter(({ role }) => role === "driver")) {
      [ready[guest.key]] = this.prepare(name, args, guest, made);
    }
    this.ready = ready;
    this.registerOutputs({});
  }

  private prepare(
    name: string,
    args: SqlServerGuestsArgs,
    guest: PlannedGuest,
    after: readonly pulumi.Resource[],
  ): [Ready, pulumi.Resource[]] {
    const machine = byKey(this.machines, guest.key, "machine");
    const { site, privateKey } = args;
    const isServer = guest.role === "test";
    const made = isEmulated(site, guest)
      ? []
      : [
          runBootstrap(
            `${name}-${guest.key}-bootstrap`,
            {
              site,
              guest,
              machine,
              privateKey,
              script: isServer ? this.serverScript(args, guest) : driverScript(args),
              ...(isServer ? { interpreter: powerShell } : {}),
              after,
            },
            this,
          ),
        ];
    const opts = { parent: this, dependsOn: made };
    return [provenReady(`${name}-${guest.key}-ready`, args, guest, machine, [], opts), made];
  }

  private serverScript(args: SqlServerGuestsArgs, guest: PlannedGuest): pulumi.Output<string> {
    const data = guest.disks.find(({ label }) => label === "data");
    return diskUuid(byKey(this.machines, guest.key, "machine"), "data").apply((uuid) =>
      sqlServerBootstrap({
        bedId: args.bedId,
        year: sqlServerYear(args.software),
        diskUuid: uuid,
        diskBytes: data?.sizeBytes ?? 0n,
        maxMemoryBytes: parseBytes(args.sqlserver.bufferPool),
        vcpus: guest.vcpus,
      }),
    );
  }
}

function driverScript({ bedId, guests }: SqlServerGuestsArgs): string {
  const servers = guests.filter(({ role }) => role === "test").map(({ address }) => address);
  return driverBootstrap({ bedId, servers, port: sqlServerPort });
}
