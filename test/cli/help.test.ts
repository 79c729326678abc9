import { helpFor, refuseArguments, usage } from "../../cli/help";

const commands = [...usage.matchAll(/^ {2}sanbed (\S+)/gm)].map(([, name = ""]) => name);
/** Commands that answer --help themselves. */
const own = ["lab", "plan", "fabric"];

test("every command of the usage has help, or answers for itself", () => {
  expect(commands).toEqual(expect.arrayContaining(["lab", "id", "sweep", "doctor"]));
  for (const command of commands) {
    for (const flag of ["--help", "-h"]) {
      const text = helpFor(command, [flag]);
      if (own.includes(command)) expect(text).toBeUndefined();
      else expect(text).toMatch(new RegExp(`^sanbed ${command}`));
    }
  }
});

test("help is printed when it is asked for, and only then", () => {
  for (const word of [undefined, "help", "--help", "-h"]) expect(helpFor(word, [])).toBe(usage);
  expect(helpFor("sweep", ["--site", "x"])).toBeUndefined();
  expect(helpFor("nonsense", ["--help"])).toBeUndefined();
});

test("an argument to a command without any is refused", () => {
  refuseArguments("id", []);
  expect(() => {
    refuseArguments("id", ["--halp"]);
  }).toThrow("sanbed id takes no argument; it got --halp");
});
