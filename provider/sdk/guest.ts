// Made from provider/schema.json by tools/generate-sdk.ts. Do not edit.
import * as pulumi from "@pulumi/pulumi";
import { packageVersion, required } from "./version";

/** A guest that is reachable, with its host key, tools and clock checked. */
export class Ready extends pulumi.CustomResource {
  /** @internal */
  public static readonly __pulumiType = "sanbed:guest:Ready";

  /** Looks up an existing resource by its id. */
  public static get(name: string, id: pulumi.Input<pulumi.ID>, opts?: pulumi.CustomResourceOptions): Ready {
    return new Ready(name, undefined as never, { ...opts, id });
  }

  /** True for a Ready, also from another copy of this SDK in the same process. */
  public static override isInstance(value: unknown): value is Ready {
    return (value as { __pulumiType?: unknown } | undefined)?.__pulumiType === Ready.__pulumiType;
  }

  /** UUID of the machine: another machine is another guest. */
  declare public readonly vmUuid: pulumi.Output<string>;

  /** How the guest is reached. */
  declare public readonly guest: pulumi.Output<GuestConnection>;

  /** Programs that must be there; the first line of `--version` is recorded. */
  declare public readonly tools: pulumi.Output<string[]>;

  /** How long the guest may take to become reachable. */
  declare public readonly timeoutSeconds: pulumi.Output<number>;

  /** What the guest says about itself. */
  declare public readonly facts: pulumi.Output<GuestFacts | undefined>;

  constructor(name: string, args: ReadyArgs, opts: pulumi.CustomResourceOptions = {}) {
    const inputs: pulumi.Inputs = {};
    const given: Partial<ReadyArgs> = (args as ReadyArgs | undefined) ?? {};
    if (opts.id === undefined) {
      if (opts.urn === undefined) {
        required(given.guest, "guest");
        required(given.vmUuid, "vmUuid");
      }
      inputs["vmUuid"] = given.vmUuid;
      inputs["guest"] = given.guest;
      inputs["tools"] = given.tools;
      inputs["timeoutSeconds"] = given.timeoutSeconds;
      inputs["facts"] = undefined;
    } else {
      inputs["vmUuid"] = undefined;
      inputs["guest"] = undefined;
      inputs["tools"] = undefined;
      inputs["timeoutSeconds"] = undefined;
      inputs["facts"] = undefined;
    }
    const own = { version: packageVersion };
    super(Ready.__pulumiType, name, inputs, pulumi.mergeOptions(own, opts));
  }
}

/** Arguments of {@link Ready}. */
export interface ReadyArgs {
  /** UUID of the machine: another machine is another guest. */
  readonly vmUuid: pulumi.Input<string>;
  /** How the guest is reached. */
  readonly guest: pulumi.Input<GuestConnectionArgs>;
  /** Programs that must be there; the first line of `--version` is recorded. */
  readonly tools?: pulumi.Input<pulumi.Input<string>[]>;
  /** How long the guest may take to become reachable. */
  readonly timeoutSeconds?: pulumi.Input<number>;
}

export interface GuestConnection {
  /** Name of the guest: in messages, results and as a folder's name. */
  readonly name: string;
  /** Address of its SSH server. */
  readonly host: string;
  /** Port of its SSH server. */
  readonly port?: number;
  /** User with the rights of root. */
  readonly user?: string;
  /** Reference (`env:`, `file:`, `exec:`) to the user's private key. */
  readonly privateKey: string;
  /** Public host key as one authorized_keys line; a guest with another is refused. */
  readonly hostKey: string;
  /** Folder on the guest in which each bed has a folder of its own. */
  readonly workRoot?: string;
  /** Who looks after detached jobs: `systemd-run`, or a session of their own. */
  readonly supervisor?: JobSupervisor;
}

export interface GuestConnectionArgs {
  /** Name of the guest: in messages, results and as a folder's name. */
  readonly name: pulumi.Input<string>;
  /** Address of its SSH server. */
  readonly host: pulumi.Input<string>;
  /** Port of its SSH server. */
  readonly port?: pulumi.Input<number>;
  /** User with the rights of root. */
  readonly user?: pulumi.Input<string>;
  /** Reference (`env:`, `file:`, `exec:`) to the user's private key. */
  readonly privateKey: pulumi.Input<string>;
  /** Public host key as one authorized_keys line; a guest with another is refused. */
  readonly hostKey: pulumi.Input<string>;
  /** Folder on the guest in which each bed has a folder of its own. */
  readonly workRoot?: pulumi.Input<string>;
  /** Who looks after detached jobs: `systemd-run`, or a session of their own. */
  readonly supervisor?: pulumi.Input<JobSupervisor>;
}

export interface GuestFacts {
  readonly hostname: string;
  readonly kernel: string;
  /** Changes with every start of the guest. */
  readonly bootId: string;
  readonly cpus: number;
  readonly memoryBytes: string;
  /** systemd is its init system and looks after jobs. */
  readonly systemd: boolean;
  /** Guest clock minus ours. */
  readonly clockOffsetMs: number;
  readonly clockUncertaintyMs: number;
  /** Version lines by program. */
  readonly tools: Record<string, string>;
}

export const JobSupervisor = {
  Auto: "auto",
  Systemd: "systemd",
  Session: "session",
} as const;

export type JobSupervisor = (typeof JobSupervisor)[keyof typeof JobSupervisor];
