/** Measures of the whole picture, in pixels. */
export const canvas = { width: 1400, margin: 24, gutter: 8 } as const;

/** X of the line that leads from the hosts down to a fabric: outside of all boxes. */
export function trunkX(fabric: "A" | "B"): number {
  return fabric === "A" ? canvas.margin / 2 : canvas.width - canvas.margin / 2;
}

/** Box of a fabric: its half of the width. */
export function fabricBox(fabric: "A" | "B"): { readonly x: number; readonly width: number } {
  const width = (canvas.width - 2 * canvas.margin - 40) / 2;
  return { x: fabric === "A" ? canvas.margin : canvas.width - canvas.margin - width, width };
}
