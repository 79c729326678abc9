package vcenter

import (
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// networkSystemCalls serves the port group calls of a HostNetworkSystem. A port group of the same name on several hosts is
// one network; the simulator refuses the second.
type networkSystemCalls struct {
	*simulator.HostNetworkSystem
	unlocked
	v *VCenter
}

// AddPortGroup adds a port group to this host.
func (s *networkSystemCalls) AddPortGroup(ctx *simulator.Context, req *types.AddPortGroup) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	var body soap.HasFault
	s.v.registry.WithLock(ctx, s.HostNetworkSystem, func() {
		if !s.v.elsewhere(s.HostNetworkSystem, req.Portgrp.Name) || s.has(req.Portgrp.Name) {
			body = s.HostNetworkSystem.AddPortGroup(ctx, req)
			return
		}
		for i := range s.NetworkInfo.Vswitch {
			if s.NetworkInfo.Vswitch[i].Name != req.Portgrp.VswitchName {
				continue
			}
			s.NetworkInfo.Vswitch[i].Portgroup = append(s.NetworkInfo.Vswitch[i].Portgroup, req.Portgrp.Name)
			s.NetworkInfo.Portgroup = append(s.NetworkInfo.Portgroup, types.HostPortGroup{
				Key: "key-vim.host.PortGroup-" + req.Portgrp.Name, Spec: req.Portgrp,
			})
			body = &methods.AddPortGroupBody{Res: &types.AddPortGroupResponse{}}
			return
		}
		body = &methods.AddPortGroupBody{Fault_: simulator.Fault("", &types.NotFound{})}
	})
	return body
}

// RemovePortGroup removes a port group from this host; the network goes with its last host.
func (s *networkSystemCalls) RemovePortGroup(ctx *simulator.Context, req *types.RemovePortGroup) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	var body soap.HasFault
	s.v.registry.WithLock(ctx, s.HostNetworkSystem, func() {
		if !s.has(req.PgName) {
			body = &methods.RemovePortGroupBody{Fault_: simulator.Fault("", &types.NotFound{})}
			return
		}
		if !s.v.elsewhere(s.HostNetworkSystem, req.PgName) {
			body = s.HostNetworkSystem.RemovePortGroup(ctx, req)
			return
		}
		for i := range s.NetworkInfo.Vswitch {
			vswitch := &s.NetworkInfo.Vswitch[i]
			vswitch.Portgroup = without(vswitch.Portgroup, func(name string) bool { return name == req.PgName })
		}
		s.NetworkInfo.Portgroup = without(s.NetworkInfo.Portgroup, func(g types.HostPortGroup) bool {
			return g.Spec.Name == req.PgName
		})
		body = &methods.RemovePortGroupBody{Res: &types.RemovePortGroupResponse{}}
	})
	return body
}

func (s *networkSystemCalls) has(name string) bool { return hasPortGroup(s.HostNetworkSystem, name) }

func hasPortGroup(system *simulator.HostNetworkSystem, name string) bool {
	for _, group := range system.NetworkInfo.Portgroup {
		if group.Spec.Name == name {
			return true
		}
	}
	return false
}

// elsewhere is true when another host has a port group of that name. The caller holds VCenter.storage for writing, which
// all changes of port groups do.
func (v *VCenter) elsewhere(here *simulator.HostNetworkSystem, name string) bool {
	for _, h := range v.hosts {
		system, ok := v.registry.Get(*h.host.ConfigManager.NetworkSystem).(*simulator.HostNetworkSystem)
		if ok && system != here && hasPortGroup(system, name) {
			return true
		}
	}
	return false
}

func without[T any](list []T, drop func(T) bool) []T {
	var kept []T
	for _, item := range list {
		if !drop(item) {
			kept = append(kept, item)
		}
	}
	return kept
}
