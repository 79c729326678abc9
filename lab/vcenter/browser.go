package vcenter

import (
	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/simulator/esx"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// machineBrowser is the environment browser of one machine. The simulator gives all machines their cluster's, which
// knows no hardware version; the official provider then tries to upgrade every machine it updates.
type machineBrowser struct {
	mo.EnvironmentBrowser
	cluster *simulator.EnvironmentBrowser
	vm      *simulator.VirtualMachine
	v       *VCenter
}

func browserOf(vm types.ManagedObjectReference) types.ManagedObjectReference {
	return types.ManagedObjectReference{Type: "EnvironmentBrowser", Value: "envbrowser-" + vm.Value}
}

// addBrowser puts the browser of a machine into the inventory.
func (v *VCenter) addBrowser(vm *simulator.VirtualMachine) types.ManagedObjectReference {
	b := &machineBrowser{vm: vm, v: v}
	b.Self = browserOf(vm.Self)
	h := v.hosts[v.glance(vm).host]
	if cluster, ok := v.registry.Get(*h.host.Parent).(*simulator.ClusterComputeResource); ok {
		b.cluster, _ = v.registry.Get(*cluster.EnvironmentBrowser).(*simulator.EnvironmentBrowser)
	}
	v.registry.Put(b)
	return b.Self
}

// QueryConfigOption answers the options of the machine's own hardware version.
func (b *machineBrowser) QueryConfigOption(_ *simulator.Context, _ *types.QueryConfigOption) soap.HasFault {
	version := b.v.glance(b.vm).version
	number, _ := types.ParseHardwareVersion(version)
	devices := types.ArrayOfVirtualDevice{}
	body := &methods.QueryConfigOptionBody{}
	if err := copyOf(types.ArrayOfVirtualDevice{VirtualDevice: esx.VirtualDevice}, &devices); err != nil {
		body.Fault_ = simulator.Fault(err.Error(), &types.SystemError{Reason: err.Error()})
		return body
	}
	body.Res = &types.QueryConfigOptionResponse{Returnval: &types.VirtualMachineConfigOption{
		Version: version, DefaultDevice: object.VirtualDeviceList(devices.VirtualDevice),
		HardwareOptions: types.VirtualHardwareOption{HwVersion: int32(number)},
	}}
	return body
}

// QueryConfigOptionEx is the cluster's.
func (b *machineBrowser) QueryConfigOptionEx(_ *simulator.Context, req *types.QueryConfigOptionEx) soap.HasFault {
	return b.cluster.QueryConfigOptionEx(req)
}

// QueryConfigOptionDescriptor is the cluster's.
func (b *machineBrowser) QueryConfigOptionDescriptor(
	ctx *simulator.Context, req *types.QueryConfigOptionDescriptor,
) soap.HasFault {
	return b.cluster.QueryConfigOptionDescriptor(ctx, req)
}

// QueryConfigTarget is the cluster's.
func (b *machineBrowser) QueryConfigTarget(ctx *simulator.Context, req *types.QueryConfigTarget) soap.HasFault {
	return b.cluster.QueryConfigTarget(ctx, req)
}

// QueryTargetCapabilities is the cluster's.
func (b *machineBrowser) QueryTargetCapabilities(
	ctx *simulator.Context, req *types.QueryTargetCapabilities,
) soap.HasFault {
	return b.cluster.QueryTargetCapabilities(ctx, req)
}
