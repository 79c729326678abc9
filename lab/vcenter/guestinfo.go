package vcenter

import (
	"fmt"
	"strings"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

// Emulated guests without a customized address report one of the documentation network; nothing answers there.
const (
	leaseNet   = "192.0.2."
	leaseFirst = 10
	leaseCount = 240
	// leasePrefix and leaseRouter hold for the lab's guest networks too.
	leasePrefix = 24
	leaseRouter = "1"
)

// lease is the network setting of a guest that brings none: around the address that the daemon has chosen, or (empty) an
// emulated one.
func (m *machines) lease(of *machine, chosen string) nicSetting {
	m.mu.Lock()
	defer m.mu.Unlock()
	if chosen == "" {
		if of.leased == "" {
			of.leased = fmt.Sprintf("%s%d", leaseNet, leaseFirst+m.leases%leaseCount)
			m.leases++
		}
		chosen = of.leased
	}
	net := chosen[:strings.LastIndex(chosen, ".")+1]
	return nicSetting{address: chosen, prefix: leasePrefix, gateways: []string{net + leaseRouter}}
}

// firstAddress of a guest's settings, empty when it has none.
func firstAddress(nics []nicSetting) string {
	for _, nic := range nics {
		if nic.address != "" {
			return nic.address
		}
	}
	return ""
}

// showGuest publishes a running guest: tools, routes, addresses. Routes come before addresses in the update: the
// official provider's waiter takes the gateway from guest.ipStack and compares when it sees guest.net.
func (v *VCenter) showGuest(vm *simulator.VirtualMachine, hostname string, nics []nicSetting) {
	stack := types.GuestStackInfo{IpRouteConfig: &types.NetIpRouteConfigInfo{}}
	for i, nic := range nics {
		for _, gateway := range nic.gateways {
			stack.IpRouteConfig.IpRoute = append(stack.IpRouteConfig.IpRoute, types.NetIpRouteConfigInfoIpRoute{
				Network: "0.0.0.0", PrefixLength: 0,
				Gateway: types.NetIpRouteConfigInfoGateway{IpAddress: gateway, Device: fmt.Sprint(i)},
			})
		}
	}
	address := firstAddress(nics)
	ctx := v.context()
	v.registry.WithLock(ctx, vm, func() {
		net := append([]types.GuestNicInfo{}, vm.Guest.Net...)
		for i := range net {
			net[i].Connected = true
			if i >= len(nics) || nics[i].address == "" {
				continue
			}
			net[i].IpAddress = []string{nics[i].address}
			net[i].IpConfig = &types.NetIpConfigInfo{IpAddress: []types.NetIpConfigInfoIpAddress{{
				IpAddress: nics[i].address, PrefixLength: nics[i].prefix, State: string(types.NetIpConfigInfoIpAddressStatusPreferred),
			}}}
		}
		ctx.Update(vm, append(toolsChanges(true),
			types.PropertyChange{Name: "guest.guestState", Val: string(types.VirtualMachineGuestStateRunning)},
			types.PropertyChange{Name: "guest.hostName", Val: hostname},
			types.PropertyChange{Name: "summary.guest.hostName", Val: hostname},
			types.PropertyChange{Name: "guest.ipStack", Val: []types.GuestStackInfo{stack}},
			types.PropertyChange{Name: "guest.net", Val: net},
			types.PropertyChange{Name: "guest.ipAddress", Val: address},
			types.PropertyChange{Name: "summary.guest.ipAddress", Val: address},
		))
	})
}

// hideGuest publishes that no guest runs.
func (v *VCenter) hideGuest(vm *simulator.VirtualMachine) {
	ctx := v.context()
	v.registry.WithLock(ctx, vm, func() {
		net := append([]types.GuestNicInfo{}, vm.Guest.Net...)
		for i := range net {
			net[i].IpAddress, net[i].IpConfig, net[i].Connected = nil, nil, false
		}
		ctx.Update(vm, append(toolsChanges(false),
			types.PropertyChange{Name: "guest.guestState", Val: string(types.VirtualMachineGuestStateNotRunning)},
			types.PropertyChange{Name: "guest.ipStack", Val: []types.GuestStackInfo{}},
			types.PropertyChange{Name: "guest.net", Val: net},
			types.PropertyChange{Name: "guest.ipAddress", Val: ""},
			types.PropertyChange{Name: "summary.guest.ipAddress", Val: ""},
		))
	})
}

func toolsChanges(running bool) []types.PropertyChange {
	status := types.VirtualMachineToolsStatusToolsNotRunning
	state := string(types.VirtualMachineToolsRunningStatusGuestToolsNotRunning)
	if running {
		status = types.VirtualMachineToolsStatusToolsOk
		state = string(types.VirtualMachineToolsRunningStatusGuestToolsRunning)
	}
	return []types.PropertyChange{
		{Name: "guest.toolsStatus", Val: status},
		{Name: "summary.guest.toolsStatus", Val: status},
		{Name: "guest.toolsRunningStatus", Val: state},
		{Name: "summary.guest.toolsRunningStatus", Val: state},
		{Name: "guest.toolsVersion", Val: "12352"},
		{Name: "guest.toolsVersionStatus2", Val: string(types.VirtualMachineToolsVersionStatusGuestToolsCurrent)},
	}
}
