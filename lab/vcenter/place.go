package vcenter

import (
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

// place answers the host for a new machine: the one asked for, if it can take it, else the emptiest of the pool's
// cluster that can. The simulator's own choice reorders the cluster's host list and fails an assertion where no host
// fits. The caller holds VCenter.storage.
func (v *VCenter) place(
	pool types.ManagedObjectReference, asked *types.ManagedObjectReference, n *needs,
) (*hostStorage, types.BaseMethodFault) {
	if _, ok := v.registry.Get(pool).(mo.Entity); !ok {
		return nil, &types.ManagedObjectNotFound{Obj: pool}
	}
	if asked != nil {
		h := v.hosts[*asked]
		if h == nil {
			return nil, &types.ManagedObjectNotFound{Obj: *asked}
		}
		if v.outOfService(h) {
			return nil, &types.InvalidState{}
		}
		if fault := v.usable(h, n); fault != nil {
			return nil, fault
		}
		return h, v.space(n)
	}
	var fault types.BaseMethodFault = &types.NoCompatibleHost{}
	var best *hostStorage
	least := 0
	for _, h := range v.sortedHosts() {
		if !v.inCluster(h, pool) || v.outOfService(h) {
			continue
		}
		if f := v.usable(h, n); f != nil {
			fault = f
			continue
		}
		if count := v.machineCount(h); best == nil || count < least {
			best, least = h, count
		}
	}
	if best == nil {
		return nil, fault
	}
	return best, v.space(n)
}

// inCluster is true when a pool belongs to the host's cluster.
func (v *VCenter) inCluster(h *hostStorage, pool types.ManagedObjectReference) bool {
	cluster := *h.host.Parent
	for at := pool; ; {
		entity, ok := v.registry.Get(at).(mo.Entity)
		if !ok {
			return false
		}
		parent := entity.Entity().Parent
		if parent == nil {
			return false
		}
		if *parent == cluster {
			return true
		}
		at = *parent
	}
}

func (v *VCenter) outOfService(h *hostStorage) bool {
	out := false
	v.registry.WithLock(v.context(), h.host, func() {
		out = h.host.Runtime.InMaintenanceMode ||
			h.host.Runtime.ConnectionState != types.HostSystemConnectionStateConnected
	})
	return out
}

func (v *VCenter) machineCount(h *hostStorage) int {
	count := 0
	v.registry.WithLock(v.context(), h.host, func() { count = len(h.host.Vm) })
	return count
}

// folder finds the folder for a new machine.
func (v *VCenter) folder(ref types.ManagedObjectReference) (*simulator.Folder, types.BaseMethodFault) {
	folder, ok := v.registry.Get(ref).(*simulator.Folder)
	if !ok {
		return nil, &types.ManagedObjectNotFound{Obj: ref}
	}
	return folder, nil
}
