package vcenter

import (
	"strings"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// RenameTask renames a datastore in all the places that clients read the name from, the paths of the machines on it
// included.
func (c *datastoreCalls) RenameTask(ctx *simulator.Context, req *types.Rename_Task) soap.HasFault {
	ref := c.v.background(ctx, c.Self, "rename", func(*simulator.Context) (types.AnyType, types.BaseMethodFault) {
		c.v.storage.Lock()
		defer c.v.storage.Unlock()
		d := c.v.datastores[c.Self]
		if d == nil {
			return nil, &types.ManagedObjectNotFound{Obj: c.Self}
		}
		if req.NewName == "" {
			return nil, &types.InvalidName{Name: req.NewName}
		}
		if other := c.v.named(req.NewName); other != nil && other != d {
			return nil, &types.DuplicateName{Name: req.NewName, Object: other.ref}
		}
		c.v.rename(d, req.NewName)
		return nil, nil
	})
	return &methods.Rename_TaskBody{Res: &types.Rename_TaskResponse{Returnval: ref}}
}

// rename gives a datastore another name. The caller holds VCenter.storage for writing.
func (v *VCenter) rename(d *datastore, name string) {
	moved := renamed{from: "[" + d.name + "]", to: "[" + name + "]"}
	old := d.name
	d.name = name
	v.registry.AtomicUpdate(v.context(), d.object, []types.PropertyChange{
		{Name: "name", Val: name}, {Name: "summary.name", Val: name},
	})
	for _, ref := range v.machinesOn(d, types.ManagedObjectReference{}) {
		if vm := v.vm(ref); vm != nil {
			v.renamePaths(vm, moved, old, name)
		}
	}
	v.machines.set(func() {
		for backing, f := range v.machines.flats {
			if f.datastore == d.ref && moved.path(backing) != backing {
				delete(v.machines.flats, backing)
				v.machines.flats[moved.path(backing)] = f
			}
		}
	})
	for _, h := range v.sortedHosts() {
		if d.mounts[h.ref] != nil {
			v.publish(h)
		}
	}
	v.publishSpace(d)
}

// renamed is a change of the datastore that a path begins with.
type renamed struct{ from, to string }

func (r renamed) path(p string) string {
	if rest, ok := strings.CutPrefix(p, r.from); ok {
		return r.to + rest
	}
	return p
}

// renamePaths corrects all paths of a machine. Readers may hold what was published, so everything changed is new.
func (v *VCenter) renamePaths(vm *simulator.VirtualMachine, r renamed, from, to string) {
	ctx := v.context()
	v.registry.WithLock(ctx, vm, func() {
		files := vm.Config.Files
		for _, p := range []*string{
			&files.VmPathName, &files.SnapshotDirectory, &files.SuspendDirectory, &files.LogDirectory, &files.FtMetadataDirectory,
		} {
			*p = r.path(*p)
		}
		devices := make([]types.BaseVirtualDevice, len(vm.Config.Hardware.Device))
		for i, device := range vm.Config.Hardware.Device {
			devices[i] = r.device(device)
		}
		urls := append([]types.VirtualMachineConfigInfoDatastoreUrlPair{}, vm.Config.DatastoreUrl...)
		for i := range urls {
			if urls[i].Name == from {
				urls[i].Name = to
			}
		}
		changes := []types.PropertyChange{
			{Name: "config.files", Val: files},
			{Name: "config.hardware.device", Val: devices},
			{Name: "config.datastoreUrl", Val: urls},
			{Name: "summary.config.vmPathName", Val: files.VmPathName},
		}
		if vm.LayoutEx != nil {
			layout := *vm.LayoutEx
			layout.File = append([]types.VirtualMachineFileLayoutExFileInfo{}, layout.File...)
			for i := range layout.File {
				layout.File[i].Name = r.path(layout.File[i].Name)
			}
			changes = append(changes, types.PropertyChange{Name: "layoutEx", Val: &layout})
		}
		ctx.Update(vm, changes)
	})
}

// device is a disk or drive with its path corrected; every other device as it is.
func (r renamed) device(of types.BaseVirtualDevice) types.BaseVirtualDevice {
	switch d := of.(type) {
	case *types.VirtualDisk:
		if flat, ok := d.Backing.(*types.VirtualDiskFlatVer2BackingInfo); ok {
			disk, backing := *d, *flat
			backing.FileName = r.path(backing.FileName)
			disk.Backing = &backing
			return &disk
		}
	case *types.VirtualCdrom:
		if iso, ok := d.Backing.(*types.VirtualCdromIsoBackingInfo); ok {
			drive, backing := *d, *iso
			backing.FileName = r.path(backing.FileName)
			drive.Backing = &backing
			return &drive
		}
	}
	return of
}
