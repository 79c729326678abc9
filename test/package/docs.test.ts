import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { parse } from "yaml";
import { planBed } from "../../bed/plan";
import { parseSettings } from "../../bed/settings";
import { parseSite } from "../../bed/site";
import { affA250 } from "../../stacks/beds/aff-a250";

const root = resolve(__dirname, "..", "..");
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
];

function read(document: string): string {
  return readFileSync(join(root, document), "utf8");
}

function blocks(document: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...read(document).matchAll(fence)].map(([, code = ""]) => code);
}

interface Manifest {
  readonly exports: Readonly<Record<string, { readonly types: string } | string | null>>;
}

/** What `sanbed/...` means to a user, in the sources. */
function entryPaths(): Record<string, string[]> {
  const { exports } = JSON.parse(read("package.json")) as Manifest;
  return Object.fromEntries(
    Object.entries(exports).flatMap(([name, entry]) =>
      entry === null || typeof entry === "string"
        ? []
        : [
            [
              name.replace(".", "sanbed"),
              [entry.types.replace("./dist", root).replace(".d.ts", ".ts")],
            ],
          ],
    ),
  );
}

/** Type errors of programs, each given as a module of its own beside the project's sources. */
function typeErrors(programs: ReadonlyMap<string, string>): string[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => {
        throw new Error(ts.flattenDiagnosticMessageText(diagnostic.messageText, "\n"));
      },
    },
  );
  const options: ts.CompilerOptions = {
    ...config?.options,
    noEmit: true,
    declaration: false,
    declarationMap: false,
    types: ["node"],
    paths: entryPaths(),
  };
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => programs.has(file) || disk.fileExists(file),
    readFile: (file) => programs.get(file) ?? disk.readFile(file),
    getSourceFile: (file, version, ...rest) => {
      const text = programs.get(file);
      return text === undefined
        ? disk.getSourceFile(file, version, ...rest)
        : ts.createSourceFile(file, text, version);
    },
  };
  const program = ts.createProgram([...programs.keys()], options, host);
  return [...programs.keys()]
    .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .map(
      (d) => `${d.file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`,
    );
}

test("the programs for users in the documents are correct, and a wrong one would be found", () => {
  const programs = new Map(
    documents.flatMap((document) =>
      blocks(document, "ts")
        .filter((code) => code.includes('from "sanbed/'))
        .map((code, index) => [
          join(root, `${document.replace(/\W/g, "-")}-${index.toString()}.ts`),
          `${code}\nexport {};\n`,
        ]),
    ),
  );
  expect(programs.size).toBeGreaterThanOrEqual(3);
  const wrong = join(root, "wrong.ts");
  programs.set(
    wrong,
    'import { parseBytes } from "sanbed/bed";\nexport const n: number = parseBytes("1 GiB");\n',
  );
  expect(typeErrors(programs)).toEqual([
    `${wrong}: Type 'bigint' is not assignable to type 'number'.`,
  ]);
}, 60_000);

test("the site and the scale of the page on real labs make a bed together", () => {
  const page = "docs/getting-started-real-lab.md";
  const [site = ""] = blocks(page, "json").filter((text) => text.includes('"hypervisor"'));
  const [scale = ""] = blocks(page, "yaml");
  const { "testbed:scale": wanted } = parse(scale) as Record<string, unknown>;
  const settings = parseSettings({
    bedId: "abcdefghij",
    stack: "munich",
    phase: "sysbench",
    runId: "1",
    scale: wanted,
  });
  const plan = planBed(affA250({ protocol: "fcp" }), parseSite(JSON.parse(site)), settings);
  expect(plan.guests.map(({ address }) => address)).toEqual(["192.0.2.11"]);
  expect(plan.zoning.map(({ expectedPaths }) => expectedPaths)).toEqual([4]);
});

test.each(documents)("%s links to files that are there", (document) => {
  const targets = [...read(document).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(
    ([, to = ""]) => to,
  );
  const broken = targets.filter(
    (to) => !/^https?:/.test(to) && !existsSync(join(root, dirname(document), to)),
  );
  expect(broken).toEqual([]);
});
