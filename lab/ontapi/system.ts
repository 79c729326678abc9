import {
  clusterName,
  fixedIds,
  isLicensed,
  licencePackages,
  nodeSerial,
  nodeUuid,
} from "../ontap/cluster";
import { attribute } from "../ontap/context";
import { releases } from "../ontap/release";
import { type Apis, reader, type ZapiCall } from "./api";
import { leaves, type Shape } from "./shape";
import type { ZNode } from "./xml";

const nodeShape: Shape = leaves(
  "cpu-busytime cpu-firmware-release env-failed-fan-count env-failed-fan-message " +
    "env-failed-power-supply-count env-failed-power-supply-message env-over-temperature " +
    "is-all-flash-optimized is-epsilon-node is-node-cluster-eligible is-node-healthy " +
    "maximum-aggregate-size maximum-number-of-volumes maximum-volume-size node node-asset-tag " +
    "node-location node-model node-nvram-id node-owner node-serial-number " +
    "node-storage-configuration node-system-id node-uptime node-uuid node-vendor " +
    "nvram-battery-status product-version",
);

const clusterNodeShape: Shape = leaves(
  "is-node-eligible is-node-epsilon is-node-healthy node-name node-uuid",
);

/** Versions, identity, nodes, licences. */
export const systemApis: Apis = {
  "system-get-version": reader("both", {}, version),
  "system-get-ontapi-version": reader("both", {}, ontapiVersion),
  "cluster-identity-get": reader("cluster", { "desired-attributes": { type: "tree" } }, identity),
  "license-v2-list-info": reader("cluster", {}, licences),
  "system-node-get-iter": {
    scope: "cluster",
    record: "node-details-info",
    shape: nodeShape,
    keys: ["node"],
    list: (call) => Object.keys(call.ctx.view.controllers).map((name) => node(call, name)),
  },
  "cluster-node-get-iter": {
    scope: "cluster",
    record: "cluster-node-info",
    shape: clusterNodeShape,
    keys: ["node-name"],
    list: (call) =>
      Object.values(call.ctx.view.controllers).map(({ name, up }) => ({
        "is-node-eligible": true,
        "is-node-epsilon": false,
        "is-node-healthy": up,
        "node-name": name,
        "node-uuid": nodeUuid(call.ctx, name),
      })),
  },
};

function version({ ctx }: ZapiCall): ZNode {
  const { full, generation, major, minor, builtAt } = releases[ctx.release];
  return {
    "build-timestamp": builtAt,
    "is-clustered": true,
    version: full,
    "version-tuple": { "system-version-tuple": { generation, major, minor } },
  };
}

function ontapiVersion({ ctx }: ZapiCall): ZNode {
  return { "major-version": 1, "minor-version": releases[ctx.release].ontapiMinor };
}

function identity({ ctx }: ZapiCall): ZNode {
  return {
    attributes: {
      "cluster-identity-info": {
        "cluster-contact": "",
        "cluster-location": "",
        "cluster-name": clusterName(ctx),
        "cluster-serial-number": "1-80-000011",
        "cluster-uuid": attribute(ctx.view.attributes, "clusterUuid", fixedIds.cluster),
        "rdb-uuid": fixedIds.ipspace,
      },
    },
  };
}

function licences({ ctx }: ZapiCall): ZNode {
  const owned = licencePackages.filter((name) => isLicensed(ctx, name));
  return {
    licenses: {
      "license-v2-info": owned.map((name) => ({
        description: `${name.toUpperCase()} License`,
        legacy: false,
        owner: clusterName(ctx),
        package: name,
        "serial-number": "1-80-0000000000000000000000123456",
        type: "license",
      })),
    },
  };
}

/** Largest FlexVol and aggregate of an all-flash system of that generation. */
const maximumVolumeBytes = 100n * 1024n ** 4n;
const maximumAggregateBytes = 800n * 1024n ** 4n;

function node({ ctx }: ZapiCall, name: string): ZNode {
  const up = ctx.view.controllers[name]?.up === true;
  return {
    "env-failed-fan-count": 0,
    "env-failed-power-supply-count": 0,
    "env-over-temperature": false,
    "is-all-flash-optimized": true,
    "is-epsilon-node": false,
    "is-node-cluster-eligible": true,
    "is-node-healthy": up,
    "maximum-aggregate-size": maximumAggregateBytes,
    "maximum-number-of-volumes": 1000,
    "maximum-volume-size": maximumVolumeBytes,
    node: name,
    "node-model": attribute(ctx.view.attributes, "model", "AFF-A250"),
    "node-serial-number": nodeSerial(ctx, name).serial,
    "node-system-id": nodeSerial(ctx, name).systemId,
    "node-uptime": up ? 8_640_000 : undefined,
    "node-uuid": nodeUuid(ctx, name),
    "node-vendor": "NetApp",
    "nvram-battery-status": "battery_ok",
    "product-version": up ? releases[ctx.release].full : undefined,
  };
}
