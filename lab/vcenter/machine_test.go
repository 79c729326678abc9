package vcenter

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

// spec of a machine with a boot disk and two data disks, one eager and one thick lazy zeroed.
func (b *bench) spec(name, datastore string, dataBytes int64) types.VirtualMachineConfigSpec {
	b.t.Helper()
	spec := types.VirtualMachineConfigSpec{
		Name: name, GuestId: string(types.VirtualMachineGuestOsIdentifierRhel9_64Guest), NumCPUs: 2, MemoryMB: 2048,
		Files: &types.VirtualMachineFileInfo{VmPathName: "[" + datastore + "]"},
	}
	var devices object.VirtualDeviceList
	scsi := must(devices.CreateSCSIController("lsilogic-sas"))
	devices = append(devices, scsi)
	for unit := range 3 {
		disk := devices.CreateDisk(scsi.(types.BaseVirtualController), types.ManagedObjectReference{}, "")
		disk.CapacityInBytes = dataBytes
		disk.CapacityInKB = dataBytes >> 10
		backing := disk.Backing.(*types.VirtualDiskFlatVer2BackingInfo)
		backing.Datastore = nil
		backing.ThinProvisioned, backing.EagerlyScrub = types.NewBool(unit == 0), types.NewBool(unit == 1)
		devices = append(devices, disk)
	}
	devices = append(devices, must(devices.CreateEthernetCard("vmxnet3", &types.VirtualEthernetCardNetworkBackingInfo{
		VirtualDeviceDeviceBackingInfo: types.VirtualDeviceDeviceBackingInfo{DeviceName: "VM Network"},
	})))
	spec.DeviceChange = must(devices.ConfigSpec(types.VirtualDeviceConfigSpecOperationAdd))
	return spec
}

func (b *bench) pool() *object.ResourcePool {
	cluster := must(b.find().ClusterComputeResource(b.ctx, "cluster-0"))
	return must(cluster.ResourcePool(b.ctx))
}

func (b *bench) vmFolder() *object.Folder {
	return must(must(b.find().DefaultDatacenter(b.ctx)).Folders(b.ctx)).VmFolder
}

func (b *bench) create(spec types.VirtualMachineConfigSpec, host *object.HostSystem) (*object.VirtualMachine, error) {
	task, err := b.vmFolder().CreateVM(b.ctx, spec, b.pool(), host)
	if err != nil {
		return nil, err
	}
	info, err := task.WaitForResult(b.ctx)
	if err != nil {
		return nil, err
	}
	return object.NewVirtualMachine(b.client.Client, info.Result.(types.ManagedObjectReference)), nil
}

func (b *bench) machineOf(vm *object.VirtualMachine) mo.VirtualMachine {
	b.t.Helper()
	var properties mo.VirtualMachine
	b.ok(vm.Properties(b.ctx, vm.Reference(), nil, &properties))
	return properties
}

func (b *bench) wait(task *object.Task, err error) error {
	if err != nil {
		return err
	}
	return task.WaitEx(b.ctx)
}

func TestEightMachinesAtOnceFromOneSession(t *testing.T) {
	b := startBench(t)
	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			vm, err := b.create(b.spec(fmt.Sprintf("vm%d", i), "site-local", gibibyte), nil)
			if err == nil {
				err = b.wait(vm.PowerOn(b.ctx))
			}
			if err == nil {
				err = b.wait(vm.PowerOff(b.ctx))
			}
			if err == nil {
				err = b.wait(vm.Destroy(b.ctx))
			}
			errs[i] = err
		}()
	}
	all.Wait()
	for _, err := range errs {
		b.ok(err)
	}
	for _, method := range []string{"CreateVM_Task", "PowerOnVM_Task", "PowerOffVM_Task", "Destroy_Task"} {
		if b.Overridden(method) != 8 {
			t.Errorf("the lab served %s %d times, want 8", method, b.Overridden(method))
		}
	}
}

// cloneSpec as the official provider sends it: clone, then customize, then power on.
func (b *bench) clone(name, datastore string, host *object.HostSystem) (*object.VirtualMachine, error) {
	template := must(b.find().VirtualMachine(b.ctx, "templates/sysbench-template"))
	pool, ref := b.pool().Reference(), must(b.find().Datastore(b.ctx, datastore)).Reference()
	spec := types.VirtualMachineCloneSpec{Location: types.VirtualMachineRelocateSpec{Pool: &pool, Datastore: &ref}}
	if host != nil {
		at := host.Reference()
		spec.Location.Host = &at
	}
	task, err := template.Clone(b.ctx, b.vmFolder(), name, spec)
	if err != nil {
		return nil, err
	}
	info, err := task.WaitForResult(b.ctx)
	if err != nil {
		return nil, err
	}
	return object.NewVirtualMachine(b.client.Client, info.Result.(types.ManagedObjectReference)), nil
}

// dataDisk adds a thick disk at unit 1.
func (b *bench) dataDisk(vm *object.VirtualMachine, at string, bytes int64) types.VirtualMachineConfigSpec {
	devices := must(vm.Device(b.ctx))
	controller := must(devices.FindDiskController(""))
	disk := devices.CreateDisk(controller, types.ManagedObjectReference{}, "")
	disk.CapacityInBytes, disk.CapacityInKB = bytes, bytes>>10
	backing := disk.Backing.(*types.VirtualDiskFlatVer2BackingInfo)
	backing.FileName, backing.ThinProvisioned, backing.Datastore = at, types.NewBool(false), nil
	return types.VirtualMachineConfigSpec{DeviceChange: []types.BaseVirtualDeviceConfigSpec{
		&types.VirtualDeviceConfigSpec{
			Operation: types.VirtualDeviceConfigSpecOperationAdd, Device: disk,
			FileOperation: types.VirtualDeviceConfigSpecFileOperationCreate,
		},
	}}
}

func TestADatastoreThatTheHostDoesNotMountIsRefused(t *testing.T) {
	b := startBench(t, func(o *Options) { o.NoAutoMount = true })
	device := b.newLun(11, 0)
	must(b.createDatastore(0, device, "only-on-0"))
	_, err := b.create(b.spec("vm", "only-on-0", gibibyte), b.host(3))
	expectFault[types.InvalidDatastore](t, err)
	_, err = b.create(b.spec("vm", "nowhere", gibibyte), nil)
	expectFault[types.InvalidDatastore](t, err)
	_, err = b.clone("clone", "only-on-0", b.host(3))
	expectFault[types.InvalidDatastore](t, err)
	vm := must(b.create(b.spec("vm", "site-local", gibibyte), b.host(3)))
	expectFault[types.InvalidDatastore](t, b.wait(vm.Reconfigure(b.ctx, b.dataDisk(vm, "[only-on-0]", gibibyte))))
	placed := must(b.create(b.spec("placed", "only-on-0", gibibyte), nil))
	if got := *b.machineOf(placed).Runtime.Host; got != b.host(0).Reference() {
		t.Errorf("placed on %s, not on the only host that has the datastore", got)
	}
	order := must(b.find().HostSystemList(b.ctx, "cluster-0/*"))
	for i, host := range order {
		if host.Name() != b.daemon.Hosts()[i] {
			t.Errorf("the cluster's host list is reordered: %v", order)
		}
	}
}

func TestSpaceOfThickDisks(t *testing.T) {
	b := startBench(t)
	device := b.newLun(12, 0)
	ds := must(b.createDatastore(0, device, "data"))
	vm := must(b.create(b.spec("vm", "data", 4*gibibyte), b.host(0)))
	if free := b.datastoreOf(ds).Summary.FreeSpace; free != 2*gibibyte {
		t.Errorf("free space %d, want what two of three 4 GiB disks leave of 10 GiB", free)
	}
	_, err := b.create(b.spec("second", "data", 4*gibibyte), b.host(0))
	expectFault[types.NoDiskSpace](t, err)
	system := must(b.host(0).ConfigManager().DatastoreSystem(b.ctx))
	expectFault[types.ResourceInUse](t, system.Remove(b.ctx, ds))
	expectFault[types.ResourceInUse](t, b.storageSystem(0).UnmountVmfsVolume(b.ctx, b.vmfsUUID(ds)))
	b.ok(b.wait(vm.Destroy(b.ctx)))
	if free := b.datastoreOf(ds).Summary.FreeSpace; free != 10*gibibyte {
		t.Errorf("free space %d after the machine is gone", free)
	}
	files, _ := filepath.Glob(filepath.Join(b.daemon.ContentDir(device), "*"))
	if len(files) != 0 {
		t.Errorf("left on the volume: %v", files)
	}
}

func TestADatastoreIsFreeOnceTheLastDiskOnItIsRemoved(t *testing.T) {
	b := startBench(t)
	device := b.newLun(13, 0)
	ds := must(b.createDatastore(0, device, "data"))
	vm := must(b.create(b.spec("vm", "site-local", gibibyte), b.host(0)))
	b.ok(b.wait(vm.Reconfigure(b.ctx, b.dataDisk(vm, "[data]", gibibyte))))
	system := must(b.host(0).ConfigManager().DatastoreSystem(b.ctx))
	expectFault[types.ResourceInUse](t, system.Remove(b.ctx, ds))
	for _, disk := range must(vm.Device(b.ctx)).SelectByType((*types.VirtualDisk)(nil)) {
		backing, _ := backingOf(disk.(*types.VirtualDisk))
		if !strings.HasPrefix(backing, "[data]") {
			continue
		}
		only := &types.VirtualDisk{VirtualDevice: types.VirtualDevice{Key: disk.GetVirtualDevice().Key}}
		b.ok(b.wait(vm.Reconfigure(b.ctx, types.VirtualMachineConfigSpec{DeviceChange: []types.BaseVirtualDeviceConfigSpec{
			&types.VirtualDeviceConfigSpec{
				Operation: types.VirtualDeviceConfigSpecOperationRemove, Device: only,
				FileOperation: types.VirtualDeviceConfigSpecFileOperationDestroy,
			},
		}})))
	}
	if files, _ := filepath.Glob(filepath.Join(b.daemon.ContentDir(device), "*")); len(files) != 0 {
		t.Errorf("left on the volume: %v", files)
	}
	b.ok(system.Remove(b.ctx, ds))
}

func TestAMachineMadeAgainIsAnother(t *testing.T) {
	b := startBench(t)
	first := must(b.create(b.spec("vm", "site-local", gibibyte), b.host(0)))
	uuid := first.UUID(b.ctx)
	_, err := b.create(b.spec("vm", "site-local", gibibyte), b.host(0))
	expectFault[types.DuplicateName](t, err)
	b.ok(b.wait(first.Destroy(b.ctx)))
	second := must(b.create(b.spec("vm", "site-local", gibibyte), b.host(0)))
	if second.UUID(b.ctx) == uuid {
		t.Error("the new machine has the old one's uuid")
	}
}
