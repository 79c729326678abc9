package vcenter

import (
	"context"
	"fmt"
	"sort"
	"strings"

	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

const (
	// firstController is the lowest number that hosts give to a controller over fabrics.
	firstController = 256
	// usableBlock is the only block size that hosts take devices with.
	usableBlock = 512
	ioQueues    = 4
	queueSize   = 32
)

// controller that a host is connected to.
type controller struct {
	worldclient.Controller
	number int32
	// online is false while the host cannot reach it.
	online bool
}

// nvmeState is the NVMe side of one host.
type nvmeState struct {
	nqn         string
	controllers []*controller
	// namespaces behind the connected controllers, those too that are no device of the host.
	namespaces []worldclient.Device
	next       int32
	// changed since the world was told, and shown to clients since then.
	changed, shown bool
}

func (c *controller) is(other worldclient.Controller) bool {
	return c.Adapter == other.Adapter && c.TargetWwpn == other.TargetWwpn && c.SubsystemNqn == other.SubsystemNqn
}

// name of a controller, as hosts make it: subsystem, adapter, node and port of the target.
func (c *controller) name() string {
	return fmt.Sprintf("%s#%s#%s:%s", c.SubsystemNqn, c.Adapter, plainWwn(c.TargetWwnn), plainWwn(c.TargetWwpn))
}

func plainWwn(wwn string) string { return strings.ReplaceAll(wwn, ":", "") }

func (n *nvmeState) connected(to worldclient.Controller) *controller {
	for _, c := range n.controllers {
		if c.is(to) {
			return c
		}
	}
	return nil
}

func (n *nvmeState) connect(to worldclient.Controller) *controller {
	if c := n.connected(to); c != nil {
		return c
	}
	c := &controller{Controller: to, number: n.next, online: true}
	n.next++
	n.controllers = append(n.controllers, c)
	n.changed = true
	return c
}

// usable are the devices that a host can take: LUNs, and namespaces with blocks of 512 bytes behind connected controllers,
// over the paths of these.
func (h *hostStorage) usable(devices []worldclient.Device) []worldclient.Device {
	usable := make([]worldclient.Device, 0, len(devices))
	h.nvme.namespaces = nil
	for _, d := range devices {
		if d.Protocol != "nvme" {
			usable = append(usable, d)
			continue
		}
		var paths []worldclient.Path
		for _, p := range d.Paths {
			at := worldclient.Controller{
				NvmePort:     worldclient.NvmePort{Adapter: p.Adapter, TargetWwpn: p.TargetWwpn},
				SubsystemNqn: d.SubsystemNqn,
			}
			if h.nvme.connected(at) != nil {
				paths = append(paths, p)
			}
		}
		if d.Paths = paths; len(paths) == 0 {
			continue
		}
		h.nvme.namespaces = append(h.nvme.namespaces, d)
		if d.BlockBytes == usableBlock {
			usable = append(usable, d)
		}
	}
	return usable
}

// connectAll connects a host to all controllers that it can reach, on one NVMe adapter or on all, as drivers do when they
// are told to scan.
func (v *VCenter) connectAll(ctx context.Context, h *hostStorage, adapter string) error {
	if h.nvme.nqn == "" {
		return nil
	}
	now, err := v.opt.World.Nvme(ctx, h.name)
	if err != nil {
		return err
	}
	for _, c := range now.Controllers {
		if adapter == "" || adapter == c.Adapter {
			h.nvme.connect(c)
		}
	}
	return nil
}

// losing takes over which controllers can be reached. One that cannot, and that no known device needs, is dropped: hosts
// give up on it after a while.
func (h *hostStorage) losing(now worldclient.Nvme) {
	kept := h.nvme.controllers[:0:0]
	for _, c := range h.nvme.controllers {
		online := false
		for _, reachable := range now.Controllers {
			online = online || c.is(reachable)
		}
		h.nvme.changed = h.nvme.changed || online != c.online
		c.online = online
		if online || h.needs(c) {
			kept = append(kept, c)
		} else {
			h.nvme.changed = true
		}
	}
	h.nvme.controllers = kept
}

func (h *hostStorage) needs(c *controller) bool {
	for _, l := range h.luns {
		for _, p := range l.paths {
			if l.device.SubsystemNqn == c.SubsystemNqn && p.Adapter == c.Adapter && p.TargetWwpn == c.TargetWwpn {
				return true
			}
		}
	}
	return false
}

// report tells the world what a host is connected to, when that has changed.
func (v *VCenter) report(ctx context.Context, h *hostStorage) error {
	if !h.nvme.changed {
		return nil
	}
	h.nvme.changed, h.nvme.shown = false, false
	list := []worldclient.Connection{}
	for _, c := range h.nvme.controllers {
		list = append(list, worldclient.Connection{
			AdapterWwpn: c.AdapterWwpn, TargetWwpn: c.TargetWwpn, SubsystemNqn: c.SubsystemNqn,
		})
	}
	return v.opt.World.Connect(ctx, h.name, list)
}

// followControllers takes over which controllers of connected hosts can be reached, and reports what has changed.
func (v *VCenter) followControllers(ctx context.Context, hosts []*hostStorage) error {
	for _, h := range hosts {
		if len(h.nvme.controllers) == 0 && !h.nvme.changed {
			continue
		}
		now, err := v.opt.World.Nvme(ctx, h.name)
		if err != nil {
			return err
		}
		h.losing(now)
		if err := v.report(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

// nvmeTopology of a host; nil where it has no NVMe adapter.
func (h *hostStorage) nvmeTopology() *types.HostNvmeTopology {
	topology := &types.HostNvmeTopology{}
	for _, a := range h.adapters {
		if a.NvmeDevice == "" {
			continue
		}
		face := types.HostNvmeTopologyInterface{
			Key: "key-vim.host.NvmeTopology.Interface-" + a.NvmeDevice, Adapter: adapterKey(a.NvmeDevice),
		}
		for _, c := range h.sortedControllers() {
			if c.Adapter == a.NvmeDevice && c.online {
				face.ConnectedController = append(face.ConnectedController, h.controllerInfo(c))
			}
		}
		topology.Adapter = append(topology.Adapter, face)
	}
	if len(topology.Adapter) == 0 {
		return nil
	}
	return topology
}

func (h *hostStorage) sortedControllers() []*controller {
	all := append([]*controller{}, h.nvme.controllers...)
	sort.Slice(all, func(i, j int) bool { return all[i].number < all[j].number })
	return all
}

func (h *hostStorage) controllerInfo(c *controller) types.HostNvmeController {
	info := types.HostNvmeController{
		Key:              fmt.Sprintf("key-vim.host.NvmeController-%d", c.number),
		ControllerNumber: c.number, Subnqn: c.SubsystemNqn, Name: c.name(), AssociatedAdapter: adapterKey(c.Adapter),
		TransportType: string(types.HostNvmeTransportTypeFibreChannel), FusedOperationSupported: true,
		NumberOfQueues: ioQueues, QueueSize: queueSize, Model: c.Model, SerialNumber: c.Serial, FirmwareVersion: c.Firmware,
	}
	for _, d := range h.namespacesOf(c) {
		info.AttachedNamespace = append(info.AttachedNamespace, types.HostNvmeNamespace{
			Key: fmt.Sprintf("key-vim.host.NvmeNamespace-%s@%d", d.Name, c.number), Name: d.Name, Id: d.Lun,
			BlockSize: d.BlockBytes, CapacityInBlocks: int64(d.CapacityBytes) / int64(d.BlockBytes),
		})
	}
	return info
}

func (h *hostStorage) namespacesOf(c *controller) []worldclient.Device {
	var found []worldclient.Device
	for _, d := range h.nvme.namespaces {
		for _, p := range d.Paths {
			if d.SubsystemNqn == c.SubsystemNqn && p.Adapter == c.Adapter && p.TargetWwpn == c.TargetWwpn {
				found = append(found, d)
			}
		}
	}
	sort.Slice(found, func(i, j int) bool { return found[i].Lun < found[j].Lun })
	return found
}
