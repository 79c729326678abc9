package vcenter

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/property"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient/fakedaemon"
)

func fixedAddress(name, address string) types.CustomizationSpec {
	return types.CustomizationSpec{
		Identity: &types.CustomizationLinuxPrep{HostName: &types.CustomizationFixedName{Name: name}, Domain: "lab.invalid"},
		NicSettingMap: []types.CustomizationAdapterMapping{{Adapter: types.CustomizationIPSettings{
			Ip: &types.CustomizationFixedIp{IpAddress: address}, SubnetMask: "255.0.0.0", Gateway: []string{"127.0.0.1"},
		}}},
	}
}

// waitForRoutableAddress is the official provider's waiter: it takes the gateway from guest.ipStack and compares only
// when it sees guest.net, with the path set in that order.
func (b *bench) waitForRoutableAddress(vm *object.VirtualMachine) (string, error) {
	collector, err := property.DefaultCollector(b.client.Client).Create(b.ctx)
	if err != nil {
		return "", err
	}
	defer func() { _ = collector.Destroy(b.ctx) }()
	gateway, address := "", ""
	err = property.Wait(b.ctx, collector, vm.Reference(), []string{"guest.net", "guest.ipStack"},
		func(changes []types.PropertyChange) bool {
			for _, change := range changes {
				switch value := change.Val.(type) {
				case types.ArrayOfGuestStackInfo:
					for _, stack := range value.GuestStackInfo {
						for _, route := range stack.IpRouteConfig.IpRoute {
							gateway = route.Gateway.IpAddress
						}
					}
				case types.ArrayOfGuestNicInfo:
					for _, nic := range value.GuestNicInfo {
						if gateway != "" && nic.IpConfig != nil && nic.IpConfig.IpAddress[0].PrefixLength == 8 {
							address = nic.IpConfig.IpAddress[0].IpAddress
						}
					}
				}
			}
			return address != ""
		})
	return address, err
}

func TestCloneWithCustomizationStartsAGuestAndReportsItsAddress(t *testing.T) {
	b := startBench(t)
	device := b.newLun(10, 0, 1, 2, 3)
	must(b.createDatastore(0, device, "data"))
	var all sync.WaitGroup
	errs := make([]error, 4)
	for i := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			errs[i] = b.runClone(i, device)
		}()
	}
	all.Wait()
	for _, err := range errs {
		b.ok(err)
	}
	if b.blocks.count() != 0 {
		t.Error("block devices are left over")
	}
}

func (b *bench) runClone(i int, device string) error {
	name, address := fmt.Sprintf("guest%d", i), fmt.Sprintf("127.0.21.%d", 11+i)
	vm, err := b.clone(name, "site-local", b.host(i))
	if err != nil {
		return err
	}
	if err := b.wait(vm.Reconfigure(b.ctx, b.dataDisk(vm, "[data]", 2*gibibyte))); err != nil {
		return fmt.Errorf("adding a disk: %w", err)
	}
	if err := b.wait(vm.Customize(b.ctx, fixedAddress(name, address))); err != nil {
		return err
	}
	if err := b.wait(vm.PowerOn(b.ctx)); err != nil {
		return err
	}
	if got, err := b.waitForRoutableAddress(vm); err != nil || got != address {
		return fmt.Errorf("address %q, %w", got, err)
	}
	guest, _ := b.daemon.Guest(name)
	request := guest.Request
	if !guest.Running || request.Address != address || request.Hostname != name || request.Template != "sysbench" ||
		request.Host != b.daemon.Hosts()[i] || request.UUID != vm.UUID(b.ctx) {
		return fmt.Errorf("the daemon was asked for %+v", request)
	}
	if len(request.Disks) != 1 || request.Disks[0].Unit != 1 || request.Disks[0].SizeBytes != 2*gibibyte ||
		request.Disks[0].File != filepath.Join(b.blocks.dir, name+"-disk1") {
		return fmt.Errorf("disks %+v", request.Disks)
	}
	content := filepath.Join(b.daemon.ContentDir(device), name+"-disk1.vmdk-flat")
	if info, err := os.Stat(content); err != nil || info.Size() != 2*gibibyte {
		return fmt.Errorf("content file: %v %w", info, err)
	}
	properties := b.machineOf(vm)
	if properties.Guest.ToolsRunningStatus != "guestToolsRunning" || properties.Config.SwapPlacement != "inherit" ||
		properties.Config.Firmware != "efi" || properties.Guest.HostName != name {
		return fmt.Errorf("tools %s, swap placement %s", properties.Guest.ToolsRunningStatus, properties.Config.SwapPlacement)
	}
	if err := vm.ShutdownGuest(b.ctx); err != nil {
		return err
	}
	if err := vm.WaitForPowerState(b.ctx, types.VirtualMachinePowerStatePoweredOff); err != nil {
		return err
	}
	if guest, _ := b.daemon.Guest(name); guest.Running || fmt.Sprint(guest.Offs) != "[false]" {
		return fmt.Errorf("after an orderly shutdown: %+v", guest)
	}
	if err := b.wait(vm.Destroy(b.ctx)); err != nil {
		return err
	}
	if _, there := b.daemon.Guest(name); there {
		return fmt.Errorf("the daemon still has files of %s", name)
	}
	if _, err := os.Stat(content); !os.IsNotExist(err) {
		return fmt.Errorf("the content of the disk is left over: %v", err)
	}
	return nil
}

func TestAGuestThatDoesNotStartFailsThePowerOn(t *testing.T) {
	b := startBench(t)
	vm := must(b.clone("guest", "site-local", b.host(0)))
	b.ok(b.wait(vm.Customize(b.ctx, fixedAddress("guest", "127.0.21.50"))))
	b.daemon.RefuseGuests("no room for another guest")
	err := b.wait(vm.PowerOn(b.ctx))
	expectFault[types.GenericVmConfigFault](t, err)
	if fault := faultIn(err).(*types.GenericVmConfigFault); !strings.Contains(fault.Reason, "no room for another guest") {
		t.Errorf("reason: %s", fault.Reason)
	}
	if state := b.machineOf(vm).Runtime.PowerState; state != types.VirtualMachinePowerStatePoweredOff {
		t.Errorf("the machine is %s", state)
	}
	b.daemon.RefuseGuests("")
	b.ok(b.wait(vm.PowerOn(b.ctx)))
	if address := b.machineOf(vm).Guest.IpAddress; address != "127.0.21.50" {
		t.Errorf("address %q", address)
	}
	b.ok(b.wait(vm.Reset(b.ctx)))
	b.ok(b.wait(vm.PowerOff(b.ctx)))
	if guest, _ := b.daemon.Guest("guest"); fmt.Sprint(guest.Offs) != "[true true]" {
		t.Errorf("power-offs %v, want two hard ones", guest.Offs)
	}
	expectFault[types.InvalidPowerState](t, b.wait(vm.PowerOff(b.ctx)))
}

func TestALabWithoutGuestsEmulatesThem(t *testing.T) {
	b := startBench(t, func(o *Options) { o.Blocks = nil })
	b.daemon.SetLevel("D")
	vm := must(b.clone("guest", "site-local", b.host(0)))
	b.ok(b.wait(vm.Customize(b.ctx, fixedAddress("guest", "127.0.21.40"))))
	b.ok(b.wait(vm.PowerOn(b.ctx)))
	if address, err := b.waitForRoutableAddress(vm); err != nil || address != "127.0.21.40" {
		t.Errorf("address %q, %v", address, err)
	}
	b.ok(b.wait(vm.PowerOff(b.ctx)))
	if guest := b.machineOf(vm).Guest; guest.IpAddress != "" || guest.ToolsRunningStatus != "guestToolsNotRunning" {
		t.Errorf("a machine that is off reports %q, %s", guest.IpAddress, guest.ToolsRunningStatus)
	}
	b.ok(b.wait(vm.Destroy(b.ctx)))
}

func TestAddressesOfMachinesThatBringNone(t *testing.T) {
	b := startBench(t)
	clone := must(b.clone("plain", "site-local", b.host(0)))
	b.ok(b.wait(clone.PowerOn(b.ctx)))
	if address := b.machineOf(clone).Guest.IpAddress; address != fakedaemon.OwnAddress {
		t.Errorf("address %q, not the one that the daemon chose", address)
	}
	b.ok(b.wait(clone.PowerOff(b.ctx)))
	empty := must(b.create(b.spec("empty", "site-local", gibibyte), b.host(0)))
	b.ok(b.wait(empty.PowerOn(b.ctx)))
	if address := b.machineOf(empty).Guest.IpAddress; !strings.HasPrefix(address, "192.0.2.") {
		t.Errorf("address %q of a machine without a system is not of the documentation network", address)
	}
	if _, started := b.daemon.Guest("empty"); started {
		t.Error("a guest was started for a machine without a system")
	}
}
