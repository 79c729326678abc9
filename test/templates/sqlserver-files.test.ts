import { XMLParser, XMLValidator } from "fast-xml-parser";
import { escapeXmlText, quoteIni, quotePowerShell } from "../../bed/answer-words";
import { sqlServerReleases, sqlServerYear, sqlServerYears } from "../../bed/sqlserver-release";
import { driverBootstrap } from "../../templates/driver-bootstrap";
import {
  sqlServerBootstrap,
  sqlServerConfiguration,
  type SqlServerBootstrapArgs,
} from "../../templates/sqlserver-bootstrap";
import { windowsAnswerFile } from "../../templates/windows-answer-file";
import { spawnSync } from "node:child_process";

const args: SqlServerBootstrapArgs = {
  bedId: "abcdefghij",
  year: "2014",
  diskUuid: "6000c29a0000000000000000000000ab",
  diskBytes: 500_000_000_000n,
  maxMemoryBytes: 48_000_000_000n,
  vcpus: 16,
};

/** Of Microsoft's "Install SQL Server from the Command Prompt", by the release that each came with. */
const documented: Readonly<Record<string, readonly string[]>> = {
  "2014": [
    ...["ACTION", "QUIET", "IACCEPTSQLSERVERLICENSETERMS", "UPDATEENABLED", "FEATURES"],
    ...["INSTANCENAME", "INSTANCEID", "SQLSVCACCOUNT", "SQLSVCSTARTUPTYPE", "AGTSVCACCOUNT"],
    ...["AGTSVCSTARTUPTYPE", "BROWSERSVCSTARTUPTYPE", "SQLSYSADMINACCOUNTS", "SECURITYMODE"],
    ...["TCPENABLED", "NPENABLED", "SQLCOLLATION", "INSTALLSQLDATADIR", "SQLUSERDBDIR"],
    ...["SQLUSERDBLOGDIR", "SQLTEMPDBDIR", "SQLTEMPDBLOGDIR"],
  ],
  "2016": [
    ...["SQLSVCINSTANTFILEINIT", "SQLTEMPDBFILECOUNT", "SQLTEMPDBFILESIZE"],
    "SQLTEMPDBLOGFILESIZE",
  ],
  "2017": ["SUPPRESSPRIVACYSTATEMENTNOTICE"],
  "2019": ["USESQLRECOMMENDEDMEMORYLIMITS", "SQLMAXMEMORY"],
  "2022": ["PRODUCTCOVEREDBYSA"],
};

function settings(ini: string): Map<string, string> {
  const lines = ini.split("\n").filter((line) => line.includes("=") && !line.startsWith(";"));
  return new Map(
    lines.map((line) => {
      const cut = line.indexOf("=");
      return [line.slice(0, cut), line.slice(cut + 1)] as const;
    }),
  );
}

describe("the unattended setup of SQL Server", () => {
  it.each(sqlServerYears)(
    "%s: has every setting that the release documents, and no other",
    (year) => {
      const known = sqlServerYears
        .slice(0, sqlServerYears.indexOf(year) + 1)
        .flatMap((one) => documented[one] ?? []);
      const keys = [...settings(sqlServerConfiguration({ ...args, year })).keys()];
      expect(keys.sort()).toEqual([...known].sort());
    },
  );

  it("puts data, log and tempdb on the one disk of the review, and gives it its memory", () => {
    const found = settings(sqlServerConfiguration({ ...args, year: "2022" }));
    for (const key of ["SQLUSERDBDIR", "SQLUSERDBLOGDIR", "SQLTEMPDBDIR", "INSTALLSQLDATADIR"]) {
      expect(found.get(key)).toMatch(/^"E:\\sql/);
    }
    expect(found.get("SQLMAXMEMORY")).toBe('"45776"');
    expect(found.get("SQLTEMPDBFILECOUNT")).toBe('"8"');
  });

  it("formats with 64 KB units, sets the release's trace flags, and carries no secret", () => {
    const script = sqlServerBootstrap(args);
    expect(script).toContain("-AllocationUnitSize 65536");
    expect(script).toContain("$flags = @('1117', '1118', '3226')");
    expect(script).toContain("MSSQL12.MSSQLSERVER");
    expect(sqlServerBootstrap({ ...args, year: "2022" })).toContain("$flags = @('3226')");
    expect(sqlServerConfiguration(args)).not.toMatch(/SAPWD|^PID=/m);
  });

  it("follows the release that the bed names", () => {
    expect(sqlServerYear("Microsoft SQL Server 2019, CU 20")).toBe("2019");
    expect(sqlServerYear(undefined)).toBe("2014");
    for (const year of sqlServerYears) expect(sqlServerReleases[year].year).toBe(year);
  });
});

describe("values in what Windows reads", () => {
  it("stay one PowerShell word, whatever quote they hold", () => {
    expect(quotePowerShell("it's \u2019$(evil)`")).toBe("'it''s \u2019\u2019$(evil)`'");
    const script = sqlServerBootstrap({ ...args, bedId: "x'; Remove-Item C:\\ -Recurse; '" });
    expect(script).toContain("$bed = 'x''; Remove-Item C:\\ -Recurse; '''");
  });

  it("cannot end a line of the setup's settings", () => {
    expect(() => quoteIni('E:\\"\nACTION="Uninstall"')).toThrow(RangeError);
    expect(quoteIni("E:\\sql")).toBe('"E:\\sql"');
  });

  it("cannot leave their element", () => {
    expect(escapeXmlText(`<a b="c">&'`)).toBe("&lt;a b=&quot;c&quot;&gt;&amp;&apos;");
    expect(() => escapeXmlText("\u0007")).toThrow(RangeError);
  });
});

describe("the answer file of Windows", () => {
  /** Elements that Microsoft documents for the components in use (Unattended Windows Setup Reference). */
  const elements = new Set([
    ...[
      "unattend",
      "settings",
      "component",
      "ComputerName",
      "ProductKey",
      "RegisteredOrganization",
    ],
    ...["TimeZone", "InputLocale", "SystemLocale", "UILanguage", "UserLocale", "OOBE"],
    ...["HideEULAPage", "ProtectYourPC", "UserAccounts", "AdministratorPassword", "Value"],
    ...["PlainText", "AutoLogon", "Password", "Enabled", "LogonCount", "Username"],
    ...["FirstLogonCommands", "SynchronousCommand", "CommandLine", "Description", "Order"],
  ]);
  const answers = {
    administratorPassword: `p<&>"'word`,
    productKey: "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE",
    authorizedKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5 site@lab",
  };

  function names(node: unknown): string[] {
    if (Array.isArray(node)) return node.flatMap(names);
    if (typeof node !== "object" || node === null) return [];
    return Object.entries(node).flatMap(([name, value]) =>
      name.startsWith("@_") || name === "#text" || name.startsWith("?")
        ? []
        : [name, ...names(value)],
    );
  }

  it("is well-formed, of documented elements only, and gives secrets back as they are", () => {
    const text = windowsAnswerFile(answers);
    expect(XMLValidator.validate(text)).toBe(true);
    const parsed: unknown = new XMLParser({ ignoreAttributes: false }).parse(text);
    expect(names(parsed).filter((name) => !elements.has(name))).toEqual([]);
    expect(JSON.stringify(parsed)).toContain(JSON.stringify(answers.administratorPassword));
    expect(JSON.stringify(parsed)).toContain(answers.productKey);
  });

  it("keeps each command within the 1,024 characters of CommandLine, with a long key too", () => {
    const authorizedKey = `ssh-rsa ${"A".repeat(716)} site@lab`;
    const parsed = new XMLParser().parse(
      windowsAnswerFile({ ...answers, authorizedKey }),
    ) as object;
    const lines = JSON.stringify(parsed).match(/"CommandLine":"(?:[^"\\]|\\.)*"/g) ?? [];
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line.length).toBeLessThan(1024);
  });

  it("leaves the key out where the media bring their own, and refuses a key that is more than one", () => {
    expect(windowsAnswerFile({ ...answers, productKey: undefined })).not.toContain("ProductKey");
    const evil = `ssh-ed25519 AAAA' ; evil '`;
    expect(() => windowsAnswerFile({ ...answers, authorizedKey: evil })).toThrow(RangeError);
  });
});

test("the bootstrap of a load generator is a script, and names every server that does not answer", () => {
  const script = driverBootstrap({ bedId: "abcdefghij", servers: ["127.0.0.1"], port: 1 });
  const { status, stdout: said } = spawnSync("sh", ["-s"], { input: script, encoding: "utf8" });
  expect(status).toBe(65);
  expect(said).toMatch(/HammerDB has to be in the template/);
  expect(said).toMatch(/nothing answers at 127\.0\.0\.1:1/);
});
