import { z } from "zod";
import { ConfigError, type Problem } from "../../bed/errors";
import { parseBedId } from "../../bed/identities";
import type { DeviceKind } from "../devices/device-kind";
import { checkDevices, sanDeviceKinds } from "../devices/registry";
import { vcenterKind } from "../devices/vcenter/config";

/** Every kind of device that a bed may have. */
export const deviceKinds: readonly DeviceKind[] = [...sanDeviceKinds, vcenterKind];

export const providerConfig = z.object({
  bedId: z
    .string()
    .describe(
      "Identity of the bed, made once and kept in the stack's configuration: ten characters of `a-z2-7`. Every object of the bed carries it.",
    ),
  folder: z
    .string()
    .describe(
      "Folder for what the bed keeps on disk: inventories, certificate, journals, results. Absolute.",
    ),
  devices: z
    .record(z.string(), z.unknown())
    .describe(
      "Devices of the bed by name: `{ kind, endpoint, credentials, tls }`. Credentials are references (`env:`, `file:`, `exec:`) that are resolved at use.",
    ),
});

export type ProviderConfig = z.infer<typeof providerConfig>;

/** What the schema cannot see. All problems at once. */
export function checkProviderConfig(config: ProviderConfig): Problem[] {
  const problems: Problem[] = [...checkDevices(deviceKinds, config.devices)];
  if (parseBedId(config.bedId) === undefined) {
    problems.push({
      path: "bedId",
      message: `"${config.bedId}" is no bed id`,
      remedy: "ten characters of a-z and 2-7; make one with `npx sanbed id`",
    });
  }
  if (!config.folder.startsWith("/")) {
    problems.push({ path: "folder", message: `"${config.folder}" is not absolute` });
  }
  return problems;
}

/**
 * Another bed id would replace every object of a standing bed by one with another mark. That is never meant: it comes
 * from a lost or copied configuration.
 */
export function refuseOtherBed(olds: ProviderConfig, news: ProviderConfig): Problem[] {
  if (olds.bedId === news.bedId) return [];
  return [
    {
      path: "bedId",
      message: `the stack's bed is ${olds.bedId}, and the configuration says ${news.bedId}: all its objects would be replaced`,
      remedy:
        `set ${olds.bedId} again (\`pulumi config set bedId ${olds.bedId}\`; in the lab it is the text of ` +
        "`.sanbed/lab/bed-id`, while the lab is down), or `pulumi destroy` before you change it",
    },
  ];
}

/** The bed id of a configuration that was checked. @throws {ConfigError} */
export function bedIdOf(config: ProviderConfig) {
  const bedId = parseBedId(config.bedId);
  if (bedId === undefined) throw new ConfigError(checkProviderConfig(config));
  return bedId;
}
