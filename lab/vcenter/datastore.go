package vcenter

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

// datastore is what the lab knows of one. Guarded by VCenter.storage.
type datastore struct {
	object *simulator.Datastore
	ref    types.ManagedObjectReference
	name   string
	// vmfs is the major version of the file system.
	vmfs int32
	// uuid of the VMFS volume.
	uuid string
	// device is the canonical name of the LUN; empty for the datastore of the site, which needs no SAN.
	device   string
	volumeID string
	// contentDir takes the content of data disks, dir what the simulator writes of its own (descriptors, logs).
	contentDir, dir string
	capacity        int64
	mounts          map[types.ManagedObjectReference]*mount
}

type mount struct{ mounted bool }

// reachable is true while a host can do I/O on the datastore.
func (d *datastore) reachable(h *hostStorage) bool { return d.device == "" || h.sees(d.device) != nil }

// usable is true where a host could place a machine.
func (d *datastore) usable(h *hostStorage) bool {
	m := d.mounts[h.ref]
	return m != nil && m.mounted && d.reachable(h)
}

func (d *datastore) volume() *types.HostVmfsVolume {
	disk := d.device
	if disk == "" {
		disk = "mpx.vmhba0:C0:T0:L0"
	}
	return &types.HostVmfsVolume{
		HostFileSystemVolume: types.HostFileSystemVolume{
			Type: string(types.HostFileSystemVolumeFileSystemTypeVMFS), Name: d.name, Capacity: d.capacity,
		},
		BlockSizeMb: 1, BlockSize: 1024, UnmapGranularity: 1024, UnmapPriority: "low",
		MaxBlocks: 61 << 20, MajorVersion: d.vmfs, Version: vmfsVersions[d.vmfs], Uuid: d.uuid,
		Extent: []types.HostScsiDiskPartition{{DiskName: disk, Partition: 1}},
		Ssd:    types.NewBool(true), Local: types.NewBool(d.device == ""),
	}
}

// vmfsVersions of file systems as hosts name them.
var vmfsVersions = map[int32]string{olderVmfs: "5.81", newestVmfs: "6.82"}

// newVmfsUUID makes one of the form 5f1e2d3c-9a8b7c6d-1234-0123456789ab.
func newVmfsUUID() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails: crypto/rand aborts the process instead
	return fmt.Sprintf("%x-%x-%x-%x", b[0:4], b[4:8], b[8:10], b[10:16])
}

// addDatastore puts a datastore without any mount into the inventory. The simulator's own way would put it into the first
// folder below the datastore folder, whatever that is.
func (v *VCenter) addDatastore(d *datastore) error {
	d.dir = filepath.Join(v.opt.Dir, "datastores", d.uuid)
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	if d.contentDir == "" {
		d.contentDir = d.dir
	}
	d.mounts = map[types.ManagedObjectReference]*mount{}
	center := v.datacenter()
	folder := v.registry.Get(center.DatastoreFolder).(*simulator.Folder)
	object := &simulator.Datastore{}
	v.registry.NewEntity(object)
	object.Name, d.object, d.ref = d.name, object, object.Self
	// The simulator finds files through the URL, so it stays a local folder.
	object.Info = &types.VmfsDatastoreInfo{
		DatastoreInfo: types.DatastoreInfo{Name: d.name, Url: d.dir, FreeSpace: d.capacity, MaxFileSize: 64 << 40, MaxMemoryFileSize: 64 << 40,
			MaxVirtualDiskCapacity: 62 << 40},
		MaxPhysicalRDMFileSize: 64 << 40, MaxVirtualRDMFileSize: 62 << 40, Vmfs: d.volume(),
	}
	object.Summary = types.DatastoreSummary{
		Datastore: &object.Self, Name: d.name, Url: d.dir, Accessible: true, Capacity: d.capacity, FreeSpace: d.capacity,
		MultipleHostAccess: types.NewBool(false), Type: "VMFS",
		MaintenanceMode: string(types.DatastoreSummaryMaintenanceModeStateNormal),
	}
	object.Capability = types.DatastoreCapability{
		DirectoryHierarchySupported: true, RawDiskMappingsSupported: true, PerFileThinProvisioningSupported: true,
		SeSparseSupported: types.NewBool(true), TopLevelDirectoryCreateSupported: types.NewBool(true),
	}
	browser := &simulator.HostDatastoreBrowser{}
	browser.Datastore = []types.ManagedObjectReference{d.ref}
	object.Browser = v.registry.Put(browser).Reference()
	ctx := v.context()
	v.registry.WithLock(ctx, folder, func() {
		folder.ChildEntity = append(folder.ChildEntity, d.ref)
		v.registry.PutEntity(folder, object)
	})
	v.registry.AddReference(ctx, center, &center.Datastore, d.ref)
	v.datastores[d.ref] = d
	return nil
}

// attach mounts a datastore on a host, in the inventory too.
func (v *VCenter) attach(d *datastore, h *hostStorage) {
	if m := d.mounts[h.ref]; m != nil {
		m.mounted = true
		return
	}
	d.mounts[h.ref] = &mount{mounted: true}
	ctx := v.context()
	v.registry.AddReference(ctx, h.host, &h.host.Datastore, d.ref)
	system := v.registry.Get(*h.host.ConfigManager.DatastoreSystem).(*simulator.HostDatastoreSystem)
	v.registry.AddReference(ctx, system, &system.Datastore, d.ref)
	if cluster, ok := v.registry.Get(*h.host.Parent).(*simulator.ClusterComputeResource); ok {
		v.registry.AddReference(ctx, cluster, &cluster.Datastore, d.ref)
	}
}

// forget takes a mount of a host out of the inventory.
func (v *VCenter) forget(d *datastore, h *hostStorage) {
	delete(d.mounts, h.ref)
	ctx := v.context()
	v.registry.RemoveReference(ctx, h.host, &h.host.Datastore, d.ref)
	system := v.registry.Get(*h.host.ConfigManager.DatastoreSystem).(*simulator.HostDatastoreSystem)
	v.registry.RemoveReference(ctx, system, &system.Datastore, d.ref)
	cluster, ok := v.registry.Get(*h.host.Parent).(*simulator.ClusterComputeResource)
	if !ok {
		return
	}
	for ref := range d.mounts {
		if other := v.hosts[ref]; other != nil && other.cluster == h.cluster {
			return
		}
	}
	v.registry.RemoveReference(ctx, cluster, &cluster.Datastore, d.ref)
}

// drop takes a datastore out of the inventory; what lies on the volume stays.
func (v *VCenter) drop(d *datastore) {
	for _, h := range v.sortedHosts() {
		if d.mounts[h.ref] != nil {
			v.forget(d, h)
		}
	}
	ctx := v.context()
	center := v.datacenter()
	v.registry.RemoveReference(ctx, center, &center.Datastore, d.ref)
	if parent, ok := v.registry.Get(*d.object.Parent).(interface {
		mo.Reference
		Entity() *mo.ManagedEntity
	}); ok {
		v.unlist(parent, d.ref)
	}
	v.registry.Remove(ctx, d.object.Browser)
	v.registry.Remove(ctx, d.ref)
	delete(v.datastores, d.ref)
	if err := os.RemoveAll(d.dir); err != nil {
		v.log.Printf("vcenter: datastore %s: %v", d.name, err)
	}
}

// unlist removes a child from its folder or datastore cluster.
func (v *VCenter) unlist(parent mo.Reference, child types.ManagedObjectReference) {
	switch folder := parent.(type) {
	case *simulator.Folder:
		v.registry.RemoveReference(v.context(), folder, &folder.ChildEntity, child)
	case *simulator.StoragePod:
		v.registry.RemoveReference(v.context(), folder, &folder.ChildEntity, child)
	}
}

// machinesOn lists the machines that use a datastore, on one host or (zero reference) anywhere.
func (v *VCenter) machinesOn(d *datastore, host types.ManagedObjectReference) []types.ManagedObjectReference {
	var all, found []types.ManagedObjectReference
	v.registry.WithLock(v.context(), d.object, func() { all = append(all, d.object.Vm...) })
	for _, ref := range all {
		vm, ok := v.registry.Get(ref).(*simulator.VirtualMachine)
		if !ok {
			continue
		}
		on := host.Value == ""
		v.registry.WithLock(v.context(), vm, func() { on = on || vm.Runtime.Host != nil && *vm.Runtime.Host == host })
		if on {
			found = append(found, ref)
		}
	}
	return found
}

// mountedOn is the datastore that a host has mounted from a device.
func (v *VCenter) mountedOn(h *hostStorage, device string) *datastore {
	for _, d := range v.datastores {
		if d.device == device && d.mounts[h.ref] != nil && d.mounts[h.ref].mounted {
			return d
		}
	}
	return nil
}

// onDevice is the datastore on a device, wherever it is mounted.
func (v *VCenter) onDevice(device string) *datastore {
	for _, d := range v.datastores {
		if d.device == device {
			return d
		}
	}
	return nil
}

func (v *VCenter) byVmfs(uuid string) *datastore {
	for _, d := range v.datastores {
		if d.uuid == uuid {
			return d
		}
	}
	return nil
}

// mountKnown mounts, on a host, the datastores whose volumes it sees, except those it was told to unmount.
func (v *VCenter) mountKnown(h *hostStorage) {
	for _, d := range v.datastores {
		if d.device == "" || h.unmounted[d.uuid] {
			continue
		}
		l := h.sees(d.device)
		if l != nil && l.device.Vmfs != nil && l.device.Vmfs.UUID == d.uuid {
			v.attach(d, h)
		}
	}
}

// dropUnmounted removes datastores that no host has mounted any more and whose LUN no host sees.
func (v *VCenter) dropUnmounted() {
	for _, d := range v.datastores {
		if d.device == "" || len(v.machinesOn(d, types.ManagedObjectReference{})) > 0 {
			continue
		}
		held := false
		for _, h := range v.hosts {
			m := d.mounts[h.ref]
			held = held || m != nil && m.mounted || h.luns[d.device] != nil
		}
		if !held {
			v.drop(d)
		}
	}
}

func (v *VCenter) datacenter() *simulator.Datacenter {
	return v.registry.Any("Datacenter").(*simulator.Datacenter)
}
