package vcenter

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

// flatSuffix of the files that hold the content of data disks.
const flatSuffix = ".vmdk-flat"

// flat is a virtual disk on a datastore, whether a machine uses it now or not.
type flat struct {
	datastore types.ManagedObjectReference
	// file is the sparse file with the content; empty for boot disks, whose content is the guest's own.
	file  string
	label string
	unit  int
	size  int64
	thin  bool
}

// allocated is the space that a disk takes on its datastore: thick ones in full, thin ones as far as written.
func (f *flat) allocated() int64 {
	if !f.thin {
		return f.size
	}
	var stat syscall.Stat_t
	if f.file == "" || syscall.Stat(f.file, &stat) != nil {
		return 0
	}
	return stat.Blocks * blockSize
}

// allocated sums up over a datastore.
func (m *machines) allocated(datastore types.ManagedObjectReference) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var sum int64
	for _, f := range m.flats {
		if f.datastore == datastore {
			sum += f.allocated()
		}
	}
	return sum
}

// forgetDisksOn drops the records of disks on a datastore that is destroyed.
func (m *machines) forgetDisksOn(datastore types.ManagedObjectReference) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for backing, f := range m.flats {
		if f.datastore == datastore {
			delete(m.flats, backing)
		}
	}
}

// backingOf a disk: its path "[datastore] folder/name.vmdk", and whether it is thin.
func backingOf(disk *types.VirtualDisk) (string, bool) {
	backing, ok := disk.Backing.(types.BaseVirtualDeviceFileBackingInfo)
	if !ok {
		return "", false
	}
	thin := false
	if flat, ok := disk.Backing.(*types.VirtualDiskFlatVer2BackingInfo); ok {
		thin = flat.ThinProvisioned != nil && *flat.ThinProvisioned
	}
	return backing.GetVirtualDeviceFileBackingInfo().FileName, thin
}

// unitsPerController of a SCSI adapter; unit 7 is the adapter itself.
const unitsPerController = 16

// unitOf a disk on the first SCSI adapter is its unit there; those of further adapters follow. 0 is the boot disk.
func unitOf(devices object.VirtualDeviceList, disk *types.VirtualDisk) int {
	unit := 0
	if disk.UnitNumber != nil {
		unit = int(*disk.UnitNumber)
	}
	if controller, ok := devices.FindByKey(disk.ControllerKey).(types.BaseVirtualController); ok {
		unit += int(controller.GetVirtualController().BusNumber) * unitsPerController
	}
	return unit
}

// syncDisks makes the records and content files match a machine's disks. The caller holds VCenter.storage for writing.
func (v *VCenter) syncDisks(m *machine, g glance) error {
	v.machines.mu.Lock()
	defer v.machines.mu.Unlock()
	for _, device := range g.devices {
		disk, ok := device.(*types.VirtualDisk)
		if !ok {
			continue
		}
		backing, thin := backingOf(disk)
		var at object.DatastorePath
		if !at.FromString(backing) {
			continue
		}
		d := v.named(at.Datastore)
		if d == nil {
			return fmt.Errorf("disk %s lies on a datastore that is not known", backing)
		}
		f := v.machines.flats[backing]
		if f == nil {
			f = &flat{datastore: d.ref, thin: thin, unit: unitOf(g.devices, disk)}
			f.label = fmt.Sprintf("disk%d", f.unit)
			if f.unit > 0 {
				f.file = v.machines.freeFile(d, m.key+"-"+f.label)
			}
			if err := f.create(); err != nil {
				return err
			}
			v.machines.flats[backing] = f
		}
		f.unit = unitOf(g.devices, disk)
		if err := f.grow(disk.CapacityInBytes); err != nil {
			return err
		}
	}
	return nil
}

// freeFile is a file name on a datastore that no other disk has.
func (m *machines) freeFile(d *datastore, name string) string {
	for n := 1; ; n++ {
		file := filepath.Join(d.contentDir, name+flatSuffix)
		if n > 1 {
			file = filepath.Join(d.contentDir, fmt.Sprintf("%s-%d%s", name, n, flatSuffix))
		}
		taken := false
		for _, f := range m.flats {
			taken = taken || f.file == file
		}
		if !taken {
			return file
		}
	}
}

// create makes the content file. One that a former disk of the name has left is emptied: a new disk holds no old data.
func (f *flat) create() error {
	if f.file == "" {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(f.file), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(f.file, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return file.Close()
}

func (f *flat) grow(size int64) error {
	if size <= f.size {
		return nil
	}
	f.size = size
	if f.file == "" {
		return nil
	}
	return os.Truncate(f.file, size)
}

// dropDisks deletes the content of those disks whose descriptors are gone.
func (v *VCenter) dropDisks(devices []types.BaseVirtualDevice) {
	v.machines.mu.Lock()
	defer v.machines.mu.Unlock()
	for _, device := range devices {
		disk, ok := device.(*types.VirtualDisk)
		if !ok {
			continue
		}
		backing, _ := backingOf(disk)
		f := v.machines.flats[backing]
		var at object.DatastorePath
		if f == nil || !at.FromString(backing) {
			continue
		}
		if d := v.datastores[f.datastore]; d != nil {
			if _, err := os.Stat(path.Join(d.dir, at.Path)); err == nil {
				continue
			}
		}
		delete(v.machines.flats, backing)
		if f.file == "" {
			continue
		}
		if err := os.Remove(f.file); err != nil && !os.IsNotExist(err) {
			v.log.Printf("vcenter: disk %s: %v", backing, err)
		}
	}
}

// named finds a datastore by name.
func (v *VCenter) named(name string) *datastore {
	for _, d := range v.datastores {
		if d.name == name {
			return d
		}
	}
	return nil
}

// spaceOf publishes the free space of the datastores that a machine uses. The caller holds VCenter.storage.
func (v *VCenter) spaceOf(refs []types.ManagedObjectReference) {
	for _, ref := range refs {
		if d := v.datastores[ref]; d != nil {
			v.publishSpace(d)
		}
	}
}

func (v *VCenter) vm(ref types.ManagedObjectReference) *simulator.VirtualMachine {
	vm, _ := v.registry.Get(ref).(*simulator.VirtualMachine)
	return vm
}
