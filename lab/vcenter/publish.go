package vcenter

import (
	"sort"

	"github.com/vmware/govmomi/vim25/types"
)

// publish shows the current state of a host's storage: devices, paths and file systems. The caller holds
// VCenter.storage for writing.
func (v *VCenter) publish(h *hostStorage) {
	devices, volumes := h.info(), v.fileSystems(h)
	h.nvme.shown = true
	v.registry.AtomicUpdate(v.context(), h.host, []types.PropertyChange{
		{Name: "config.storageDevice", Val: devices},
		{Name: "config.fileSystemVolume", Val: volumes},
	})
	if system := v.registry.Get(*h.host.ConfigManager.StorageSystem); system != nil {
		v.registry.AtomicUpdate(v.context(), system, []types.PropertyChange{
			{Name: "storageDeviceInfo", Val: devices},
			{Name: "fileSystemVolumeInfo", Val: *volumes},
		})
	}
	for _, d := range v.datastores {
		if d.mounts[h.ref] != nil {
			v.publishDatastore(d)
		}
	}
	v.loseOrRestore(h)
}

// fileSystems lists what a host has mounted, and what it was told to unmount.
func (v *VCenter) fileSystems(h *hostStorage) *types.HostFileSystemVolumeInfo {
	info := &types.HostFileSystemVolumeInfo{VolumeTypeList: []string{"VMFS", "NFS", "NFS41", "vsan", "VVOL", "VFFS", "OTHER", "PMEM"}}
	var all []*datastore
	for _, d := range v.datastores {
		if d.mounts[h.ref] != nil {
			all = append(all, d)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i].uuid < all[j].uuid })
	for _, d := range all {
		info.MountInfo = append(info.MountInfo, types.HostFileSystemMountInfo{
			MountInfo: v.mountInfo(d, h), Volume: d.volume(), VStorageSupport: "vStorageSupported",
		})
	}
	return info
}

// mountInfo of a datastore on a host.
func (v *VCenter) mountInfo(d *datastore, h *hostStorage) types.HostMountInfo {
	mount := d.mounts[h.ref]
	accessible := mount.mounted && d.reachable(h)
	info := types.HostMountInfo{
		Path: "/vmfs/volumes/" + d.uuid, AccessMode: string(types.HostMountModeReadWrite),
		Mounted: types.NewBool(mount.mounted), Accessible: types.NewBool(accessible),
	}
	if mount.mounted && !accessible {
		info.InaccessibleReason = string(types.HostMountInfoInaccessibleReasonPermanentDeviceLoss)
	}
	return info
}

// publishDatastore shows where a datastore is mounted and reachable.
func (v *VCenter) publishDatastore(d *datastore) {
	var mounts []types.DatastoreHostMount
	accessible := false
	for _, h := range v.sortedHosts() {
		if d.mounts[h.ref] == nil {
			continue
		}
		info := v.mountInfo(d, h)
		accessible = accessible || *info.Accessible
		mounts = append(mounts, types.DatastoreHostMount{Key: h.ref, MountInfo: info})
	}
	v.registry.AtomicUpdate(v.context(), d.object, []types.PropertyChange{
		{Name: "host", Val: mounts},
		{Name: "summary.accessible", Val: accessible},
		{Name: "summary.multipleHostAccess", Val: len(mounts) > 1},
	})
	v.publishSpace(d)
}

// loseOrRestore lets the I/O of a host fail on volumes that it cannot reach any more.
func (v *VCenter) loseOrRestore(h *hostStorage) {
	if v.opt.Blocks == nil {
		return
	}
	for _, l := range h.luns {
		if err := v.opt.Blocks.SetLost(l.device.VolumeID, h.name, !l.alive()); err != nil {
			v.log.Printf("vcenter: block devices of host %s on volume %s: %v", h.name, l.device.VolumeID, err)
		}
	}
}

func (v *VCenter) sortedHosts() []*hostStorage {
	all := make([]*hostStorage, 0, len(v.hosts))
	for _, h := range v.hosts {
		all = append(all, h)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	return all
}
