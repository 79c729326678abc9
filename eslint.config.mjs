import tseslint from "typescript-eslint";

export default tseslint.config(
  {
    ignores: [
      // Made by a build, a run or npm.
      "dist/",
      "plugin/",
      "coverage/",
      ".sanbed/",
      "node_modules/",
      "lab/plugins/bin/",
      // Made by tools/generate-sdk.ts; checked by the compiler and by tests.
      "provider/sdk/",
      // Declarations that follow the official SDK's names; plain JavaScript behind them.
      "lab/plugins/vsphere-sdk/",
      // Configuration and the bootstrap, which runs before there are any types.
      "**/*.cjs",
      "**/*.mjs",
    ],
  },
  ...tseslint.configs.strictTypeChecked,
  ...tseslint.configs.stylisticTypeChecked,
  {
    linterOptions: { reportUnusedDisableDirectives: "error" },
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "max-lines-per-function": ["error", { max: 60, skipBlankLines: true, skipComments: true }],
      complexity: ["error", 15],
      "no-console": "error",
      "no-restricted-exports": ["error", { restrictDefaultExports: { direct: true } }],
      "@typescript-eslint/consistent-type-imports": ["error", { fixStyle: "inline-type-imports" }],
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      // Numbers print as one expects; outputs and objects do not.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
      // A leading underscore says that a position must be named and is not used.
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    },
  },
  {
    files: ["test/**/*.ts"],
    rules: {
      // `describe` holds a whole suite.
      "max-lines-per-function": "off",
      // What is missing fails the test at that very line, which is what a test is for.
      "@typescript-eslint/no-non-null-assertion": "off",
    },
  },
);
