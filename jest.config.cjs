/**
 * One configuration, four projects: `--selectProjects unit` (under a minute), `lab` (its real
 * processes and guests, which need root, and its Go packages), `conformance`, `e2e`.
 */
const shared = {
  rootDir: __dirname,
  cacheDirectory: `${__dirname}/.sanbed/cache/jest`,
  testEnvironment: "node",
  moduleFileExtensions: ["ts", "mjs", "cjs", "js", "json"],
  setupFiles: [],
  transform: {
    "^.+\\.[cm]?[tj]s$": [
      "@swc/jest",
      {
        jsc: { target: "es2023", parser: { syntax: "typescript" } },
        module: { type: "commonjs" },
        sourceMaps: "inline",
      },
    ],
  },
  // Only these are ESM without a CommonJS build.
  transformIgnorePatterns: ["/node_modules/(?!(hyparquet|hyparquet-writer|hysnappy)/)"],
  modulePathIgnorePatterns: ["<rootDir>/dist/", "<rootDir>/plugin/", "<rootDir>/.sanbed/"],
};
const lab = ["guests/guests", "guests/plain-levels", "daemon-level-a", "go", "san-process"].map(
  (name) => `<rootDir>/test/lab/${name}.test.ts`,
);

module.exports = {
  rootDir: __dirname,
  // End-to-end tests wait for devices and guests more than for the processor.
  maxWorkers: "100%",
  // A limit for what hangs, not a measure: on a busy machine a test of a process takes ten times as long.
  testTimeout: 30_000,
  reporters: ["default", "<rootDir>/tools/jest-closing-line.cjs"],
  projects: [
    {
      ...shared,
      displayName: "unit",
      testMatch: ["<rootDir>/test/**/*.test.ts"],
      testPathIgnorePatterns: ["/node_modules/", "/test/conformance/", "/test/e2e/", ...lab],
    },
    { ...shared, displayName: "lab", testMatch: lab },
    {
      ...shared,
      displayName: "conformance",
      testMatch: ["<rootDir>/test/conformance/**/*.test.ts"],
    },
    { ...shared, displayName: "e2e", testMatch: ["<rootDir>/test/e2e/**/*.test.ts"] },
  ],
};
