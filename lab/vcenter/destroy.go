package vcenter

import (
	"os"
	"path"
	"reflect"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// DestroyTask deletes a machine: its guest at the daemon, then files and inventory, then the content of its disks.
func (c *machineCalls) DestroyTask(ctx *simulator.Context, _ *types.Destroy_Task) soap.HasFault {
	ref := c.task(ctx, "destroy", c.v.destroy)
	return &methods.Destroy_TaskBody{Res: &types.Destroy_TaskResponse{Returnval: ref}}
}

func (v *VCenter) destroy(ctx *simulator.Context, vm *simulator.VirtualMachine) types.BaseMethodFault {
	m := v.machines.get(vm.Self)
	if m == nil {
		return &types.ManagedObjectNotFound{Obj: vm.Self}
	}
	m.op.Lock()
	defer m.op.Unlock()
	g := v.glance(vm)
	if g.on {
		return powerState(types.VirtualMachinePowerStatePoweredOff, types.VirtualMachinePowerStatePoweredOn)
	}
	if err := v.deleteGuest(m); err != nil {
		return guestFault(err)
	}
	v.storage.Lock()
	defer v.storage.Unlock()
	if v.registry.Get(vm.Self) == nil {
		return &types.ManagedObjectNotFound{Obj: vm.Self}
	}
	return v.erase(ctx, vm, g)
}

// erase takes a machine out of the inventory and deletes its files. The simulator's own way deletes the folder some time
// later, when the next machine of that name may already lie in it. The caller holds VCenter.storage for writing.
func (v *VCenter) erase(ctx *simulator.Context, vm *simulator.VirtualMachine, g glance) types.BaseMethodFault {
	var fault types.BaseMethodFault
	v.registry.WithLock(ctx, vm, func() {
		fault = faultOf(vm.UnregisterVM(ctx, &types.UnregisterVM{This: vm.Self}))
	})
	if fault != nil {
		return fault
	}
	for _, device := range g.devices {
		if disk, ok := device.(*types.VirtualDisk); ok {
			backing, _ := backingOf(disk)
			v.removeFiles(backing)
			v.removeFiles(simulator.VirtualDiskBackingFileName(backing))
		}
	}
	v.removeFiles(path.Dir(g.path))
	v.left(vm, g)
	v.dropDisks(g.devices)
	v.spaceOf(g.datastores)
	return nil
}

// removeFiles removes a file, or a folder with its content, from a datastore; never the datastore's own folder.
func (v *VCenter) removeFiles(name string) {
	var at object.DatastorePath
	if !at.FromString(name) {
		return
	}
	inside := path.Clean("/" + at.Path)
	if d := v.named(at.Datastore); d != nil && inside != "/" {
		if err := os.RemoveAll(path.Join(d.dir, inside)); err != nil {
			v.log.Printf("vcenter: %s: %v", name, err)
		}
	}
}

// UnregisterVM takes a machine out of the inventory; its files and the content of its disks stay.
func (c *machineCalls) UnregisterVM(ctx *simulator.Context, req *types.UnregisterVM) soap.HasFault {
	c.v.storage.Lock()
	defer c.v.storage.Unlock()
	g := c.v.glance(c.VirtualMachine)
	res := c.VirtualMachine.UnregisterVM(isolate(ctx), req)
	if res.Fault() == nil {
		c.v.left(c.VirtualMachine, g)
	}
	return res
}

// left cleans up after a machine that has left the inventory.
func (v *VCenter) left(vm *simulator.VirtualMachine, g glance) {
	v.machines.remove(vm.Self)
	v.registry.Remove(v.context(), browserOf(vm.Self))
	for _, ref := range g.datastores {
		if d := v.datastores[ref]; d != nil {
			v.registry.RemoveReference(v.context(), d.object, &d.object.Vm, vm.Self)
		}
	}
}

// RelocateVMTask is checked as far as the simulator carries it out: files stay where they are, and a guest that runs
// cannot be moved.
func (c *machineCalls) RelocateVMTask(ctx *simulator.Context, req *types.RelocateVM_Task) soap.HasFault {
	ref := c.task(ctx, "relocateVm", func(own *simulator.Context, vm *simulator.VirtualMachine) types.BaseMethodFault {
		c.v.storage.Lock()
		defer c.v.storage.Unlock()
		g, running := c.v.glance(vm), false
		if m := c.v.machines.get(vm.Self); m != nil {
			c.v.machines.set(func() { running = m.running })
		}
		if running || req.Spec.Datastore != nil && !contains(g.datastores, *req.Spec.Datastore) {
			return &types.NotSupported{}
		}
		host := g.host
		if req.Spec.Host != nil {
			host = *req.Spec.Host
		}
		h := c.v.hosts[host]
		if h == nil {
			return &types.ManagedObjectNotFound{Obj: host}
		}
		var n needs
		for _, ref := range g.datastores {
			if fault := c.v.addRef(&n, &ref); fault != nil {
				return fault
			}
		}
		if fault := c.v.checkDevices(&n, req.Spec.DeviceChange, g.devices, ""); fault != nil {
			return fault
		}
		if fault := c.v.usable(h, &n); fault != nil {
			return fault
		}
		req.Spec.Datastore = nil
		if _, fault := c.v.await(vm.RelocateVMTask(own, req)); fault != nil {
			return fault
		}
		if old := c.v.hosts[g.host]; req.Spec.Host != nil && old != nil && old != h {
			c.v.registry.RemoveReference(c.v.context(), old.host, &old.host.Vm, vm.Self)
			c.v.registry.AddReference(c.v.context(), h.host, &h.host.Vm, vm.Self)
		}
		return nil
	})
	return &methods.RelocateVM_TaskBody{Res: &types.RelocateVM_TaskResponse{Returnval: ref}}
}

func contains(refs []types.ManagedObjectReference, ref types.ManagedObjectReference) bool {
	return simulator.FindReference(refs, ref) != nil
}

func typeName(of any) string { return reflect.TypeOf(of).Elem().Name() }
