package vcenter

import (
	"math/bits"
	"net/netip"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// customization is what a guest takes over at its first start.
type customization struct {
	hostname string
	nics     []nicSetting
}

type nicSetting struct {
	address  string
	prefix   int32
	gateways []string
}

// CustomizeVMTask hands the spec to the simulator, and remembers addresses and name for the guest.
func (c *machineCalls) CustomizeVMTask(ctx *simulator.Context, req *types.CustomizeVM_Task) soap.HasFault {
	ref := c.v.background(ctx, c.Self, "customizeVm", func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		if _, fault := c.v.await(c.VirtualMachine.CustomizeVMTask(own, req)); fault != nil {
			return nil, fault
		}
		m, name := c.v.machines.get(c.Self), c.v.entityName(c.Self)
		if m != nil {
			c.v.machines.set(func() { m.custom = customizationOf(&req.Spec, name) })
		}
		return nil, nil
	})
	return &methods.CustomizeVM_TaskBody{Res: &types.CustomizeVM_TaskResponse{Returnval: ref}}
}

func customizationOf(spec *types.CustomizationSpec, machineName string) *customization {
	custom := &customization{}
	switch identity := spec.Identity.(type) {
	case *types.CustomizationLinuxPrep:
		custom.hostname = nameOf(identity.HostName, machineName)
	case *types.CustomizationSysprep:
		custom.hostname = nameOf(identity.UserData.ComputerName, machineName)
	}
	for _, nic := range spec.NicSettingMap {
		setting := nicSetting{prefix: prefixOf(nic.Adapter.SubnetMask), gateways: nic.Adapter.Gateway}
		if fixed, ok := nic.Adapter.Ip.(*types.CustomizationFixedIp); ok {
			setting.address = fixed.IpAddress
		}
		custom.nics = append(custom.nics, setting)
	}
	return custom
}

func nameOf(name types.BaseCustomizationName, machineName string) string {
	if fixed, ok := name.(*types.CustomizationFixedName); ok {
		return fixed.Name
	}
	return machineName
}

// prefixOf a netmask; 0 for what is none, as guests without a mask report it.
func prefixOf(mask string) int32 {
	address, err := netip.ParseAddr(mask)
	if err != nil || !address.Is4() {
		return 0
	}
	var ones int
	for _, b := range address.As4() {
		ones += bits.OnesCount8(b)
	}
	return int32(ones)
}
