import { faultError, readFault } from "../../../../provider/devices/vcenter/faults";
import { parseXml } from "../../../../provider/devices/xml";

const attempt = { operation: "detach on host esx01 the device", object: "naa.1" };

function faultOf(detail: string, text = "It failed.") {
  return faultError("vcenter", attempt, readFault(text, parseXml(detail)));
}

describe("faults of the vSphere API", () => {
  it.each([
    ["NoPermissionFault", "unauthorized"],
    ["ResourceInUseFault", "refused"],
    ["ManagedObjectNotFoundFault", "notFound"],
    ["DuplicateNameFault", "alreadyExists"],
    ["TaskInProgressFault", "busy"],
    ["HostNotConnectedFault", "unreachable"],
    ["MethodNotFoundFault", "unsupported"],
  ])("%s is %s", (element, kind) => {
    expect(faultOf(`<${element}/>`)).toMatchObject({ kind });
  });

  it("takes the class from xsi:type where the element is only the base class", () => {
    const error = faultOf(
      '<HostConfigFaultFault xmlns:xsi="i" xsi:type="PlatformConfigFault"><text>APD</text></HostConfigFaultFault>',
    );
    expect(error.vendorCode).toBe("PlatformConfigFault");
  });

  it("names device, operation, object, text, class and what the fault holds", () => {
    const error = faultOf(
      "<NoPermissionFault><privilegeId>Host.Config.Storage</privilegeId></NoPermissionFault>",
      "Permission to perform this operation was denied.",
    );
    expect(error.message).toBe(
      "vcenter: cannot detach on host esx01 the device naa.1: Permission to perform this operation was denied; " +
        "privilegeId Host.Config.Storage [NoPermission]. Give the account the privilege that the fault names.",
    );
  });

  it("shows a fault that nobody foresaw, by name and text", () => {
    const error = faultOf("<QuantumEntanglementFault/>", "The cat is both.");
    expect(error).toMatchObject({ kind: "protocol", vendorCode: "QuantumEntanglement" });
    expect(error.message).toContain("The cat is both");
  });
});
