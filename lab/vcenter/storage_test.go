package vcenter

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

const gibibyte = 1 << 30

// newLun makes a volume, maps it to hosts and rescans them.
func (b *bench) newLun(number int, hosts ...int) string {
	b.t.Helper()
	name := b.daemon.AddVolume(number, 10*gibibyte)
	for _, i := range hosts {
		b.daemon.Map(name, true, b.daemon.Hosts()[i])
	}
	for _, i := range hosts {
		b.ok(b.storageSystem(i).RescanAllHba(b.ctx))
	}
	return name
}

// createDatastore as the official provider does: query the free disks, take the option for the device, set the name.
func (b *bench) createDatastore(i int, device, name string) (*object.Datastore, error) {
	system, err := b.host(i).ConfigManager().DatastoreSystem(b.ctx)
	if err != nil {
		return nil, err
	}
	disks, err := system.QueryAvailableDisksForVmfs(b.ctx)
	if err != nil {
		return nil, err
	}
	for _, disk := range disks {
		if disk.CanonicalName != device {
			continue
		}
		options, err := system.QueryVmfsDatastoreCreateOptions(b.ctx, disk.DevicePath)
		if err != nil {
			return nil, err
		}
		spec := *options[0].Spec.(*types.VmfsDatastoreCreateSpec)
		spec.Vmfs.VolumeName = name
		return system.CreateVmfsDatastore(b.ctx, spec)
	}
	return nil, fmt.Errorf("device %s is not among the %d free disks", device, len(disks))
}

func (b *bench) vmfsUUID(ds *object.Datastore) string {
	b.t.Helper()
	return b.datastoreOf(ds).Info.(*types.VmfsDatastoreInfo).Vmfs.Uuid
}

func (b *bench) datastoreOf(ds *object.Datastore) mo.Datastore {
	b.t.Helper()
	var properties mo.Datastore
	b.ok(b.client.RetrieveOne(b.ctx, ds.Reference(), nil, &properties))
	return properties
}

func TestHostsHaveTheirOwnAdapters(t *testing.T) {
	b := startBench(t)
	for i := range 8 {
		var found []string
		for _, adapter := range b.storageOf(i).StorageDeviceInfo.HostBusAdapter {
			if fc, ok := adapter.(*types.HostFibreChannelHba); ok && fc.StorageProtocol == "scsi" {
				found = append(found, fc.Device+"="+worldclient.FormatWwn(fc.PortWorldWideName))
			}
		}
		want := fmt.Sprintf("[vmhba2=21000024ff00%02x00 vmhba3=21000024ff00%02x01]", i, i)
		if fmt.Sprint(found) != want {
			t.Errorf("host %d: %v, want %s", i, found, want)
		}
	}
}

func TestALunAppearsWithARescanAndItsPathsDieAtOnce(t *testing.T) {
	b := startBench(t)
	name := b.daemon.AddVolume(10, 10*gibibyte)
	b.daemon.Map(name, true, b.daemon.Hosts()[0])
	b.ok(b.storageSystem(0).Refresh(b.ctx))
	if b.disk(0, name) != nil {
		t.Fatal("the LUN is there without a rescan")
	}
	b.ok(b.storageSystem(0).RescanAllHba(b.ctx))
	if states := b.pathStates(0, name); states["active"] != 4 {
		t.Fatalf("paths %v, want 4 active", states)
	}
	if b.disk(1, name) != nil {
		t.Error("another host sees the LUN")
	}
	b.daemon.SetPath(b.daemon.Hosts()[0], "vmhba3", false)
	b.eventually("two dead paths", func() bool { return b.pathStates(0, name)["dead"] == 2 })
	b.daemon.SetPath(b.daemon.Hosts()[0], "vmhba3", true)
	b.eventually("four active paths", func() bool { return b.pathStates(0, name)["active"] == 4 })
	b.daemon.Map(name, false, b.daemon.Hosts()[0])
	b.eventually("lost communication", func() bool { return b.disk(0, name).OperationalState[0] == "lostCommunication" })
	if !b.blocks.isLost("vol-10", b.daemon.Hosts()[0]) {
		t.Error("I/O on the lost volume would still pass")
	}
	b.ok(b.storageSystem(0).RescanAllHba(b.ctx))
	if b.disk(0, name) != nil {
		t.Error("the idle LUN is still there after a rescan")
	}
}

func TestFourDatastoresFromFourHostsInParallel(t *testing.T) {
	b := startBench(t)
	var devices []string
	for n := range 4 {
		devices = append(devices, b.newLun(20+n, 0, 1, 2, 3))
	}
	made := make([]*object.Datastore, 4)
	errs := make([]error, 4)
	var all sync.WaitGroup
	for n := range 4 {
		all.Add(1)
		go func() {
			defer all.Done()
			made[n], errs[n] = b.createDatastore(n, devices[n], fmt.Sprintf("ds%d", n))
		}()
	}
	all.Wait()
	for n, ds := range made {
		b.ok(errs[n])
		properties := b.datastoreOf(ds)
		if len(properties.Host) != 4 || properties.Summary.Capacity != 10*gibibyte || !*properties.Summary.MultipleHostAccess {
			t.Errorf("datastore %d: %d mounts, capacity %d", n, len(properties.Host), properties.Summary.Capacity)
		}
		if extent := properties.Info.(*types.VmfsDatastoreInfo).Vmfs.Extent[0].DiskName; extent != devices[n] {
			t.Errorf("datastore %d lies on %s, want %s", n, extent, devices[n])
		}
		if b.daemon.Vmfs(devices[n]) == nil {
			t.Errorf("volume %d carries no signature", n)
		}
	}
	for n, ds := range made {
		system := must(b.host(3 - n).ConfigManager().DatastoreSystem(b.ctx))
		b.ok(system.Remove(b.ctx, ds))
		if b.daemon.Vmfs(devices[n]) != nil {
			t.Errorf("volume %d still carries a signature", n)
		}
	}
	if again, err := b.createDatastore(0, devices[0], "ds0"); err != nil || again.Reference() == made[0].Reference() {
		t.Fatalf("same name again: %v", err)
	}
	for _, method := range []string{"CreateVmfsDatastore", "RemoveDatastore", "QueryAvailableDisksForVmfs"} {
		if b.Overridden(method) == 0 {
			t.Errorf("%s was not served by the lab", method)
		}
	}
}

func TestTakingALunAwayInTheRightOrderLeavesNothing(t *testing.T) {
	b := startBench(t)
	before := b.Inventory()
	device := b.newLun(30, 0, 1)
	ds := must(b.createDatastore(0, device, "ds"))
	uuid := b.vmfsUUID(ds)
	disk := b.disk(0, device)
	expectFault[types.ResourceInUse](t, b.detachLun(0, disk.Uuid))
	for i := range 2 {
		b.ok(b.storageSystem(i).UnmountVmfsVolume(b.ctx, uuid))
		b.ok(b.detachLun(i, b.disk(i, device).Uuid))
		expectFault[types.InvalidState](t, b.detachLun(i, b.disk(i, device).Uuid))
		if state := b.disk(i, device).OperationalState[0]; state != "off" {
			t.Errorf("detached device is %s", state)
		}
	}
	b.daemon.Map(device, false, b.daemon.Hosts()[:2]...)
	for i := range 2 {
		b.ok(b.storageSystem(i).RescanAllHba(b.ctx))
		b.ok(b.storageSystem(i).RescanVmfs(b.ctx))
		if b.disk(i, device) != nil {
			t.Errorf("host %d still knows the device", i)
		}
		b.ok(b.deleteState(i, device))
		expectFault[types.NotFound](t, b.deleteState(i, device))
		_, err := methods.DeleteVmfsVolumeState(b.ctx, b.client.Client, &types.DeleteVmfsVolumeState{
			This: b.storageSystem(i).Reference(), VmfsUuid: uuid,
		})
		b.ok(err)
	}
	if after := b.Inventory(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("left over:\n%v\nbefore:\n%v", after, before)
	}
}

func (b *bench) detachLun(i int, uuid string) error {
	_, err := methods.DetachScsiLun(b.ctx, b.client.Client, &types.DetachScsiLun{This: b.storageSystem(i).Reference(), LunUuid: uuid})
	return err
}

func (b *bench) deleteState(i int, name string) error {
	_, err := methods.DeleteScsiLunState(b.ctx, b.client.Client, &types.DeleteScsiLunState{
		This: b.storageSystem(i).Reference(), LunCanonicalName: name,
	})
	return err
}

func TestUnmappingUnderAMountedDatastoreShowsLostCommunication(t *testing.T) {
	b := startBench(t)
	device := b.newLun(31, 0, 1)
	ds := must(b.createDatastore(0, device, "ds"))
	b.daemon.Map(device, false, b.daemon.Hosts()[:2]...)
	for i := range 2 {
		b.ok(b.storageSystem(i).RescanAllHba(b.ctx))
		if disk := b.disk(i, device); disk == nil || disk.OperationalState[0] != "lostCommunication" {
			t.Fatalf("host %d: %+v", i, disk)
		}
		if states := b.pathStates(i, device); states["dead"] != 4 {
			t.Errorf("host %d: paths %v", i, states)
		}
	}
	if b.datastoreOf(ds).Summary.Accessible {
		t.Error("the datastore passes for accessible")
	}
	system := must(b.host(0).ConfigManager().DatastoreSystem(b.ctx))
	expectFault[types.HostConfigFault](t, system.Remove(b.ctx, ds))
	b.daemon.Map(device, true, b.daemon.Hosts()[:2]...)
	b.eventually("accessible again", func() bool { return b.datastoreOf(ds).Summary.Accessible })
	b.ok(system.Remove(b.ctx, ds))
}

func TestALeftOverSignatureIsUnresolved(t *testing.T) {
	b := startBench(t)
	device := b.daemon.AddVolume(32, 10*gibibyte)
	b.daemon.SetVmfs(device, &worldclient.Vmfs{UUID: "5f1e2d3c-9a8b7c6d-1234-0123456789ab", Label: "old"})
	b.daemon.Map(device, true, b.daemon.Hosts()[0])
	b.ok(b.storageSystem(0).RescanAllHba(b.ctx))
	b.ok(b.storageSystem(0).RescanVmfs(b.ctx))
	found, err := b.storageSystem(0).QueryUnresolvedVmfsVolumes(b.ctx)
	b.ok(err)
	if len(found) != 1 || found[0].VmfsLabel != "old" || found[0].Extent[0].Device.DiskName != device {
		t.Fatalf("unresolved: %+v", found)
	}
	must(b.createDatastore(0, device, "fresh"))
	found, err = b.storageSystem(0).QueryUnresolvedVmfsVolumes(b.ctx)
	b.ok(err)
	if len(found) != 0 {
		t.Errorf("still unresolved after formatting: %+v", found)
	}
}

func TestMultipathPolicy(t *testing.T) {
	b := startBench(t)
	device := b.newLun(33, 0)
	policy := func() string {
		for _, unit := range b.storageOf(0).StorageDeviceInfo.MultipathInfo.Lun {
			if unit.Lun == b.disk(0, device).Key {
				return unit.Policy.GetHostMultipathInfoLogicalUnitPolicy().Policy
			}
		}
		return ""
	}
	if policy() != "VMW_PSP_RR" {
		t.Fatalf("default policy %s", policy())
	}
	set := func(id, name string) error {
		_, err := methods.SetMultipathLunPolicy(context.Background(), b.client.Client, &types.SetMultipathLunPolicy{
			This: b.storageSystem(0).Reference(), LunId: id,
			Policy: &types.HostMultipathInfoLogicalUnitPolicy{Policy: name},
		})
		return err
	}
	uuid := b.disk(0, device).Uuid
	b.ok(set("key-vim.host.MultipathInfo.LogicalUnit-"+uuid, "VMW_PSP_MRU"))
	if policy() != "VMW_PSP_MRU" {
		t.Errorf("policy %s after setting MRU", policy())
	}
	b.ok(set(uuid, "VMW_PSP_RR"))
	expectFault[types.InvalidArgument](t, set(uuid, "VMW_PSP_NONE"))
	expectFault[types.NotFound](t, set("nobody", "VMW_PSP_RR"))
}
