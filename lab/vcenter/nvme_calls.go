package vcenter

import (
	"context"
	"fmt"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

const (
	// dynamicController is the only controller id that an array of the dynamic model takes.
	dynamicController = 0xffff
	adminQueueSize    = 32
)

// DiscoverNvmeControllers asks a port of an array for the subsystems that know the host.
func (s *storageSystemCalls) DiscoverNvmeControllers(
	_ *simulator.Context, req *types.DiscoverNvmeControllers,
) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.DiscoverNvmeControllersBody{}
	spec := req.DiscoverSpec
	found, fault := s.v.discoverController(s.host(), spec.HostNvmeSpec, spec.AutoConnect != nil && *spec.AutoConnect)
	if fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	body.Res = &types.DiscoverNvmeControllersResponse{Returnval: *found}
	return body
}

func (v *VCenter) discoverController(
	h *hostStorage, spec types.HostNvmeSpec, connect bool,
) (*types.HostNvmeDiscoveryLog, types.BaseMethodFault) {
	ctx, cancel := context.WithTimeout(context.Background(), worldTimeout)
	defer cancel()
	now, fault := v.atPort(ctx, h, spec)
	if fault != nil {
		return nil, fault
	}
	log := &types.HostNvmeDiscoveryLog{Complete: true}
	for _, c := range now {
		if connect {
			h.nvme.connect(c)
		}
		log.Entry = append(log.Entry, types.HostNvmeDiscoveryLogEntry{
			Subnqn: c.SubsystemNqn, SubsystemType: string(types.HostNvmeDiscoveryLogSubsystemTypeNvm),
			ControllerId: dynamicController, AdminQueueMaxSize: adminQueueSize, TransportParameters: fcParameters(c.NvmePort),
			TransportRequirements: string(types.HostNvmeDiscoveryLogTransportRequirementsRequirementsNotSpecified),
			Connected:             h.nvme.connected(c) != nil,
		})
	}
	if connect {
		if err := v.settle(ctx, h); err != nil {
			return nil, configFault(err.Error())
		}
	}
	return log, nil
}

func fcParameters(port worldclient.NvmePort) *types.HostNvmeOverFibreChannelParameters {
	// Checked by the world.
	name, _ := worldclient.ParseWwn(port.TargetWwpn)
	node, _ := worldclient.ParseWwn(port.TargetWwnn)
	return &types.HostNvmeOverFibreChannelParameters{PortWorldWideName: name, NodeWorldWideName: node}
}

// atPort answers the controllers that a host can connect to at a port of an array; a fault when the port is not reached.
func (v *VCenter) atPort(
	ctx context.Context, h *hostStorage, spec types.HostNvmeSpec,
) ([]worldclient.Controller, types.BaseMethodFault) {
	if !h.hasNvmeAdapter(spec.HbaName) {
		return nil, &types.NotFound{}
	}
	parameters, ok := spec.TransportParameters.(*types.HostNvmeOverFibreChannelParameters)
	if !ok {
		return nil, &types.InvalidArgument{InvalidProperty: "transportParameters"}
	}
	now, err := v.opt.World.Nvme(ctx, h.name)
	if err != nil {
		return nil, configFault(err.Error())
	}
	wwpn, wwnn := worldclient.FormatWwn(parameters.PortWorldWideName), worldclient.FormatWwn(parameters.NodeWorldWideName)
	at := func(p worldclient.NvmePort) bool {
		return p.Adapter == spec.HbaName && plainWwn(p.TargetWwpn) == wwpn && plainWwn(p.TargetWwnn) == wwnn
	}
	reached := false
	for _, p := range now.Ports {
		reached = reached || at(p)
	}
	if !reached {
		return nil, configFault(fmt.Sprintf("adapter %s cannot reach the target port %s:%s", spec.HbaName, wwnn, wwpn))
	}
	var found []worldclient.Controller
	for _, c := range now.Controllers {
		if at(c.NvmePort) {
			found = append(found, c)
		}
	}
	return found, nil
}

func configFault(reason string) *types.HostConfigFault {
	return &types.HostConfigFault{VimFault: types.VimFault{MethodFault: localized(reason)}}
}

func (h *hostStorage) hasNvmeAdapter(device string) bool {
	for _, a := range h.adapters {
		if device != "" && a.NvmeDevice == device {
			return true
		}
	}
	return false
}

// settle reports new connections and takes over the devices behind them.
func (v *VCenter) settle(ctx context.Context, h *hostStorage) error {
	if err := v.report(ctx, h); err != nil {
		return err
	}
	devices, err := v.opt.World.Devices(ctx, h.name)
	if err != nil {
		return err
	}
	v.takeOver(h, devices, "")
	v.publish(h)
	return nil
}

// ConnectNvmeController connects an adapter to a subsystem at one port of an array.
func (s *storageSystemCalls) ConnectNvmeController(
	_ *simulator.Context, req *types.ConnectNvmeController,
) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.ConnectNvmeControllerBody{}
	if fault := s.v.connectControllers(s.host(), []types.HostNvmeConnectSpec{req.ConnectSpec}); fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	body.Res = &types.ConnectNvmeControllerResponse{}
	return body
}

// ConnectNvmeControllerExTask does so for several, as a task.
func (s *storageSystemCalls) ConnectNvmeControllerExTask(
	ctx *simulator.Context, req *types.ConnectNvmeControllerEx_Task,
) soap.HasFault {
	h := s.host()
	task := s.v.background(ctx, s.Host.Self, "connectNvmeControllerEx", func(*simulator.Context) (types.AnyType, types.BaseMethodFault) {
		s.v.storage.Lock()
		defer s.v.storage.Unlock()
		return nil, s.v.connectControllers(h, req.ConnectSpec)
	})
	return &methods.ConnectNvmeControllerEx_TaskBody{Res: &types.ConnectNvmeControllerEx_TaskResponse{Returnval: task}}
}

func (v *VCenter) connectControllers(h *hostStorage, specs []types.HostNvmeConnectSpec) types.BaseMethodFault {
	ctx, cancel := context.WithTimeout(context.Background(), worldTimeout)
	defer cancel()
	var all []worldclient.Controller
	for _, spec := range specs {
		if spec.ControllerId != 0 && spec.ControllerId != dynamicController {
			return &types.InvalidArgument{InvalidProperty: "controllerId"}
		}
		found, fault := v.atPort(ctx, h, spec.HostNvmeSpec)
		if fault != nil {
			return fault
		}
		before := len(all)
		for _, c := range found {
			if c.SubsystemNqn == spec.Subnqn {
				all = append(all, c)
			}
		}
		if len(all) == before {
			return configFault(fmt.Sprintf("subsystem %s does not accept host %s", spec.Subnqn, h.nvme.nqn))
		}
	}
	for _, c := range all {
		if h.nvme.connected(c) != nil {
			return configFault("already connected to subsystem " + c.SubsystemNqn)
		}
		h.nvme.connect(c)
	}
	if err := v.settle(ctx, h); err != nil {
		return configFault(err.Error())
	}
	return nil
}

// DisconnectNvmeController ends the connection to one controller, or to all of a subsystem on an adapter.
func (s *storageSystemCalls) DisconnectNvmeController(
	_ *simulator.Context, req *types.DisconnectNvmeController,
) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.DisconnectNvmeControllerBody{}
	if fault := s.v.disconnectControllers(s.host(), []types.HostNvmeDisconnectSpec{req.DisconnectSpec}); fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	body.Res = &types.DisconnectNvmeControllerResponse{}
	return body
}

// DisconnectNvmeControllerExTask does so for several, as a task.
func (s *storageSystemCalls) DisconnectNvmeControllerExTask(
	ctx *simulator.Context, req *types.DisconnectNvmeControllerEx_Task,
) soap.HasFault {
	h := s.host()
	task := s.v.background(ctx, s.Host.Self, "disconnectNvmeControllerEx", func(*simulator.Context) (types.AnyType, types.BaseMethodFault) {
		s.v.storage.Lock()
		defer s.v.storage.Unlock()
		return nil, s.v.disconnectControllers(h, req.DisconnectSpec)
	})
	return &methods.DisconnectNvmeControllerEx_TaskBody{Res: &types.DisconnectNvmeControllerEx_TaskResponse{Returnval: task}}
}

func (v *VCenter) disconnectControllers(h *hostStorage, specs []types.HostNvmeDisconnectSpec) types.BaseMethodFault {
	drop := map[*controller]bool{}
	for _, spec := range specs {
		if !h.hasNvmeAdapter(spec.HbaName) {
			return &types.NotFound{}
		}
		if spec.ControllerNumber == 0 && spec.Subnqn == "" {
			return &types.InvalidArgument{InvalidProperty: "subnqn"}
		}
		before := len(drop)
		for _, c := range h.nvme.controllers {
			one := spec.ControllerNumber == c.number || spec.ControllerNumber == 0 && spec.Subnqn == c.SubsystemNqn
			if c.Adapter == spec.HbaName && one {
				drop[c] = true
			}
		}
		if len(drop) == before {
			return &types.NotFound{}
		}
	}
	if fault := v.stillNeeded(h, drop); fault != nil {
		return fault
	}
	kept := h.nvme.controllers[:0:0]
	for _, c := range h.nvme.controllers {
		if !drop[c] {
			kept = append(kept, c)
		}
	}
	h.nvme.controllers, h.nvme.changed = kept, true
	ctx, cancel := context.WithTimeout(context.Background(), worldTimeout)
	defer cancel()
	if err := v.settle(ctx, h); err != nil {
		return configFault(err.Error())
	}
	return nil
}

// stillNeeded is a fault when a mounted volume would lose its last path.
func (v *VCenter) stillNeeded(h *hostStorage, drop map[*controller]bool) types.BaseMethodFault {
	for name, l := range h.luns {
		d := v.mountedOn(h, name)
		if !l.isNvme() || d == nil || !l.alive() {
			continue
		}
		left := 0
		for _, c := range h.nvme.controllers {
			for _, p := range l.paths {
				if !drop[c] && p.alive && c.SubsystemNqn == l.device.SubsystemNqn && c.Adapter == p.Adapter && c.TargetWwpn == p.TargetWwpn {
					left++
				}
			}
		}
		if left == 0 {
			return inUse("VMFS volume", d.name)
		}
	}
	return nil
}
