package vcenter

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// RemoveDatastore destroys a VMFS datastore: everywhere, whichever host is asked.
func (s *datastoreSystemCalls) RemoveDatastore(_ *simulator.Context, req *types.RemoveDatastore) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.RemoveDatastoreBody{}
	d := s.v.datastores[req.Datastore]
	if d == nil {
		body.Fault_ = simulator.Fault("", &types.ManagedObjectNotFound{Obj: req.Datastore})
		return body
	}
	h := s.host()
	if d.mounts[h.ref] == nil {
		body.Fault_ = simulator.Fault("", &types.NotFound{})
		return body
	}
	if fault := s.v.removeVmfs(d, h); fault != nil {
		body.Fault_ = fault
		return body
	}
	body.Res = &types.RemoveDatastoreResponse{}
	return body
}

// removeVmfs destroys the file system through one host.
func (v *VCenter) removeVmfs(d *datastore, h *hostStorage) *soap.Fault {
	if len(v.machinesOn(d, types.ManagedObjectReference{})) > 0 {
		return simulator.Fault("The resource '"+d.name+"' is in use.", inUse("Datastore", d.name))
	}
	for _, other := range v.sortedHosts() {
		if m := d.mounts[other.ref]; m == nil || !m.mounted {
			continue
		}
		if reason := v.heldBy(d, other); reason != "" {
			return simulator.Fault("The resource '"+d.name+"' is in use.", inUse("Datastore", d.name))
		}
	}
	if !d.usable(h) {
		return hostFault(fmt.Sprintf("datastore %s cannot be reached from host %s", d.name, h.name))
	}
	if d.device != "" {
		ctx, cancel := context.WithTimeout(context.Background(), worldTimeout)
		defer cancel()
		if err := v.opt.World.ClearVmfs(ctx, d.volumeID); err != nil {
			return hostFault(err.Error())
		}
		v.sign(d.device, nil)
	}
	v.machines.forgetDisksOn(d.ref)
	files, _ := filepath.Glob(filepath.Join(d.contentDir, "*"+flatSuffix))
	for _, file := range files {
		if err := os.Remove(file); err != nil {
			v.log.Printf("vcenter: datastore %s: %v", d.name, err)
		}
	}
	var mounted []*hostStorage
	for _, other := range v.sortedHosts() {
		delete(other.unmounted, d.uuid)
		if d.mounts[other.ref] != nil {
			mounted = append(mounted, other)
		}
	}
	v.drop(d)
	for _, other := range mounted {
		v.publish(other)
	}
	return nil
}

func inUse(kind, name string) *types.ResourceInUse {
	return &types.ResourceInUse{Type: kind, Name: name}
}

// datastoreCalls serves the calls of a Datastore.
type datastoreCalls struct {
	*simulator.Datastore
	unlocked
	v *VCenter
}

// DestroyTask does what RemoveDatastore does, through any host that has the datastore.
func (c *datastoreCalls) DestroyTask(ctx *simulator.Context, _ *types.Destroy_Task) soap.HasFault {
	ref := c.v.background(ctx, c.Self, "destroy", func(*simulator.Context) (types.AnyType, types.BaseMethodFault) {
		c.v.storage.Lock()
		defer c.v.storage.Unlock()
		d := c.v.datastores[c.Self]
		if d == nil {
			return nil, &types.ManagedObjectNotFound{Obj: c.Self}
		}
		var through *hostStorage
		for _, h := range c.v.sortedHosts() {
			if through == nil || d.usable(h) && !d.usable(through) {
				through = h
			}
		}
		if fault := c.v.removeVmfs(d, through); fault != nil {
			return nil, fault.VimFault().(types.BaseMethodFault)
		}
		return nil, nil
	})
	return &methods.Destroy_TaskBody{Res: &types.Destroy_TaskResponse{Returnval: ref}}
}

// RefreshDatastore reads capacity and free space anew.
func (c *datastoreCalls) RefreshDatastore(_ *simulator.Context, _ *types.RefreshDatastore) soap.HasFault {
	c.v.refreshSpace(c.Self)
	return &methods.RefreshDatastoreBody{Res: &types.RefreshDatastoreResponse{}}
}

// RefreshDatastoreStorageInfo does the same here.
func (c *datastoreCalls) RefreshDatastoreStorageInfo(
	_ *simulator.Context, _ *types.RefreshDatastoreStorageInfo,
) soap.HasFault {
	c.v.refreshSpace(c.Self)
	return &methods.RefreshDatastoreStorageInfoBody{Res: &types.RefreshDatastoreStorageInfoResponse{}}
}

func (v *VCenter) refreshSpace(ref types.ManagedObjectReference) {
	v.storage.RLock()
	defer v.storage.RUnlock()
	if d := v.datastores[ref]; d != nil {
		v.publishSpace(d)
	}
}

// publishSpace shows the free space: capacity less thick disks in full and thin ones as far as they are written.
func (v *VCenter) publishSpace(d *datastore) {
	ctx := v.context()
	v.registry.WithLock(ctx, d.object, func() {
		free := max(d.capacity-v.machines.allocated(d.ref), 0)
		info := *d.object.Info.(*types.VmfsDatastoreInfo)
		if d.object.Summary.FreeSpace == free && d.object.Summary.Capacity == d.capacity && info.Name == d.name {
			return
		}
		info.Name, info.FreeSpace, info.Vmfs = d.name, free, d.volume()
		ctx.Update(d.object, []types.PropertyChange{
			{Name: "summary.capacity", Val: d.capacity},
			{Name: "summary.freeSpace", Val: free},
			{Name: "info", Val: &info},
		})
	})
}
