/** A doc comment, wrapped to the width of the page, at the given indentation. Empty text gives none. */
export function docComment(text: string | undefined, indent = ""): string {
  if (text === undefined || text.trim() === "") return "";
  const width = 100 - indent.length - 3;
  const lines = text
    .trim()
    .replaceAll("*/", "*\\/")
    .split("\n")
    .flatMap((line) => wrap(line.trim(), width));
  const [first = ""] = lines;
  if (lines.length === 1 && first.length <= width - 4) return `${indent}/** ${first} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}

function wrap(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  lines.push(current);
  return lines;
}
