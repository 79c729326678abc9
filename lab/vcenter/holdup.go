package vcenter

import (
	"strings"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// What a host or the vCenter itself keeps on a datastore or a device, and what that stands in the way of. The list is that
// of vSphere Storage, "Unmount Datastores", and of the API's UnmountVmfsVolume and DetachScsiLun. That RemoveDatastore
// meets the same obstacles as the unmount on each host is assumed: a file that is open on a host keeps its file system.

// ownFiles are advanced options of a host that name a folder which the host itself keeps open.
var ownFiles = []string{"ScratchConfig.CurrentScratchLocation", "Syslog.global.logDir"}

// heldBy names what keeps a datastore mounted on a host beside machines; empty for nothing.
func (v *VCenter) heldBy(d *datastore, h *hostStorage) string {
	pod, control := false, false
	v.registry.WithLock(v.context(), d.object, func() {
		pod = d.object.Parent != nil && d.object.Parent.Type == "StoragePod"
		control = d.object.IormConfiguration != nil && d.object.IormConfiguration.Enabled
	})
	switch {
	case pod:
		return "it is in a datastore cluster"
	case control:
		return "Storage I/O Control is enabled"
	case v.keepsFiles(d, h):
		return "host " + h.name + " keeps open files on it"
	}
	return ""
}

func (v *VCenter) keepsFiles(d *datastore, h *hostStorage) bool {
	options := v.registry.Get(*h.host.ConfigManager.AdvancedOption).(*simulator.OptionManager)
	found := false
	v.registry.WithLock(v.context(), options, func() {
		for _, option := range options.Setting {
			value := option.GetOptionValue()
			text, _ := value.Value.(string)
			for _, name := range ownFiles {
				found = found || value.Key == name && (strings.HasPrefix(text, "/vmfs/volumes/"+d.uuid+"/") ||
					strings.HasPrefix(text, "/vmfs/volumes/"+d.name+"/") || strings.HasPrefix(text, "["+d.name+"]"))
			}
		}
	})
	return found
}

// rawMapped is true when a machine on a host uses a device as a raw disk.
func (v *VCenter) rawMapped(h *hostStorage, l *lun) bool {
	for _, entity := range v.registry.All("VirtualMachine") {
		vm, ok := entity.(*simulator.VirtualMachine)
		if !ok {
			continue
		}
		g := v.glance(vm)
		if g.host != h.ref {
			continue
		}
		for _, device := range g.devices {
			if raw, ok := device.GetVirtualDevice().Backing.(*types.VirtualDiskRawDiskMappingVer1BackingInfo); ok &&
				(raw.LunUuid == l.uuid() || strings.HasSuffix(raw.DeviceName, "/"+l.name())) {
				return true
			}
		}
	}
	return false
}

// ioControlCalls serves the StorageResourceManager.
type ioControlCalls struct {
	*simulator.StorageResourceManager
	unlocked
	v *VCenter
}

// ConfigureDatastoreIORMTask turns Storage I/O Control of a datastore on or off.
func (c *ioControlCalls) ConfigureDatastoreIORMTask(
	ctx *simulator.Context, req *types.ConfigureDatastoreIORM_Task,
) soap.HasFault {
	ref := c.v.background(ctx, req.Datastore, "configureDatastoreIORM", func(*simulator.Context) (types.AnyType, types.BaseMethodFault) {
		c.v.storage.Lock()
		defer c.v.storage.Unlock()
		d := c.v.datastores[req.Datastore]
		if d == nil {
			return nil, &types.ManagedObjectNotFound{Obj: req.Datastore}
		}
		next := types.StorageIORMInfo{CongestionThresholdMode: "automatic", PercentOfPeakThroughput: 90, CongestionThreshold: 30}
		if d.object.IormConfiguration != nil {
			next = *d.object.IormConfiguration
		}
		if req.Spec.Enabled != nil {
			next.Enabled = *req.Spec.Enabled
		}
		c.v.registry.AtomicUpdate(c.v.context(), d.object, []types.PropertyChange{{Name: "iormConfiguration", Val: &next}})
		return nil, nil
	})
	return &methods.ConfigureDatastoreIORM_TaskBody{Res: &types.ConfigureDatastoreIORM_TaskResponse{Returnval: ref}}
}

// MoveIntoFolderTask also moves a datastore out of a datastore cluster, which the simulator does not.
func (f *folderCalls) MoveIntoFolderTask(ctx *simulator.Context, req *types.MoveIntoFolder_Task) soap.HasFault {
	ref := f.v.background(ctx, f.Self, "moveIntoFolder", func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		f.v.storage.Lock()
		defer f.v.storage.Unlock()
		rest := *req
		rest.List = nil
		for _, ref := range req.List {
			d := f.v.datastores[ref]
			if d == nil || d.object.Parent.Type != "StoragePod" || f.Self.Type != "Folder" {
				rest.List = append(rest.List, ref)
				continue
			}
			pod := f.v.registry.Get(*d.object.Parent).(*simulator.StoragePod)
			f.v.registry.RemoveReference(f.v.context(), pod, &pod.ChildEntity, ref)
			f.v.registry.AddReference(f.v.context(), f.Folder, &f.Folder.ChildEntity, ref)
			f.v.registry.AtomicUpdate(f.v.context(), d.object, []types.PropertyChange{{Name: "parent", Val: &f.Self}})
		}
		if len(rest.List) == 0 {
			return nil, nil
		}
		return f.v.await(f.Folder.MoveIntoFolderTask(own, &rest))
	})
	return &methods.MoveIntoFolder_TaskBody{Res: &types.MoveIntoFolder_TaskResponse{Returnval: ref}}
}
