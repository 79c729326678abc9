package vcenter

import (
	"reflect"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// DestroyTask deletes a machine: its guest at the daemon, then files and inventory, then the content of its disks.
func (c *machineCalls) DestroyTask(ctx *simulator.Context, req *types.Destroy_Task) soap.HasFault {
	ref := c.task(ctx, "destroy", func(own *simulator.Context, vm *simulator.VirtualMachine) types.BaseMethodFault {
		return c.v.destroy(own, vm, req)
	})
	return &methods.Destroy_TaskBody{Res: &types.Destroy_TaskResponse{Returnval: ref}}
}

func (v *VCenter) destroy(ctx *simulator.Context, vm *simulator.VirtualMachine, req *types.Destroy_Task) types.BaseMethodFault {
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
	if _, fault := v.await(vm.DestroyTask(ctx, req)); fault != nil {
		return fault
	}
	v.left(vm, g)
	v.dropDisks(g.devices)
	v.spaceOf(g.datastores)
	return nil
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
