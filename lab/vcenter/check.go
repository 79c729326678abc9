package vcenter

import (
	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

// The simulator asserts in a task's goroutine that what a spec names exists, and a failed assertion there ends the
// process. Everything that a spec names is therefore checked, and completed, before the simulator sees it.

// needs is what a spec asks of datastores.
type needs struct {
	names []string
	// bytes that thick disks take, by datastore name.
	bytes map[string]int64
}

func (n *needs) add(name string, bytes int64) {
	if n.bytes == nil {
		n.bytes = map[string]int64{}
	}
	if _, ok := n.bytes[name]; !ok {
		n.names = append(n.names, name)
	}
	n.bytes[name] += bytes
}

func (n *needs) addPath(p string) types.BaseMethodFault {
	var at object.DatastorePath
	if !at.FromString(p) {
		return &types.InvalidDatastorePath{InvalidDatastore: types.InvalidDatastore{}, DatastorePath: p}
	}
	n.add(at.Datastore, 0)
	return nil
}

// addRef adds a datastore by reference.
func (v *VCenter) addRef(n *needs, ref *types.ManagedObjectReference) types.BaseMethodFault {
	if ref == nil {
		return nil
	}
	d := v.datastores[*ref]
	if d == nil {
		return &types.InvalidDatastore{Datastore: ref}
	}
	n.add(d.name, 0)
	return nil
}

// checkDevices checks the device changes of a spec against a machine's devices, and adds what they need. home is the
// datastore of the machine's own files.
func (v *VCenter) checkDevices(
	n *needs, changes []types.BaseVirtualDeviceConfigSpec, existing object.VirtualDeviceList, home string,
) types.BaseMethodFault {
	for i, change := range changes {
		spec := change.GetVirtualDeviceConfigSpec()
		if spec.Device == nil {
			return invalidDevice(i)
		}
		if spec.Operation != types.VirtualDeviceConfigSpecOperationAdd {
			known := existing.FindByKey(spec.Device.GetVirtualDevice().Key)
			if known == nil {
				return invalidDevice(i)
			}
			if spec.Operation == types.VirtualDeviceConfigSpecOperationRemove {
				spec.Device = known // clients may name no more than the key
				continue
			}
		}
		var fault types.BaseMethodFault
		switch device := spec.Device.(type) {
		case *types.VirtualDisk:
			fault = v.checkDisk(n, i, spec, device, home)
		case types.BaseVirtualEthernetCard:
			fault = v.checkCard(i, device.GetVirtualEthernetCard())
		}
		if fault != nil {
			return fault
		}
	}
	return nil
}

func invalidDevice(index int) *types.InvalidDeviceSpec {
	return &types.InvalidDeviceSpec{DeviceIndex: int32(index)}
}

func (v *VCenter) checkDisk(
	n *needs, index int, spec *types.VirtualDeviceConfigSpec, disk *types.VirtualDisk, home string,
) types.BaseMethodFault {
	backing, ok := disk.Backing.(types.BaseVirtualDeviceFileBackingInfo)
	if !ok || backing == nil {
		return invalidDevice(index)
	}
	file := backing.GetVirtualDeviceFileBackingInfo()
	if file.FileName == "" && file.Datastore != nil {
		d := v.datastores[*file.Datastore]
		if d == nil {
			return &types.InvalidDatastore{Datastore: file.Datastore}
		}
		file.FileName = "[" + d.name + "]"
	}
	name := home
	if file.FileName != "" {
		var at object.DatastorePath
		if !at.FromString(file.FileName) {
			return &types.InvalidDatastorePath{DatastorePath: file.FileName}
		}
		name = at.Datastore
	}
	_, thin := backingOf(disk)
	bytes := int64(0)
	if spec.Operation == types.VirtualDeviceConfigSpecOperationAdd && spec.FileOperation != "" && !thin {
		bytes = max(disk.CapacityInBytes, disk.CapacityInKB<<10)
	}
	n.add(name, bytes)
	return nil
}

func (v *VCenter) checkCard(index int, card *types.VirtualEthernetCard) types.BaseMethodFault {
	backing, ok := card.Backing.(*types.VirtualEthernetCardNetworkBackingInfo)
	if !ok {
		return nil
	}
	for _, ref := range v.networks() {
		name, ok := v.networkName(ref)
		if !ok {
			continue
		}
		if backing.DeviceName == name || backing.DeviceName == "" && backing.Network != nil && *backing.Network == ref {
			backing.DeviceName = name
			return nil
		}
	}
	return &types.InvalidDeviceBacking{InvalidDeviceSpec: *invalidDevice(index)}
}

func (v *VCenter) networks() []types.ManagedObjectReference {
	center := v.datacenter()
	var refs []types.ManagedObjectReference
	v.registry.WithLock(v.context(), center, func() { refs = append(refs, center.Network...) })
	return refs
}

func (v *VCenter) networkName(ref types.ManagedObjectReference) (string, bool) {
	if network, ok := v.registry.Get(ref).(*mo.Network); ok {
		return network.Name, true
	}
	return "", false
}

// usable checks that a host can take what a spec needs.
func (v *VCenter) usable(h *hostStorage, n *needs) types.BaseMethodFault {
	for _, name := range n.names {
		d := v.named(name)
		if d == nil || d.mounts[h.ref] == nil || !d.mounts[h.ref].mounted {
			return &types.InvalidDatastore{Name: name}
		}
		if !d.reachable(h) {
			return &types.InaccessibleDatastore{
				InvalidDatastore: types.InvalidDatastore{Datastore: &d.ref, Name: name},
				Detail:           "host " + h.name + " has no path to device " + d.device,
			}
		}
	}
	return nil
}

// space checks that thick disks fit.
func (v *VCenter) space(n *needs) types.BaseMethodFault {
	for _, name := range n.names {
		d := v.named(name)
		if bytes := n.bytes[name]; bytes > 0 && bytes > d.capacity-v.machines.allocated(d.ref) {
			return &types.NoDiskSpace{FileFault: types.FileFault{File: "[" + name + "]"}, Datastore: name}
		}
	}
	return nil
}

// duplicate is a fault when a folder holds an entity of that name.
func (v *VCenter) duplicate(folder *simulator.Folder, name string) types.BaseMethodFault {
	var children []types.ManagedObjectReference
	v.registry.WithLock(v.context(), folder, func() { children = append(children, folder.ChildEntity...) })
	for _, ref := range children {
		if v.entityName(ref) == name {
			return &types.DuplicateName{Name: name, Object: ref}
		}
	}
	return nil
}
