import { isWaitedFor } from "../../../lab/plugins/vsphere/vm-wait";

const waitedFor = (address: string, ignored: readonly string[] = []): boolean =>
  isWaitedFor({ address, prefixLength: 24 }, ignored);

describe("addresses that the stand-in waits for", () => {
  it("takes addresses of a network", () => {
    expect(waitedFor("10.20.30.40")).toBe(true);
    expect(waitedFor("192.0.2.10", ["192.0.2.11", "198.51.100.0/24"])).toBe(true);
  });

  it.each(["127.0.21.11", "169.254.7.8", "224.0.0.5", "239.255.0.1", "fe80::1", ""])(
    "passes over %p, as the official plugin does",
    (address) => {
      expect(waitedFor(address)).toBe(false);
    },
  );

  it("passes over what the program ignores, one by one or as a network", () => {
    expect(waitedFor("10.20.30.40", ["10.20.30.40"])).toBe(false);
    expect(waitedFor("10.20.30.40", ["10.20.0.0/16"])).toBe(false);
    expect(waitedFor("10.20.30.40", ["0.0.0.0/0"])).toBe(false);
  });
});
