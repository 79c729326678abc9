package vcenter

import (
	"fmt"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

// setHost changes what only happens at the host itself: its connection to the vCenter (connected, disconnected,
// notResponding), and the device of its diagnostic partition (empty for none).
func (v *VCenter) setHost(name, connection string, dump *string) error {
	v.storage.Lock()
	defer v.storage.Unlock()
	var h *hostStorage
	for _, known := range v.hosts {
		if known.name == name {
			h = known
		}
	}
	if h == nil {
		return fmt.Errorf("no host %q", name)
	}
	switch state := types.HostSystemConnectionState(connection); state {
	case "":
	case types.HostSystemConnectionStateConnected, types.HostSystemConnectionStateDisconnected,
		types.HostSystemConnectionStateNotResponding:
		v.registry.AtomicUpdate(v.context(), h.host, []types.PropertyChange{{Name: "runtime.connectionState", Val: state}})
		if state == types.HostSystemConnectionStateConnected {
			v.publish(h)
		}
	default:
		return fmt.Errorf("no connection state %q", connection)
	}
	if dump == nil {
		return nil
	}
	if *dump != "" && h.sees(*dump) == nil {
		return fmt.Errorf("host %s does not see device %q", name, *dump)
	}
	h.dump = *dump
	var partition *types.HostDiagnosticPartition
	if h.dump != "" {
		partition = &types.HostDiagnosticPartition{
			StorageType:    string(types.DiagnosticPartitionStorageTypeNetworkAttached),
			DiagnosticType: string(types.DiagnosticPartitionTypeSingleHost), Slots: 1,
			Id: types.HostScsiDiskPartition{DiskName: h.dump, Partition: 7},
		}
	}
	v.registry.WithLock(v.context(), h.host, func() {
		config := *h.host.Config
		config.ActiveDiagnosticPartition = partition
		h.host.Config = &config
	})
	return nil
}

// settings are the vCenter's own advanced settings; hosts have such a manager each.
func (v *VCenter) settings() types.ManagedObjectReference { return v.registry.OptionManager().Self }

// unreachable is the fault of a call that the vCenter would have to hand on to a host that does not answer. What it
// remembers of the host can still be read.
func (v *VCenter) unreachable(m *simulator.Method) types.BaseMethodFault {
	switch m.This.Type {
	case "HostStorageSystem", "HostDatastoreSystem", "HostNetworkSystem", "ManagedMethodExecuter":
	case "OptionManager":
		if m.This == v.settings() {
			return nil
		}
	case "HostSystem":
		if m.Name != "RetrieveManagedMethodExecuter" {
			return nil
		}
	default:
		return nil
	}
	v.storage.RLock()
	defer v.storage.RUnlock()
	for _, h := range v.hosts {
		c := h.host.ConfigManager
		mine := m.This == h.ref || m.This.Type == "ManagedMethodExecuter" && m.This.Value == h.ref.Value
		for _, manager := range []*types.ManagedObjectReference{c.StorageSystem, c.DatastoreSystem, c.NetworkSystem, c.AdvancedOption} {
			mine = mine || manager != nil && *manager == m.This
		}
		if !mine {
			continue
		}
		state := types.HostSystemConnectionStateConnected
		v.registry.WithLock(v.context(), h.host, func() { state = h.host.Runtime.ConnectionState })
		switch state {
		case types.HostSystemConnectionStateDisconnected:
			return &types.HostNotConnected{}
		case types.HostSystemConnectionStateNotResponding:
			return &types.HostNotReachable{}
		}
	}
	return nil
}
