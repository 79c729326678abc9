package vcenter

import (
	"context"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

// storageSystemCalls serves the calls of a HostStorageSystem.
type storageSystemCalls struct {
	*simulator.HostStorageSystem
	unlocked
	v *VCenter
}

func (s *storageSystemCalls) host() *hostStorage { return s.v.hosts[s.Host.Self] }

// RescanAllHba finds LUNs on all adapters.
func (s *storageSystemCalls) RescanAllHba(_ *simulator.Context, _ *types.RescanAllHba) soap.HasFault {
	body := &methods.RescanAllHbaBody{}
	if fault := s.rescan(""); fault != nil {
		body.Fault_ = fault
		return body
	}
	body.Res = &types.RescanAllHbaResponse{}
	return body
}

// RescanHba finds LUNs on one adapter, named by its device name.
func (s *storageSystemCalls) RescanHba(_ *simulator.Context, req *types.RescanHba) soap.HasFault {
	body := &methods.RescanHbaBody{}
	if fault := s.rescan(req.HbaDevice); fault != nil {
		body.Fault_ = fault
		return body
	}
	body.Res = &types.RescanHbaResponse{}
	return body
}

// RescanVmfs mounts the VMFS volumes that the host sees and knows the datastore of.
func (s *storageSystemCalls) RescanVmfs(_ *simulator.Context, _ *types.RescanVmfs) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	h := s.host()
	s.v.mountKnown(h)
	s.v.dropUnmounted()
	s.v.publish(h)
	return &methods.RescanVmfsBody{Res: &types.RescanVmfsResponse{}}
}

// RefreshStorageSystem shows the current state; it discovers nothing.
func (s *storageSystemCalls) RefreshStorageSystem(_ *simulator.Context, _ *types.RefreshStorageSystem) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	s.v.publish(s.host())
	return &methods.RefreshStorageSystemBody{Res: &types.RefreshStorageSystemResponse{}}
}

func (s *storageSystemCalls) rescan(adapter string) *soap.Fault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	h := s.host()
	if adapter != "" && !h.knowsAdapter(adapter) {
		return simulator.Fault("", &types.NotFound{})
	}
	if err := s.v.discover(h, adapter); err != nil {
		return hostFault(err.Error())
	}
	s.v.publish(h)
	return nil
}

// knowsAdapter is true for Fibre Channel adapters and for the host's local ones.
func (h *hostStorage) knowsAdapter(device string) bool {
	for _, a := range h.adapters {
		if device == a.Device || device == a.NvmeDevice && device != "" {
			return true
		}
	}
	for _, a := range h.local.HostBusAdapter {
		if a.GetHostHostBusAdapter().Device == device {
			return true
		}
	}
	return false
}

// worldTimeout bounds a question to the daemon on the same machine.
const worldTimeout = 10 * time.Second

// discover brings a host up to what the world shows, on one adapter or on all: new LUNs and paths appear; LUNs that are
// gone disappear, unless a datastore is still mounted on them.
func (v *VCenter) discover(h *hostStorage, adapter string) error {
	ctx, cancel := context.WithTimeout(context.Background(), worldTimeout)
	defer cancel()
	devices, err := v.opt.World.Devices(ctx, h.name)
	if err != nil {
		return err
	}
	if err := v.refreshAdapters(ctx); err != nil {
		return err
	}
	if err := v.connectAll(ctx, h, adapter); err != nil {
		return err
	}
	v.takeOver(h, devices, adapter)
	return v.followControllers(ctx, []*hostStorage{h})
}

// takeOver makes a host know the devices that a scan has found.
func (v *VCenter) takeOver(h *hostStorage, found []worldclient.Device, adapter string) {
	devices := h.usable(found)
	seen := map[string]bool{}
	for _, d := range devices {
		seen[d.Name] = true
		d.Paths = h.scanned(d, adapter)
		if len(d.Paths) == 0 {
			continue
		}
		l := h.luns[d.Name]
		if l == nil {
			l = newLun(d)
			l.detached = h.detached[d.Name]
			h.luns[d.Name] = l
		}
		l.discover(d, h.target)
	}
	for name, l := range h.luns {
		if seen[name] {
			continue
		}
		l.refresh(nil)
		if v.mountedOn(h, name) == nil || l.detached {
			delete(h.luns, name)
			if v.opt.Blocks != nil {
				_ = v.opt.Blocks.SetLost(l.device.VolumeID, h.name, true)
			}
		}
	}
	v.dropUnmounted()
}

// scanned are the paths of a device that a rescan of one adapter finds, and those known before on the others.
func (h *hostStorage) scanned(d worldclient.Device, adapter string) []worldclient.Path {
	if adapter == "" {
		return d.Paths
	}
	var paths []worldclient.Path
	for _, p := range d.Paths {
		known := h.luns[d.Name] != nil && h.luns[d.Name].pathIndex(p) >= 0
		if p.Adapter == adapter || known {
			paths = append(paths, p)
		}
	}
	return paths
}

// refreshAdapters takes over link states.
func (v *VCenter) refreshAdapters(ctx context.Context) error {
	hosts, err := v.opt.World.Hosts(ctx)
	if err != nil {
		return err
	}
	for _, now := range hosts {
		for _, h := range v.hosts {
			if h.name == now.Name {
				h.adapters = v.release.asShown(now).Hbas
			}
		}
	}
	return nil
}

func hostFault(reason string) *soap.Fault {
	return simulator.Fault(reason, &types.HostConfigFault{VimFault: types.VimFault{MethodFault: localized(reason)}})
}
