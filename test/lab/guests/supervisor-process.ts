import readline from "node:readline";
import { z } from "zod";
import type { Level } from "../../../lab/levels";
import { createGuestSupervisor, type SupervisorOptions } from "../../../lab/guests/supervisor";

// Runs as PID 1 of the test's namespaces, as the lab's daemon does, and serves a supervisor over its standard streams:
// one JSON request a line, one JSON answer a line. It ends with its input.

const Request = z.object({
  id: z.number(),
  call: z.enum(["powerOn", "powerOff", "remove", "status", "close"]),
  vm: z.string(),
  body: z.unknown(),
});

function main(): void {
  const options = JSON.parse(process.env["SUPERVISOR_OPTIONS"] ?? "{}") as Omit<
    SupervisorOptions,
    "log"
  > & { level: Level };
  const log = (line: string) => process.stderr.write(`${line}\n`);
  const supervisor = createGuestSupervisor({ ...options, log }, options.level);
  const answer = (value: unknown): void => {
    process.stdout.write(`${JSON.stringify(value)}\n`);
  };
  const serve = async ({ call, vm, body }: z.infer<typeof Request>): Promise<unknown> => {
    switch (call) {
      case "powerOn":
        return supervisor.powerOn(vm, body as Parameters<typeof supervisor.powerOn>[1]);
      case "powerOff":
        return supervisor.powerOff(vm, body as { hard: boolean });
      case "remove":
        return supervisor.remove(vm);
      case "status":
        return supervisor.status();
      case "close":
        return supervisor.close();
    }
  };
  const lines = readline.createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const request = Request.parse(JSON.parse(line));
    serve(request).then(
      (result) => {
        answer({ id: request.id, result: result ?? null });
      },
      (error: unknown) => {
        answer({ id: request.id, error: error instanceof Error ? error.message : String(error) });
      },
    );
  });
  lines.on("close", () => {
    process.exit(0);
  });
  answer({ id: 0, result: null });
}

main();
