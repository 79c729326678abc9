/** A small, pure SVG writer: shapes in, text out. No script, no font, no reference to anything outside. */

export interface Rect {
  readonly kind: "rect";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly style: string;
  /** Shown when the pointer rests on it. */
  readonly title?: string;
}

interface Line {
  readonly kind: "line";
  readonly from: Point;
  readonly to: Point;
  readonly style: string;
}

interface Dot {
  readonly kind: "dot";
  readonly at: Point;
  readonly radius: number;
  readonly style: string;
  readonly title?: string;
}

interface Text {
  readonly kind: "text";
  readonly at: Point;
  readonly text: string;
  readonly style: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export type Shape = Rect | Line | Dot | Text;

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly description: string;
  readonly shapes: readonly Shape[];
}

/** Average width of a character of the sans-serif fonts at hand, in parts of its size. */
const characterWidth = 0.58;

/** The text, cut so that it fits into a width in pixels. */
export function fitting(text: string, width: number, fontSize: number): string {
  const room = Math.floor(width / (fontSize * characterWidth));
  if (text.length <= room) return text;
  return room < 2 ? "" : `${text.slice(0, room - 1)}…`;
}

/** The picture as a file of its own. `styles` are CSS classes. */
export function svgText(picture: Picture, styles: Readonly<Record<string, string>>): string {
  const { width, height, title, description, shapes } = picture;
  const css = Object.entries(styles).map(([name, rules]) => `.${name}{${rules}}`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${figure(width)} ${figure(height)}" width="${figure(width)}" height="${figure(height)}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="desc">${escaped(description)}</desc>`,
    `<style>${css.join("")}</style>`,
    ...shapes.map(shapeText),
    "</svg>",
    "",
  ].join("\n");
}

function shapeText(shape: Shape): string {
  switch (shape.kind) {
    case "rect": {
      const { x, y, width, height, style, title } = shape;
      const place = `x="${figure(x)}" y="${figure(y)}" width="${figure(width)}" height="${figure(height)}"`;
      return titled(`<rect class="${style}" ${place}`, "rect", title);
    }
    case "dot": {
      const { at, radius, style, title } = shape;
      const place = `cx="${figure(at.x)}" cy="${figure(at.y)}" r="${figure(radius)}"`;
      return titled(`<circle class="${style}" ${place}`, "circle", title);
    }
    case "line": {
      const { from, to, style } = shape;
      return `<path class="${style}" d="M${figure(from.x)} ${figure(from.y)}L${figure(to.x)} ${figure(to.y)}"/>`;
    }
    case "text":
      return `<text class="${shape.style}" x="${figure(shape.at.x)}" y="${figure(shape.at.y)}">${escaped(shape.text)}</text>`;
  }
}

function titled(open: string, element: string, title: string | undefined): string {
  return title === undefined
    ? `${open}/>`
    : `${open}><title>${escaped(title)}</title></${element}>`;
}

function figure(value: number): string {
  return (Math.round(value * 10) / 10).toString();
}

function escaped(text: string): string {
  return (
    text
      .replace(/&/g, "&amp;")
      .replace(/</g, "&lt;")
      .replace(/>/g, "&gt;")
      .replace(/"/g, "&quot;")
      // XML 1.0 cannot carry these at all.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "?")
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "?")
  );
}
