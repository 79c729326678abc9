import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";

/** How a value becomes part of the text. HTML templates escape for HTML; others need a function. */
export type Escape = "html" | ((value: string) => string);

type Template = (data: unknown) => string;
const compiled = new Map<string, Template>();

/**
 * Renders `<name>.hbs` of the templates folder, for instance `guests/bootstrap-sysbench.sh`.
 * A value that the template names and `data` lacks is an error. With an escape function every string
 * and number in `data` is passed through it, so that nothing gets into the text unescaped.
 */
export function renderTemplate(name: string, data: object, escape: Escape): string {
  const html = escape === "html";
  const template = templateOf(name, html);
  return template(html ? data : escapeAll(data, escape));
}

function templateOf(name: string, html: boolean): Template {
  const key = `${name} ${html.toString()}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const source = readFileSync(join(templatesFolder(), `${name}.hbs`), "utf8");
  const engine = Handlebars.create();
  const template = engine.compile<unknown>(source, { strict: true, noEscape: !html });
  compiled.set(key, template);
  return template;
}

function escapeAll(value: unknown, escape: (text: string) => string): unknown {
  if (typeof value === "string") return escape(value);
  if (typeof value === "number" || typeof value === "bigint") return escape(value.toString());
  if (Array.isArray(value)) return value.map((item) => escapeAll(item, escape));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, escapeAll(v, escape)]));
  }
  return value;
}

/**
 * Beside this file when it runs from the sources, in `plugin/templates` beside the bundled plugin,
 * and at the package's root when it runs from `dist/templates`.
 */
function templatesFolder(): string {
  const candidates = [
    __dirname,
    join(__dirname, "templates"),
    join(__dirname, "..", "templates"),
    join(__dirname, "..", "..", "templates"),
  ];
  const found = candidates.find((folder) => existsSync(join(folder, "guests", "job.sh.hbs")));
  if (found === undefined) throw new Error(`no templates folder near ${__dirname}`);
  return found;
}
