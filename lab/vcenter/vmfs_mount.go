package vcenter

import (
	"fmt"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// UnmountVmfsVolume takes a datastore out of use on this host. It stays in the inventory, unmounted.
func (s *storageSystemCalls) UnmountVmfsVolume(_ *simulator.Context, req *types.UnmountVmfsVolume) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.UnmountVmfsVolumeBody{}
	if fault := s.v.unmount(s.host(), req.VmfsUuid); fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	body.Res = &types.UnmountVmfsVolumeResponse{}
	return body
}

func (v *VCenter) unmount(h *hostStorage, uuid string) types.BaseMethodFault {
	d := v.byVmfs(uuid)
	if d == nil || d.mounts[h.ref] == nil {
		return &types.NotFound{}
	}
	if !d.mounts[h.ref].mounted {
		return &types.InvalidState{}
	}
	if d.device == "" || len(v.machinesOn(d, h.ref)) > 0 || v.heldBy(d, h) != "" {
		return inUse("VMFS volume", d.name)
	}
	d.mounts[h.ref].mounted = false
	h.unmounted[uuid] = true
	v.publish(h)
	return nil
}

// MountVmfsVolume reverses UnmountVmfsVolume.
func (s *storageSystemCalls) MountVmfsVolume(_ *simulator.Context, req *types.MountVmfsVolume) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.MountVmfsVolumeBody{}
	h := s.host()
	d := s.v.byVmfs(req.VmfsUuid)
	switch {
	case d == nil || d.device == "":
		body.Fault_ = simulator.Fault("", &types.NotFound{})
	case d.mounts[h.ref] != nil && d.mounts[h.ref].mounted:
		body.Fault_ = simulator.Fault("", &types.InvalidState{})
	case h.sees(d.device) == nil:
		body.Fault_ = hostFault(fmt.Sprintf("host %s cannot reach device %s", h.name, d.device))
	default:
		delete(h.unmounted, d.uuid)
		s.v.attach(d, h)
		s.v.publish(h)
		body.Res = &types.MountVmfsVolumeResponse{}
	}
	return body
}

// DeleteVmfsVolumeState lets the host forget a volume that it has unmounted.
func (s *storageSystemCalls) DeleteVmfsVolumeState(
	_ *simulator.Context, req *types.DeleteVmfsVolumeState,
) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.DeleteVmfsVolumeStateBody{}
	h := s.host()
	d := s.v.byVmfs(req.VmfsUuid)
	switch {
	case d != nil && d.mounts[h.ref] != nil && d.mounts[h.ref].mounted:
		body.Fault_ = simulator.Fault("", &types.InvalidState{})
		return body
	case !h.unmounted[req.VmfsUuid]:
		body.Fault_ = simulator.Fault("", &types.NotFound{})
		return body
	}
	delete(h.unmounted, req.VmfsUuid)
	if d != nil {
		s.v.forget(d, h)
		s.v.dropUnmounted()
	}
	s.v.publish(h)
	body.Res = &types.DeleteVmfsVolumeStateResponse{}
	return body
}

// unresolved lists the volumes with a VMFS signature that this vCenter has no datastore for on that device: left-over
// file systems and copies.
func (v *VCenter) unresolved(h *hostStorage) []types.HostUnresolvedVmfsVolume {
	var found []types.HostUnresolvedVmfsVolume
	for _, l := range h.sorted() {
		signature := l.device.Vmfs
		if signature == nil || h.sees(l.name()) == nil {
			continue
		}
		known := v.byVmfs(signature.UUID)
		if known != nil && known.device == l.name() {
			continue
		}
		reason := types.HostUnresolvedVmfsExtentUnresolvedReasonDiskIdMismatch
		if known != nil {
			reason = types.HostUnresolvedVmfsExtentUnresolvedReasonUuidConflict
		}
		blocks := int32(int64(l.device.CapacityBytes) >> 20)
		found = append(found, types.HostUnresolvedVmfsVolume{
			VmfsLabel: signature.Label, VmfsUuid: signature.UUID, TotalBlocks: blocks,
			ResolveStatus: types.HostUnresolvedVmfsVolumeResolveStatus{
				Resolvable: known == nil, IncompleteExtents: types.NewBool(false), MultipleCopies: types.NewBool(known != nil),
			},
			Extent: []types.HostUnresolvedVmfsExtent{{
				Device: types.HostScsiDiskPartition{DiskName: l.name(), Partition: 1}, VmfsUuid: signature.UUID,
				DevicePath: "/vmfs/devices/disks/" + l.name() + ":1", IsHeadExtent: true, EndBlock: blocks, Reason: string(reason),
			}},
		})
	}
	return found
}

// QueryUnresolvedVmfsVolume lists stale signatures.
func (s *storageSystemCalls) QueryUnresolvedVmfsVolume(
	_ *simulator.Context, _ *types.QueryUnresolvedVmfsVolume,
) soap.HasFault {
	s.v.storage.RLock()
	defer s.v.storage.RUnlock()
	return &methods.QueryUnresolvedVmfsVolumeBody{Res: &types.QueryUnresolvedVmfsVolumeResponse{
		Returnval: s.v.unresolved(s.host()),
	}}
}

// QueryUnresolvedVmfsVolumes is the same question at the datastore system.
func (s *datastoreSystemCalls) QueryUnresolvedVmfsVolumes(
	_ *simulator.Context, _ *types.QueryUnresolvedVmfsVolumes,
) soap.HasFault {
	s.v.storage.RLock()
	defer s.v.storage.RUnlock()
	return &methods.QueryUnresolvedVmfsVolumesBody{Res: &types.QueryUnresolvedVmfsVolumesResponse{
		Returnval: s.v.unresolved(s.host()),
	}}
}
