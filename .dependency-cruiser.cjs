/**
 * The import table of docs/architecture.md. Every folder has the list of what it may import;
 * anything else is an error. test/tools/import-rules.test.ts plants a violation of each rule.
 */
const npm = (...names) => `^node_modules/(@types/)?(${names.join("|")})/`;

const only = (name, from, allowed, fromNot) => ({
  name,
  severity: "error",
  comment: `${from} may import only what docs/architecture.md lists`,
  from: fromNot ? { path: from, pathNot: fromNot } : { path: from },
  to: { pathNot: allowed, dependencyTypesNot: ["core"] },
});

const never = (name, comment, from, to) => ({ name, severity: "error", comment, from, to });

/** Carriers of the contracts and of the transport; the drivers lie in folders below. */
const sharedDeviceFiles = "^provider/devices/(call|clock|http-session|request-log|tls|xml)\\.ts$";
/** The workspace `@pulumi/vsphere` resolves to its real path. */
const vsphereSdk = "^lab/plugins/vsphere-sdk/";

module.exports = {
  forbidden: [
    never("no-cycles", "a cycle is one file in two pieces", {}, { circular: true }),
    never("no-unknown", "does not resolve", {}, { couldNotResolve: true }),
    never(
      "not-to-test",
      "tests import, they are never imported",
      { pathNot: "^test/" },
      { path: "^test/" },
    ),

    only("bed", "^bed/", ["^bed/", npm("zod")]),
    never(
      "bed-no-node",
      "the model is pure: no file, no network, no clock",
      { path: "^bed/" },
      { dependencyTypes: ["core"] },
    ),

    only("kit", "^provider/kit/", [
      "^provider/kit/",
      "^bed/(errors|system-error)\\.ts$",
      npm("zod", "@grpc/grpc-js", "google-protobuf"),
      "^node_modules/@pulumi/pulumi/proto/",
    ]),
    only("devices", "^provider/devices/", [
      "^provider/devices/",
      "^bed/",
      npm("zod", "ssh2", "fast-xml-parser", "undici"),
    ]),
    never(
      "devices-apart",
      "the folder of one vendor knows nothing of another",
      { path: "^provider/devices/([^/]+)/", pathNot: "^provider/devices/ontapi?/" },
      { path: "^provider/devices/[^/]+/", pathNot: "^provider/devices/$1/" },
    ),
    never(
      "ontap-apart",
      "ONTAP has two interfaces in two folders, which share what ONTAP means and nothing with others",
      { path: "^provider/devices/ontapi?/" },
      { path: "^provider/devices/[^/]+/", pathNot: "^provider/devices/ontapi?/" },
    ),
    never(
      "devices-by-contract",
      "drivers are reached through their contract; only the table of kinds and the shell are opened",
      { path: "^(provider/resources|runner|cli|tools)/" },
      {
        path: "^provider/devices/[^/]+/",
        pathNot: "^provider/devices/(vcenter/config|guest-ssh/guest-ssh)\\.ts$",
      },
    ),
    only("resources", "^provider/resources/", [
      "^provider/(resources|kit|devices)/",
      "^bed/",
      "^runner/",
      npm("zod"),
    ]),
    only("sdk", "^provider/sdk/", ["^provider/sdk/", npm("@pulumi/pulumi")]),

    only("components", "^components/", [
      "^components/",
      "^bed/",
      "^provider/sdk/",
      "^templates/",
      vsphereSdk,
      npm("@pulumi/[^/]+"),
    ]),
    only("stacks", "^stacks/", [
      "^stacks/",
      "^bed/",
      "^components/",
      "^provider/sdk/",
      vsphereSdk,
      npm("@pulumi/[^/]+", "yaml"),
    ]),

    only(
      "runner",
      "^runner/",
      ["^runner/", "^bed/", "^provider/devices/", "^templates/", npm("zod", "hyparquet-writer")],
      "^runner/report/",
    ),
    only("report", "^runner/report/", [
      "^runner/(results|report)/",
      "^bed/",
      "^templates/",
      npm("zod"),
    ]),
    only("templates", "^templates/", ["^templates/", "^bed/shell-words\\.ts$", npm("handlebars")]),

    only(
      "lab",
      "^lab/",
      [
        "^lab/(?!plugins/)",
        // Quoting for guests' shells; ssh2 serves guests of level C, and is no emulated device.
        "^bed/(errors|system-error|identities|shell-words|units|site)\\.ts$",
        npm("zod", "fast-xml-parser", "ssh2"),
      ],
      "^lab/plugins/",
    ),
    only(
      "lab-plugins",
      "^lab/plugins/",
      [
        "^lab/plugins/",
        "^bed/",
        "^provider/kit/",
        "^provider/devices/(vcenter|guest-ssh)/",
        sharedDeviceFiles,
        npm("zod", "ssh2"),
      ],
      vsphereSdk,
    ),
    only("lab-vsphere-sdk", vsphereSdk, [vsphereSdk, npm("@pulumi/pulumi")]),
    never(
      "lab-internals",
      "the lab is reached through its client, its start, its site, the probe of levels and of processes",
      { path: "^(cli|tools)/" },
      { path: "^lab/", pathNot: "^lab/(client|start|site|levels|processes|guests/probe)\\.ts$" },
    ),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|plugin|lab/plugins/bin)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { conditionNames: ["require", "node", "types", "default"] },
  },
};
