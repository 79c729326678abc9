package vcenter

import (
	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// CloneVMTask clones a machine or template, remembers the customization, and starts the clone if asked to.
func (c *machineCalls) CloneVMTask(ctx *simulator.Context, req *types.CloneVM_Task) soap.HasFault {
	ref := c.v.background(ctx, c.Self, "cloneVm", func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		start := req.Spec.PowerOn && !req.Spec.Template
		req.Spec.PowerOn = false
		result, fault := c.v.clone(own, c.VirtualMachine, req)
		if fault != nil || !start {
			return result, fault
		}
		return result, c.v.powerOn(isolate(ctx), c.v.vm(result.(types.ManagedObjectReference)))
	})
	return &methods.CloneVM_TaskBody{Res: &types.CloneVM_TaskResponse{Returnval: ref}}
}

func (v *VCenter) clone(
	ctx *simulator.Context, source *simulator.VirtualMachine, req *types.CloneVM_Task,
) (types.AnyType, types.BaseMethodFault) {
	v.storage.Lock()
	defer v.storage.Unlock()
	origin, m := v.glance(source), v.machines.get(source.Self)
	folder, fault := v.folder(req.Folder)
	if fault != nil {
		return nil, fault
	}
	if m == nil {
		return nil, &types.ManagedObjectNotFound{Obj: source.Self}
	}
	if fault := v.duplicate(folder, req.Name); fault != nil {
		return nil, fault
	}
	h, fault := v.placeClone(origin, &req.Spec)
	if fault != nil {
		return nil, fault
	}
	req.Spec.Location.Host = &h.ref
	if req.Spec.Config == nil {
		req.Spec.Config = &types.VirtualMachineConfigSpec{}
	}
	identify(req.Spec.Config)
	result, fault := v.await(source.CloneVMTask(ctx, req))
	if fault != nil {
		return nil, fault
	}
	ref := result.(types.ManagedObjectReference)
	clone := v.machines.add(ref, req.Name, m.template, false)
	if req.Spec.Customization != nil {
		v.machines.set(func() { clone.custom = customizationOf(req.Spec.Customization, req.Name) })
	}
	vm := v.vm(ref)
	v.copyFirmware(source, vm)
	if fault := v.moveDisks(ctx, vm, origin, req.Spec.Location); fault != nil {
		v.erase(ctx, vm, v.glance(vm))
		return nil, fault
	}
	v.useDatastores(vm, v.glance(vm))
	return result, v.adopt(ctx, ref, req.Spec.Config, clone)
}

// placeClone checks what a clone needs and answers its host.
func (v *VCenter) placeClone(origin glance, spec *types.VirtualMachineCloneSpec) (*hostStorage, types.BaseMethodFault) {
	var n needs
	home := spec.Location.Datastore
	if home == nil {
		if fault := n.addPath(origin.path); fault != nil {
			return nil, fault
		}
	}
	if fault := v.addRef(&n, home); fault != nil {
		return nil, fault
	}
	for i := range spec.Location.Disk {
		if fault := v.addRef(&n, &spec.Location.Disk[i].Datastore); fault != nil {
			return nil, fault
		}
	}
	for _, device := range origin.devices {
		if disk, ok := device.(*types.VirtualDisk); ok {
			if _, thin := backingOf(disk); !thin {
				n.add(n.names[0], disk.CapacityInBytes)
			}
		}
	}
	changes := spec.Location.DeviceChange
	if spec.Config != nil {
		changes = append(changes, spec.Config.DeviceChange...)
	}
	if fault := v.checkDevices(&n, changes, object.VirtualDeviceList(origin.devices), n.names[0]); fault != nil {
		return nil, fault
	}
	pool := spec.Location.Pool
	if pool == nil && !origin.template {
		pool = origin.pool
	}
	if pool == nil && spec.Template && spec.Location.Host == nil {
		spec.Location.Host = &origin.host
	}
	if pool == nil && spec.Location.Host != nil && v.hosts[*spec.Location.Host] != nil {
		pool = v.poolOf(v.hosts[*spec.Location.Host])
		spec.Location.Pool = pool
	}
	if pool == nil {
		return nil, &types.InvalidArgument{InvalidProperty: "spec.location.pool"}
	}
	return v.place(*pool, spec.Location.Host, &n)
}

func (v *VCenter) poolOf(h *hostStorage) *types.ManagedObjectReference {
	if cluster, ok := v.registry.Get(*h.host.Parent).(*simulator.ClusterComputeResource); ok {
		return cluster.ResourcePool
	}
	return nil
}

func (v *VCenter) copyFirmware(from, to *simulator.VirtualMachine) {
	firmware := ""
	v.registry.WithLock(v.context(), from, func() { firmware = from.Config.Firmware })
	v.registry.AtomicUpdate(v.context(), to, []types.PropertyChange{{Name: "config.firmware", Val: firmware}})
}

// moveDisks puts the disks of a clone where its locators want them; the simulator puts all beside the machine.
func (v *VCenter) moveDisks(
	ctx *simulator.Context, vm *simulator.VirtualMachine, origin glance, location types.VirtualMachineRelocateSpec,
) types.BaseMethodFault {
	var changes []types.BaseVirtualDeviceConfigSpec
	g := v.glance(vm)
	for _, locator := range location.Disk {
		d := v.datastores[locator.Datastore]
		wanted, ok := object.VirtualDeviceList(origin.devices).FindByKey(locator.DiskId).(*types.VirtualDisk)
		if d == nil || !ok {
			continue
		}
		for _, device := range g.devices {
			disk, ok := device.(*types.VirtualDisk)
			if !ok || unitOf(g.devices, disk) != unitOf(origin.devices, wanted) {
				continue
			}
			backing, _ := backingOf(disk)
			var at object.DatastorePath
			if at.FromString(backing) && at.Datastore == d.name {
				continue
			}
			moved := *disk
			flat := types.VirtualDiskFlatVer2BackingInfo{DiskMode: string(types.VirtualDiskModePersistent)}
			if old, ok := disk.Backing.(*types.VirtualDiskFlatVer2BackingInfo); ok {
				flat = *old
			}
			flat.FileName, flat.Uuid, flat.Datastore = "["+d.name+"]", "", nil
			moved.Backing, moved.DeviceInfo = &flat, nil
			changes = append(changes,
				&types.VirtualDeviceConfigSpec{
					Operation: types.VirtualDeviceConfigSpecOperationRemove, Device: disk,
					FileOperation: types.VirtualDeviceConfigSpecFileOperationDestroy,
				},
				&types.VirtualDeviceConfigSpec{
					Operation: types.VirtualDeviceConfigSpecOperationAdd, Device: &moved,
					FileOperation: types.VirtualDeviceConfigSpecFileOperationCreate,
				})
		}
	}
	if len(changes) == 0 {
		return nil
	}
	_, fault := v.await(vm.ReconfigVMTask(isolate(ctx), &types.ReconfigVM_Task{
		This: vm.Self, Spec: types.VirtualMachineConfigSpec{DeviceChange: changes},
	}))
	return fault
}
