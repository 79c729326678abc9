/** The import table of docs/architecture.md. Everything not allowed here is an error. */
const npm = (names) => `^node_modules/(${names})`;
const rule = (name, from, allowed, fromNot) => ({
  name,
  severity: "error",
  comment: `${from} may import only what docs/architecture.md lists`,
  from: fromNot ? { path: from, pathNot: fromNot } : { path: from },
  to: { pathNot: allowed, dependencyTypesNot: ["core"] },
});

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    rule("bed", "^bed/", ["^bed/", npm("zod/")]),
    {
      name: "bed-no-node",
      severity: "error",
      from: { path: "^bed/" },
      to: { dependencyTypes: ["core"] },
    },
    rule("kit", "^provider/kit/", [
      "^provider/kit/",
      "^bed/errors",
      npm("zod/|@pulumi/pulumi/proto/|@grpc/grpc-js/|google-protobuf/|@types/google-protobuf/"),
    ]),
    rule("devices", "^provider/devices/", [
      "^provider/devices/",
      "^bed/",
      npm("zod/|ssh2/|@types/ssh2/|fast-xml-parser/|undici/"),
    ]),
    rule("resources", "^provider/resources/", [
      "^provider/(resources|kit|devices)/",
      "^bed/",
      "^runner/",
      npm("zod/"),
    ]),
    rule("sdk", "^provider/sdk/", ["^provider/sdk/", npm("@pulumi/pulumi/")]),
    rule("components", "^components/", [
      "^components/",
      "^bed/",
      "^provider/sdk/",
      "^templates/",
      "^lab/plugins/vsphere-sdk/",
      npm("@pulumi/|zod/"),
    ]),
    rule("stacks", "^stacks/", [
      "^stacks/",
      "^bed/",
      "^components/",
      "^provider/sdk/",
      "^lab/plugins/vsphere-sdk/",
      npm("@pulumi/|zod/"),
    ]),
    rule(
      "runner",
      "^runner/",
      [
        "^runner/",
        "^bed/",
        "^provider/devices/",
        "^templates/",
        npm("zod/|hyparquet-writer/|handlebars/|yaml/"),
      ],
      "^runner/report/",
    ),
    rule("report", "^runner/report/", [
      "^runner/(results|report)/",
      "^bed/",
      "^templates/",
      npm("zod/|handlebars/"),
    ]),
    rule("templates", "^templates/", ["^templates/", "^bed/shell-words", npm("handlebars/")]),
    rule(
      "lab",
      "^lab/",
      ["^lab/(?!plugins/)", "^bed/", npm("zod/|fast-xml-parser/|undici/|yaml/")],
      "^lab/plugins/",
    ),
    rule("lab-plugins", "^lab/plugins/", [
      "^lab/plugins/",
      "^bed/",
      "^provider/kit/",
      "^provider/devices/",
      npm("zod/|ssh2/|@types/ssh2/|@pulumi/pulumi/|undici/|fast-xml-parser/"),
    ]),
    {
      name: "lab-internals",
      severity: "error",
      comment:
        "cli and tools reach the lab through its client, its levels and its daemon entry only",
      from: { path: "^(cli|tools)/" },
      to: {
        path: "^lab/",
        pathNot: ["^lab/(client|levels|site|start)", "^lab/guests/(probe|level)"],
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|plugin)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { conditionNames: ["require", "node", "types", "default"] },
  },
};
