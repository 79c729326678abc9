package vcenter

import (
	"github.com/google/uuid"
	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// CreateVMTask checks and completes the spec, lets the simulator create the machine, and takes it over.
func (f *folderCalls) CreateVMTask(ctx *simulator.Context, req *types.CreateVM_Task) soap.HasFault {
	ref := f.v.background(ctx, f.Self, "createVm", func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		return f.v.createMachine(own, f.Folder, req)
	})
	return &methods.CreateVM_TaskBody{Res: &types.CreateVM_TaskResponse{Returnval: ref}}
}

func (v *VCenter) createMachine(
	ctx *simulator.Context, folder *simulator.Folder, req *types.CreateVM_Task,
) (types.AnyType, types.BaseMethodFault) {
	v.storage.Lock()
	defer v.storage.Unlock()
	if req.Config.Files == nil || req.Config.Files.VmPathName == "" {
		return nil, &types.InvalidVmConfig{Property: "configSpec.files.vmPathName"}
	}
	var n needs
	if fault := n.addPath(req.Config.Files.VmPathName); fault != nil {
		return nil, fault
	}
	if fault := v.checkDevices(&n, req.Config.DeviceChange, nil, n.names[0]); fault != nil {
		return nil, fault
	}
	if fault := v.duplicate(folder, req.Config.Name); fault != nil {
		return nil, fault
	}
	if fault := v.checkHardware(&req.Config); fault != nil {
		return nil, fault
	}
	h, fault := v.place(req.Pool, req.Host, &n)
	if fault != nil {
		return nil, fault
	}
	req.Host = &h.ref
	identify(&req.Config)
	result, fault := v.await(folder.CreateVMTask(ctx, req))
	if fault != nil {
		return nil, fault
	}
	ref := result.(types.ManagedObjectReference)
	return result, v.adopt(ctx, ref, &req.Config, v.machines.add(ref, req.Config.Name, "", false))
}

// identify gives a new machine ids of its own. The simulator derives them from the path, so a machine made again at the
// same place would pass for the old one.
func identify(spec *types.VirtualMachineConfigSpec) {
	if spec.Uuid == "" {
		spec.Uuid = uuid.NewString()
	}
	if spec.InstanceUuid == "" {
		spec.InstanceUuid = uuid.NewString()
	}
}

// adopt completes a new machine and makes its disks; if that fails the machine goes again.
func (v *VCenter) adopt(
	ctx *simulator.Context, ref types.ManagedObjectReference, spec *types.VirtualMachineConfigSpec, m *machine,
) types.BaseMethodFault {
	vm := v.vm(ref)
	v.registry.AtomicUpdate(v.context(), vm, []types.PropertyChange{
		{Name: "config.swapPlacement", Val: swapPlacement(spec)},
		{Name: "environmentBrowser", Val: v.addBrowser(vm)},
	})
	g := v.glance(vm)
	if err := v.syncDisks(m, g); err != nil {
		v.erase(ctx, vm, g)
		return &types.FileFault{VimFault: types.VimFault{MethodFault: localized(err.Error())}, File: g.path}
	}
	v.spaceOf(g.datastores)
	return nil
}

func swapPlacement(spec *types.VirtualMachineConfigSpec) string {
	if spec != nil && spec.SwapPlacement != "" {
		return spec.SwapPlacement
	}
	return string(types.VirtualMachineConfigInfoSwapPlacementTypeInherit)
}

// RegisterVMTask names the host, so that the simulator does not look for one itself.
func (f *folderCalls) RegisterVMTask(ctx *simulator.Context, req *types.RegisterVM_Task) soap.HasFault {
	ref := f.v.background(ctx, f.Self, "registerVm", func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		f.v.storage.Lock()
		defer f.v.storage.Unlock()
		var n needs
		if fault := n.addPath(req.Path); fault != nil {
			return nil, fault
		}
		if req.Pool != nil {
			h, fault := f.v.place(*req.Pool, req.Host, &n)
			if fault != nil {
				return nil, fault
			}
			req.Host = &h.ref
		} else if req.Host != nil && f.v.hosts[*req.Host] != nil {
			if fault := f.v.usable(f.v.hosts[*req.Host], &n); fault != nil {
				return nil, fault
			}
		}
		result, fault := f.v.await(f.Folder.RegisterVMTask(own, req))
		if fault != nil {
			return nil, fault
		}
		vm := result.(types.ManagedObjectReference)
		return result, f.v.adopt(own, vm, nil, f.v.machines.add(vm, f.v.entityName(vm), "", false))
	})
	return &methods.RegisterVM_TaskBody{Res: &types.RegisterVM_TaskResponse{Returnval: ref}}
}

// ReconfigVMTask checks and completes the spec, lets the simulator apply it, and follows up on disks.
func (c *machineCalls) ReconfigVMTask(ctx *simulator.Context, req *types.ReconfigVM_Task) soap.HasFault {
	ref := c.v.background(ctx, c.Self, "reconfigVm", func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		return nil, c.v.reconfigure(own, c.VirtualMachine, req)
	})
	return &methods.ReconfigVM_TaskBody{Res: &types.ReconfigVM_TaskResponse{Returnval: ref}}
}

func (v *VCenter) reconfigure(
	ctx *simulator.Context, vm *simulator.VirtualMachine, req *types.ReconfigVM_Task,
) types.BaseMethodFault {
	v.storage.Lock()
	defer v.storage.Unlock()
	before := v.glance(vm)
	m, h := v.machines.get(vm.Self), v.hosts[before.host]
	if m == nil || h == nil {
		return &types.ManagedObjectNotFound{Obj: vm.Self}
	}
	var n needs
	if fault := n.addPath(before.path); fault != nil {
		return fault
	}
	home := n.names[0]
	for _, ref := range before.datastores {
		if fault := v.addRef(&n, &ref); fault != nil {
			return fault
		}
	}
	if fault := v.checkDevices(&n, req.Spec.DeviceChange, object.VirtualDeviceList(before.devices), home); fault != nil {
		return fault
	}
	if fault := v.usable(h, &n); fault != nil {
		return fault
	}
	if fault := v.space(&n); fault != nil {
		return fault
	}
	if _, fault := v.await(vm.ReconfigVMTask(ctx, req)); fault != nil {
		return fault
	}
	if req.Spec.SwapPlacement != "" {
		v.registry.AtomicUpdate(v.context(), vm, []types.PropertyChange{
			{Name: "config.swapPlacement", Val: req.Spec.SwapPlacement},
		})
	}
	v.useDatastores(vm, v.trimDatastores(vm))
	after := v.glance(vm)
	v.dropDisks(before.devices)
	if err := v.syncDisks(m, after); err != nil {
		return &types.FileFault{VimFault: types.VimFault{MethodFault: localized(err.Error())}, File: after.path}
	}
	v.spaceOf(append(before.datastores, after.datastores...))
	return nil
}

// useDatastores lists a machine at every datastore that its disks lie on; the simulator does so at its creation only.
func (v *VCenter) useDatastores(vm *simulator.VirtualMachine, g glance) {
	for _, ref := range g.datastores {
		if d := v.datastores[ref]; d != nil {
			v.registry.AddReference(v.context(), d.object, &d.object.Vm, vm.Self)
		}
	}
}

// trimDatastores takes those out of a machine's list that hold nothing of it any more; the simulator only adds.
func (v *VCenter) trimDatastores(vm *simulator.VirtualMachine) glance {
	g := v.glance(vm)
	paths := []string{g.path}
	for _, device := range g.devices {
		if disk, ok := device.(*types.VirtualDisk); ok {
			backing, _ := backingOf(disk)
			paths = append(paths, backing)
		}
	}
	var used []types.ManagedObjectReference
	for _, ref := range g.datastores {
		d := v.datastores[ref]
		if d == nil {
			continue
		}
		holds := false
		for _, p := range paths {
			var at object.DatastorePath
			holds = holds || at.FromString(p) && at.Datastore == d.name
		}
		if holds {
			used = append(used, ref)
		} else {
			v.registry.RemoveReference(v.context(), d.object, &d.object.Vm, vm.Self)
		}
	}
	if len(used) < len(g.datastores) {
		v.registry.AtomicUpdate(v.context(), vm, []types.PropertyChange{{Name: "datastore", Val: used}})
	}
	g.datastores = used
	return g
}
