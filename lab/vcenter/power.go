package vcenter

import (
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// PowerOnVMTask starts the guest first: the task ends when it can be reached, or says why it cannot.
func (c *machineCalls) PowerOnVMTask(ctx *simulator.Context, _ *types.PowerOnVM_Task) soap.HasFault {
	ref := c.task(ctx, "powerOn", c.v.powerOn)
	return &methods.PowerOnVM_TaskBody{Res: &types.PowerOnVM_TaskResponse{Returnval: ref}}
}

// PowerOffVMTask pulls the plug.
func (c *machineCalls) PowerOffVMTask(ctx *simulator.Context, _ *types.PowerOffVM_Task) soap.HasFault {
	ref := c.task(ctx, "powerOff", c.v.powerOffHard)
	return &methods.PowerOffVM_TaskBody{Res: &types.PowerOffVM_TaskResponse{Returnval: ref}}
}

// ResetVMTask pulls the plug and starts anew; the machine stays powered on.
func (c *machineCalls) ResetVMTask(ctx *simulator.Context, _ *types.ResetVM_Task) soap.HasFault {
	ref := c.task(ctx, "reset", func(own *simulator.Context, vm *simulator.VirtualMachine) types.BaseMethodFault {
		return c.v.restart(own, vm, true)
	})
	return &methods.ResetVM_TaskBody{Res: &types.ResetVM_TaskResponse{Returnval: ref}}
}

// SuspendVMTask is refused while a real guest runs: there is nothing to freeze it into.
func (c *machineCalls) SuspendVMTask(ctx *simulator.Context, req *types.SuspendVM_Task) soap.HasFault {
	ref := c.task(ctx, "suspend", func(own *simulator.Context, vm *simulator.VirtualMachine) types.BaseMethodFault {
		running := false
		if m := c.v.machines.get(vm.Self); m != nil {
			c.v.machines.set(func() { running = m.running })
		}
		if running {
			return &types.NotSupported{}
		}
		_, fault := c.v.await(vm.SuspendVMTask(own, req))
		if fault == nil {
			c.v.hideGuest(vm)
		}
		return fault
	})
	return &methods.SuspendVM_TaskBody{Res: &types.SuspendVM_TaskResponse{Returnval: ref}}
}

// ShutdownGuest asks the guest to shut down, and returns at once.
func (c *machineCalls) ShutdownGuest(ctx *simulator.Context, _ *types.ShutdownGuest) soap.HasFault {
	body := &methods.ShutdownGuestBody{}
	if fault := c.v.toolsFault(c.VirtualMachine); fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	own := isolate(ctx)
	go func() {
		defer c.v.survive("shutdown of a guest", func(string) {})
		if fault := c.v.powerOff(own, c.VirtualMachine, false); fault != nil {
			c.v.log.Printf("vcenter: shutdown of the guest of %s: %s", c.v.entityName(c.Self), faultText(fault))
		}
	}()
	body.Res = &types.ShutdownGuestResponse{}
	return body
}

// RebootGuest asks the guest to restart, and returns at once.
func (c *machineCalls) RebootGuest(ctx *simulator.Context, _ *types.RebootGuest) soap.HasFault {
	body := &methods.RebootGuestBody{}
	if fault := c.v.toolsFault(c.VirtualMachine); fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	own := isolate(ctx)
	go func() {
		defer c.v.survive("reboot of a guest", func(string) {})
		if fault := c.v.restart(own, c.VirtualMachine, false); fault != nil {
			c.v.log.Printf("vcenter: reboot of the guest of %s: %s", c.v.entityName(c.Self), faultText(fault))
		}
	}()
	body.Res = &types.RebootGuestResponse{}
	return body
}

func (c *machineCalls) task(
	ctx *simulator.Context, name string, work func(*simulator.Context, *simulator.VirtualMachine) types.BaseMethodFault,
) types.ManagedObjectReference {
	return c.v.background(ctx, c.Self, name, func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		return nil, work(own, c.VirtualMachine)
	})
}

// toolsFault is the fault of calls that need a running guest.
func (v *VCenter) toolsFault(vm *simulator.VirtualMachine) types.BaseMethodFault {
	var fault types.BaseMethodFault
	v.registry.WithLock(v.context(), vm, func() {
		switch {
		case vm.Runtime.PowerState != types.VirtualMachinePowerStatePoweredOn:
			fault = &types.InvalidPowerState{
				RequestedState: types.VirtualMachinePowerStatePoweredOn, ExistingState: vm.Runtime.PowerState,
			}
		case vm.Guest.ToolsRunningStatus != string(types.VirtualMachineToolsRunningStatusGuestToolsRunning):
			fault = &types.ToolsUnavailable{}
		}
	})
	return fault
}

// powerOn starts a machine and its guest.
func (v *VCenter) powerOn(ctx *simulator.Context, vm *simulator.VirtualMachine) types.BaseMethodFault {
	m := v.machines.get(vm.Self)
	if m == nil {
		return &types.ManagedObjectNotFound{Obj: vm.Self}
	}
	m.op.Lock()
	defer m.op.Unlock()
	g := v.glance(vm)
	switch {
	case g.template:
		return &types.InvalidState{}
	case g.on:
		return powerState(types.VirtualMachinePowerStatePoweredOn, types.VirtualMachinePowerStatePoweredOn)
	}
	if fault := v.startable(g); fault != nil {
		return fault
	}
	start, fault := v.startedGuest(m, g)
	if fault != nil {
		return fault
	}
	if _, fault := v.await(vm.PowerOnVMTask(ctx, &types.PowerOnVM_Task{This: vm.Self})); fault != nil {
		if err := v.stopGuest(m, true); err != nil {
			v.log.Printf("vcenter: guest of %s after a failed start: %v", g.name, err)
		}
		return fault
	}
	v.showGuest(vm, start.hostname, start.nics)
	return nil
}

// startable checks host and datastores.
func (v *VCenter) startable(g glance) types.BaseMethodFault {
	v.storage.RLock()
	defer v.storage.RUnlock()
	h := v.hosts[g.host]
	if h == nil || v.outOfService(h) {
		return &types.InvalidState{}
	}
	var n needs
	for _, ref := range g.datastores {
		if fault := v.addRef(&n, &ref); fault != nil {
			return fault
		}
	}
	return v.usable(h, &n)
}

// guestStarted is how a started guest presents itself.
type guestStarted struct {
	hostname string
	nics     []nicSetting
}

func (v *VCenter) startedGuest(m *machine, g glance) (guestStarted, types.BaseMethodFault) {
	s := guestStarted{hostname: g.name}
	v.machines.set(func() {
		if m.custom != nil {
			s.nics = append(s.nics, m.custom.nics...)
			if m.custom.hostname != "" {
				s.hostname = m.custom.hostname
			}
		}
	})
	if len(s.nics) == 0 {
		s.nics = []nicSetting{{}}
	}
	address, err := v.startGuest(m, g, s.nics, s.hostname)
	if err != nil {
		return s, guestFault(err)
	}
	if firstAddress(s.nics) == "" {
		s.nics[0] = v.machines.lease(m, address)
	}
	return s, nil
}

// guestFault is the fault of a machine whose guest cannot be started, stopped or removed.
func guestFault(err error) types.BaseMethodFault {
	return &types.GenericVmConfigFault{
		VmConfigFault: types.VmConfigFault{VimFault: types.VimFault{MethodFault: localized(err.Error())}},
		Reason:        err.Error(),
	}
}

func (v *VCenter) powerOffHard(ctx *simulator.Context, vm *simulator.VirtualMachine) types.BaseMethodFault {
	if m := v.machines.get(vm.Self); m != nil && !m.op.TryLock() {
		// An orderly shutdown may hang; pulling the plug ends it.
		if err := v.stopGuest(m, true); err != nil {
			v.log.Printf("vcenter: hard power-off of %s: %v", v.entityName(vm.Self), err)
		}
	} else if m != nil {
		m.op.Unlock()
	}
	return v.powerOff(ctx, vm, true)
}

// powerOff stops a machine and its guest.
func (v *VCenter) powerOff(ctx *simulator.Context, vm *simulator.VirtualMachine, hard bool) types.BaseMethodFault {
	m := v.machines.get(vm.Self)
	if m == nil {
		return &types.ManagedObjectNotFound{Obj: vm.Self}
	}
	m.op.Lock()
	defer m.op.Unlock()
	if err := v.stopGuest(m, hard); err != nil {
		return guestFault(err)
	}
	if _, fault := v.await(vm.PowerOffVMTask(ctx, &types.PowerOffVM_Task{This: vm.Self})); fault != nil {
		return fault
	}
	v.hideGuest(vm)
	v.refreshSpaceOf(vm)
	return nil
}

// restart stops and starts the guest of a machine that stays on.
func (v *VCenter) restart(_ *simulator.Context, vm *simulator.VirtualMachine, hard bool) types.BaseMethodFault {
	m := v.machines.get(vm.Self)
	if m == nil {
		return &types.ManagedObjectNotFound{Obj: vm.Self}
	}
	m.op.Lock()
	defer m.op.Unlock()
	g := v.glance(vm)
	if !g.on {
		return powerState(types.VirtualMachinePowerStatePoweredOn, types.VirtualMachinePowerStatePoweredOff)
	}
	if err := v.stopGuest(m, hard); err != nil {
		return guestFault(err)
	}
	v.hideGuest(vm)
	start, fault := v.startedGuest(m, g)
	if fault != nil {
		return fault
	}
	v.showGuest(vm, start.hostname, start.nics)
	return nil
}

func (v *VCenter) refreshSpaceOf(vm *simulator.VirtualMachine) {
	g := v.glance(vm)
	v.storage.RLock()
	defer v.storage.RUnlock()
	v.spaceOf(g.datastores)
}

func powerState(requested, existing types.VirtualMachinePowerState) *types.InvalidPowerState {
	return &types.InvalidPowerState{RequestedState: requested, ExistingState: existing}
}

// faultText is the reason that a fault carries, or its type.
func faultText(fault types.BaseMethodFault) string {
	if cause := fault.GetMethodFault().FaultCause; cause != nil && cause.LocalizedMessage != "" {
		return cause.LocalizedMessage
	}
	return typeName(fault)
}
