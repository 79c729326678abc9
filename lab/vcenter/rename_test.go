package vcenter

import (
	"strings"
	"testing"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/vim25/types"
)

// A vCenter renames a datastore with machines on it; their paths follow, and the machines stay usable.
func TestADatastoreIsRenamedUnderItsMachines(t *testing.T) {
	b := startBench(t)
	before := len(b.machines.flats)
	ds := must(b.createDatastore(0, b.newLun(40, 0, 1), "before"))
	vm := must(b.clone("rider", "before", b.host(1)))
	b.ok(b.wait(vm.Reconfigure(b.ctx, b.dataDisk(vm, "[before]", gibibyte))))
	b.ok(b.wait(ds.Rename(b.ctx, "after")))
	properties := b.machineOf(vm)
	paths := []string{properties.Config.Files.VmPathName, properties.Summary.Config.VmPathName}
	disks := object.VirtualDeviceList(properties.Config.Hardware.Device).SelectByType((*types.VirtualDisk)(nil))
	for _, device := range disks {
		backing, _ := backingOf(device.(*types.VirtualDisk))
		paths = append(paths, backing)
	}
	for _, file := range properties.LayoutEx.File {
		paths = append(paths, file.Name)
	}
	for _, p := range paths {
		if !strings.HasPrefix(p, "[after]") {
			t.Errorf("path %q still names the old datastore", p)
		}
	}
	if info := b.datastoreOf(ds).Info.GetDatastoreInfo(); info.Name != "after" {
		t.Errorf("the datastore's own record says %q", info.Name)
	}
	// What follows needs the files to be found again.
	data := disks[1].(*types.VirtualDisk)
	data.CapacityInBytes, data.CapacityInKB = 2*gibibyte, 2*gibibyte>>10
	b.ok(b.wait(vm.Reconfigure(b.ctx, types.VirtualMachineConfigSpec{DeviceChange: []types.BaseVirtualDeviceConfigSpec{
		&types.VirtualDeviceConfigSpec{Operation: types.VirtualDeviceConfigSpecOperationEdit, Device: data},
	}})))
	b.ok(b.wait(vm.PowerOn(b.ctx)))
	b.ok(b.wait(vm.PowerOff(b.ctx)))
	b.ok(b.wait(vm.Destroy(b.ctx)))
	b.ok(must(b.host(0).ConfigManager().DatastoreSystem(b.ctx)).Remove(b.ctx, ds))
	if left := len(b.machines.flats); left != before {
		t.Errorf("%d records of disks are left, want %d", left, before)
	}
}

// An address server gives the same machine the same address again.
func TestAMachineKeepsItsAddressOverPowerCycles(t *testing.T) {
	b := startBench(t, func(o *Options) { o.Guests = nil })
	vm := must(b.create(b.spec("vm", "site-local", gibibyte), nil))
	var seen []string
	for range 3 {
		b.ok(b.wait(vm.PowerOn(b.ctx)))
		seen = append(seen, b.machineOf(vm).Guest.IpAddress)
		b.ok(b.wait(vm.PowerOff(b.ctx)))
	}
	if seen[0] == "" || seen[1] != seen[0] || seen[2] != seen[0] {
		t.Errorf("addresses %v, want one", seen)
	}
}
