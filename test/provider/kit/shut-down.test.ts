import { shutDown } from "../../../provider/kit/shut-down";

test("a server that never says it has shut down is ended by force, and is not waited for", async () => {
  let forced = 0;
  const server = { tryShutdown: () => undefined, forceShutdown: () => (forced += 1) };
  await shutDown(server, 20);
  expect(forced).toBe(1);
});

test("a server that shuts down by itself is not forced", async () => {
  let forced = 0;
  const server = {
    tryShutdown: (done: (error?: Error) => void) => void setTimeout(done, 5),
    forceShutdown: () => (forced += 1),
  };
  await shutDown(server, 30);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(forced).toBe(0);
});
