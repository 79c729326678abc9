package vcenter

import (
	"sort"
	"strconv"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

// InventoryItem is one object. Its attributes are those that a test bed can change, in a canonical form: two equal
// inventories are equal as JSON. Managed object ids are left out; they differ for objects made again.
type InventoryItem struct {
	Kind       string            `json:"kind"`
	Path       string            `json:"path"`
	Attributes map[string]string `json:"attributes"`
}

// Inventory lists everything that a bed can leave behind, sorted.
func (v *VCenter) Inventory() []InventoryItem {
	v.storage.RLock()
	defer v.storage.RUnlock()
	items := []InventoryItem{}
	for _, entity := range v.registry.All("") {
		ref := entity.Reference()
		switch object := entity.(type) {
		case *simulator.VirtualMachine:
			items = append(items, v.machineItem(object))
		case *simulator.ClusterComputeResource:
			items = append(items, v.clusterItems(object)...)
		default:
			switch ref.Type {
			case "Folder", "ResourcePool", "VirtualApp", "Network", "Datacenter", "DistributedVirtualSwitch",
				"DistributedVirtualPortgroup", "StoragePod":
				items = append(items, InventoryItem{Kind: ref.Type, Path: v.path(ref), Attributes: map[string]string{}})
			}
		}
	}
	for _, d := range v.datastores {
		attributes := map[string]string{
			"uuid": d.uuid, "device": d.device, "capacityBytes": strconv.FormatInt(d.capacity, 10),
		}
		for ref, m := range d.mounts {
			attributes["mounted."+v.hosts[ref].name] = strconv.FormatBool(m.mounted)
		}
		items = append(items, InventoryItem{Kind: "Datastore", Path: v.path(d.ref), Attributes: attributes})
	}
	for _, h := range v.sortedHosts() {
		items = append(items, v.hostItems(h)...)
	}
	sort.SliceStable(items, func(i, j int) bool {
		return items[i].Kind < items[j].Kind || items[i].Kind == items[j].Kind && items[i].Path < items[j].Path
	})
	return items
}

func (v *VCenter) machineItem(vm *simulator.VirtualMachine) InventoryItem {
	g := v.glance(vm)
	attributes := map[string]string{
		"host": "", "on": strconv.FormatBool(g.on), "template": strconv.FormatBool(g.template), "uuid": g.uuid,
		"memoryMiB": strconv.FormatInt(g.memoryMiB, 10), "cpus": strconv.Itoa(int(g.cpus)),
	}
	if h := v.hosts[g.host]; h != nil {
		attributes["host"] = h.name
	}
	for _, device := range g.devices {
		if disk, ok := device.(*types.VirtualDisk); ok {
			backing, _ := backingOf(disk)
			unit := strconv.Itoa(unitOf(g.devices, disk))
			attributes["disk."+unit] = backing + " " + strconv.FormatInt(disk.CapacityInBytes, 10)
		}
	}
	return InventoryItem{Kind: "VirtualMachine", Path: v.path(vm.Self), Attributes: attributes}
}

func (v *VCenter) clusterItems(cluster *simulator.ClusterComputeResource) []InventoryItem {
	path := v.path(cluster.Self)
	items := []InventoryItem{{Kind: "ClusterComputeResource", Path: path, Attributes: map[string]string{}}}
	v.registry.WithLock(v.context(), cluster, func() {
		info, ok := cluster.ConfigurationEx.(*types.ClusterConfigInfoEx)
		if !ok {
			return
		}
		for _, rule := range info.Rule {
			name := rule.GetClusterRuleInfo().Name
			items = append(items, InventoryItem{Kind: "ClusterRule", Path: path + "/" + name, Attributes: map[string]string{}})
		}
		for _, group := range info.Group {
			name := group.GetClusterGroupInfo().Name
			items = append(items, InventoryItem{Kind: "ClusterGroup", Path: path + "/" + name, Attributes: map[string]string{}})
		}
		for _, override := range info.DrsVmConfig {
			items = append(items, InventoryItem{
				Kind: "ClusterDrsVmConfig", Path: path + v.path(override.Key),
				Attributes: map[string]string{"behavior": string(override.Behavior)},
			})
		}
	})
	return items
}

// hostItems are a host, its Fibre Channel devices with their settings, and what it remembers of devices that are gone.
func (v *VCenter) hostItems(h *hostStorage) []InventoryItem {
	path := v.path(h.ref)
	attributes := map[string]string{}
	for _, a := range h.adapters {
		attributes["adapter."+a.Device] = a.Wwpn
	}
	items := []InventoryItem{{Kind: "HostSystem", Path: path, Attributes: attributes}}
	for _, l := range h.sorted() {
		items = append(items, InventoryItem{Kind: "HostDevice", Path: path + "/" + l.name(), Attributes: map[string]string{
			"state": l.state(), "policy": l.policy, "outstanding": strconv.FormatInt(l.outstanding, 10),
			"paths": strconv.Itoa(len(l.paths)), "roundRobin": l.policyConfig(), "lun": strconv.Itoa(int(l.device.Lun)),
		}})
	}
	for _, c := range h.sortedControllers() {
		items = append(items, InventoryItem{Kind: "HostNvmeController", Path: path + "/" + c.name(), Attributes: map[string]string{}})
	}
	for name := range h.detached {
		if h.luns[name] == nil {
			items = append(items, InventoryItem{Kind: "HostDetachedState", Path: path + "/" + name, Attributes: map[string]string{}})
		}
	}
	for uuid := range h.unmounted {
		items = append(items, InventoryItem{Kind: "HostUnmountedState", Path: path + "/" + uuid, Attributes: map[string]string{}})
	}
	if system, ok := v.registry.Get(*h.host.ConfigManager.NetworkSystem).(*simulator.HostNetworkSystem); ok {
		v.registry.WithLock(v.context(), system, func() {
			for _, group := range system.NetworkInfo.Portgroup {
				items = append(items, InventoryItem{
					Kind: "HostPortGroup", Path: path + "/" + group.Spec.Name, Attributes: map[string]string{},
				})
			}
		})
	}
	return items
}

// path of an entity from the root folder, /lab/vm/folder/name.
func (v *VCenter) path(ref types.ManagedObjectReference) string {
	path := ""
	for {
		entity, ok := v.registry.Get(ref).(mo.Entity)
		if !ok {
			return path
		}
		var parent *types.ManagedObjectReference
		name := ""
		v.registry.WithLock(v.context(), ref, func() { parent, name = entity.Entity().Parent, entity.Entity().Name })
		if parent == nil {
			return path
		}
		if network, ok := v.networkName(ref); ok {
			name = network
		}
		path = "/" + name + path
		ref = *parent
	}
}
