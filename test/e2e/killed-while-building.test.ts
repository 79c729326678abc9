import { E2eBed } from "../support/e2e-bed";
import { killPlugin } from "../support/process-tree";

jest.setTimeout(120_000);

/** A request that has just been answered when the blow falls; the resource it serves is in flight. */
const moments = {
  "the tenant is made": ["array", "POST", /\/svm\/svms/],
  "volumes are made": ["array", "POST", /\/storage\/luns/],
  "zones are staged": ["fabricB", "POST", /defined-configuration/],
  "volumes are mapped": ["array", "POST", /\/lun-maps/],
  "a datastore is made": ["vcenter", "CreateVmfsDatastore", /./],
  "machines are cloned": ["vcenter", "CloneVM_Task", /./],
} as const;

type When = keyof typeof moments;

describe("a bed whose building was cut off", () => {
  let bed: E2eBed;

  beforeAll(async () => {
    bed = await E2eBed.start("killed", "D");
  });

  afterAll(() => bed.dispose());

  beforeEach(async () => {
    await bed.isClear();
    // A killed plugin leaves its sessions on the switches until they time out; three are the limit.
    for (const fabric of ["fabricA", "fabricB"]) await bed.tamper(fabric, "end-sessions");
  });

  /** Runs up on slow devices, and strikes at a moment. */
  const strike = async (when: When, blow: (pulumi: number) => void) => {
    const [device, method, path] = moments[when];
    const slow = await bed.lab.addFault({ device: "*", match: {}, effect: { latencyMs: 60 } });
    const since = Math.max(0, ...(await bed.lab.requests(device)).map(({ seq }) => seq));
    const result = await bed.upStruck(
      {},
      async () =>
        (await bed.lab.requests(device, since)).some(
          (request) => request.method === method && path.test(request.path),
        ),
      blow,
    );
    await bed.lab.removeFault(slow);
    expect(result.code).not.toBe(0);
    return result.output;
  };

  it.each<When>(["the tenant is made", "volumes are made", "machines are cloned"])(
    "leaves nothing after destroy: engine killed when %s",
    async (when) => {
      await strike(when, (pulumi) => process.kill(pulumi, "SIGKILL"));
      await bed.destroyToNothing();
    },
  );

  it.each<When>(["zones are staged", "volumes are mapped"])(
    "leaves nothing after destroy: plugin killed when %s",
    async (when) => {
      await strike(when, killPlugin);
      await bed.destroyToNothing();
    },
  );

  it("is finished by the next up: plugin killed when volumes are made", async () => {
    await strike("volumes are made", killPlugin);
    await bed.up();
    await bed.destroyToNothing();
  });

  it("leaves nothing after destroy: Ctrl-C when a datastore is made", async () => {
    const output = await strike("a datastore is made", (pulumi) => process.kill(pulumi, "SIGINT"));
    expect(output).toMatch(/cancel/i);
    await bed.destroyToNothing();
  });
});
