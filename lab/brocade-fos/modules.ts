import type { Tree } from "./media";
import type { Release } from "./release";

/** `brocade-module-version`: what this release serves (brocade-module-version.yang). */
export function moduleVersions(release: Release): Tree {
  const modules: [string, readonly string[]][] = [
    [
      "brocade-chassis",
      ["chassis", ...(release.nineOne ? ["management-interface-configuration"] : [])],
    ],
    ["brocade-fabric", ["fabric-switch"]],
    ["brocade-fibrechannel-configuration", ["zone-configuration"]],
    ["brocade-fibrechannel-logical-switch", ["fibrechannel-logical-switch"]],
    ["brocade-fibrechannel-switch", ["fibrechannel-switch"]],
    ["brocade-interface", ["fibrechannel", "fibrechannel-statistics"]],
    ...(release.errorLog ? [["brocade-logging", ["error-log"]] as [string, string[]]] : []),
    ["brocade-name-server", ["fibrechannel-name-server"]],
    [
      "brocade-zone",
      [
        "defined-configuration",
        "effective-configuration",
        ...(release.nine ? ["fabric-lock"] : []),
      ],
    ],
  ];
  return {
    Response: {
      "brocade-module-version": {
        module: modules.map(([name, objects]) => ({
          name,
          version: release.api,
          uri: `/rest/running/${name}`,
          objects: { object: objects },
        })),
      },
    },
  };
}
