/** File with what a small program is told, in its working directory. */
export const programInput = "input.json";
