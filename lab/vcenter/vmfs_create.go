package vcenter

import (
	"context"
	"fmt"
	"os"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

// datastoreSystemCalls serves the calls of a HostDatastoreSystem.
type datastoreSystemCalls struct {
	*simulator.HostDatastoreSystem
	unlocked
	v *VCenter
}

func (s *datastoreSystemCalls) host() *hostStorage { return s.v.hosts[s.Host.Self] }

// free lists the LUNs of a host that could take a new datastore: seen, in service, no datastore on them. A left-over
// VMFS signature does not hide a LUN; creating a datastore formats it.
func (v *VCenter) free(h *hostStorage) []*lun {
	var free []*lun
	for _, l := range h.sorted() {
		if h.sees(l.name()) != nil && v.onDevice(l.name()) == nil {
			free = append(free, l)
		}
	}
	return free
}

// QueryAvailableDisksForVmfs lists the disks for new datastores.
func (s *datastoreSystemCalls) QueryAvailableDisksForVmfs(
	_ *simulator.Context, _ *types.QueryAvailableDisksForVmfs,
) soap.HasFault {
	s.v.storage.RLock()
	defer s.v.storage.RUnlock()
	res := &types.QueryAvailableDisksForVmfsResponse{}
	for _, l := range s.v.free(s.host()) {
		res.Returnval = append(res.Returnval, *l.diskInfo())
	}
	return &methods.QueryAvailableDisksForVmfsBody{Res: res}
}

// QueryVmfsDatastoreCreateOptions answers one option: the whole disk.
func (s *datastoreSystemCalls) QueryVmfsDatastoreCreateOptions(
	_ *simulator.Context, req *types.QueryVmfsDatastoreCreateOptions,
) soap.HasFault {
	s.v.storage.RLock()
	defer s.v.storage.RUnlock()
	body := &methods.QueryVmfsDatastoreCreateOptionsBody{}
	// None asked for is the newest that the host has.
	version := req.VmfsMajorVersion
	if version == 0 {
		version = newestVmfs
	}
	if version != newestVmfs && version != olderVmfs {
		body.Fault_ = simulator.Fault("", &types.InvalidArgument{InvalidProperty: "vmfsMajorVersion"})
		return body
	}
	for _, l := range s.v.free(s.host()) {
		if l.diskInfo().DevicePath == req.DevicePath {
			body.Res = &types.QueryVmfsDatastoreCreateOptionsResponse{
				Returnval: []types.VmfsDatastoreOption{wholeDisk(l, version)},
			}
			return body
		}
	}
	body.Fault_ = simulator.Fault("no free disk "+req.DevicePath, &types.NotFound{})
	return body
}

// Versions of VMFS that hosts from 6.5 to 8.0 make.
const (
	olderVmfs  = 5
	newestVmfs = 6
)

// firstSector leaves room for the partition table; VMFS aligns to 1 MiB.
const firstSector = 2048

func wholeDisk(l *lun, version int32) types.VmfsDatastoreOption {
	sectors := int64(l.device.CapacityBytes) / blockSize
	extent := types.HostDiskPartitionBlockRange{
		Partition: 1, Type: "vmfs",
		Start: types.HostDiskDimensionsLba{BlockSize: blockSize, Block: firstSector},
		End:   types.HostDiskDimensionsLba{BlockSize: blockSize, Block: sectors - 1},
	}
	base := types.VmfsDatastoreBaseOption{
		Layout: types.HostDiskPartitionLayout{
			Total:     &types.HostDiskDimensionsLba{BlockSize: blockSize, Block: sectors},
			Partition: []types.HostDiskPartitionBlockRange{extent},
		},
		PartitionFormatChange: types.NewBool(true),
	}
	return types.VmfsDatastoreOption{
		Info: &types.VmfsDatastoreAllExtentOption{VmfsDatastoreSingleExtentOption: types.VmfsDatastoreSingleExtentOption{
			VmfsDatastoreBaseOption: base, VmfsExtent: extent,
		}},
		Spec: &types.VmfsDatastoreCreateSpec{
			VmfsDatastoreSpec: types.VmfsDatastoreSpec{DiskUuid: l.uuid()},
			Partition: types.HostDiskPartitionSpec{
				PartitionFormat: "gpt", TotalSectors: sectors,
				Partition: []types.HostDiskPartitionAttributes{{
					Partition: 1, StartSector: firstSector, EndSector: sectors - 1, Type: "vmfs",
				}},
			},
			Vmfs: types.HostVmfsSpec{
				Extent: types.HostScsiDiskPartition{DiskName: l.name(), Partition: 1}, MajorVersion: version,
			},
		},
	}
}

// CreateVmfsDatastore formats a LUN and mounts it here and, unless that is switched off, on all hosts that see it.
func (s *datastoreSystemCalls) CreateVmfsDatastore(
	_ *simulator.Context, req *types.CreateVmfsDatastore,
) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.CreateVmfsDatastoreBody{}
	d, fault := s.v.createVmfs(s.host(), &req.Spec)
	if fault != nil {
		body.Fault_ = fault
		return body
	}
	body.Res = &types.CreateVmfsDatastoreResponse{Returnval: d.ref}
	return body
}

func (v *VCenter) createVmfs(h *hostStorage, spec *types.VmfsDatastoreCreateSpec) (*datastore, *soap.Fault) {
	name := spec.Vmfs.VolumeName
	if name == "" {
		return nil, simulator.Fault("", &types.InvalidArgument{InvalidProperty: "spec.vmfs.volumeName"})
	}
	if len(spec.Extent) > 0 {
		return nil, simulator.Fault("a datastore of several extents", &types.NotSupported{})
	}
	l := h.byUUID(spec.DiskUuid)
	if l == nil {
		return nil, simulator.Fault("", &types.NotFound{})
	}
	if h.sees(l.name()) == nil {
		return nil, hostFault(fmt.Sprintf("device %s is %s on host %s", l.name(), l.state(), h.name))
	}
	if other := v.onDevice(l.name()); other != nil {
		return nil, hostFault(fmt.Sprintf("datastore %s lies on device %s", other.name, l.name()))
	}
	for _, other := range v.datastores {
		if other.name == name {
			return nil, simulator.Fault("", &types.DuplicateName{Name: name, Object: other.ref})
		}
	}
	version := spec.Vmfs.MajorVersion
	if version != newestVmfs && version != olderVmfs {
		return nil, simulator.Fault("", &types.InvalidArgument{InvalidProperty: "spec.vmfs.majorVersion"})
	}
	d := &datastore{
		vmfs: version, name: name, uuid: newVmfsUUID(), device: l.name(), volumeID: l.device.VolumeID, contentDir: l.device.ContentDir,
		capacity: int64(l.device.CapacityBytes),
	}
	if d.contentDir != "" {
		if err := os.MkdirAll(d.contentDir, 0o700); err != nil {
			return nil, hostFault(err.Error())
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), worldTimeout)
	defer cancel()
	signature := worldclient.Vmfs{UUID: d.uuid, Label: name}
	if err := v.opt.World.SetVmfs(ctx, d.volumeID, signature); err != nil {
		return nil, hostFault(err.Error())
	}
	if err := v.addDatastore(d); err != nil {
		return nil, hostFault(err.Error())
	}
	v.sign(d.device, &signature)
	v.attach(d, h)
	v.publish(h)
	if !v.opt.NoAutoMount {
		v.mountElsewhere(d, h)
	}
	return d, nil
}

// mountElsewhere is what a vCenter does after it has made a datastore: all other hosts rescan and mount it.
func (v *VCenter) mountElsewhere(d *datastore, first *hostStorage) {
	for _, h := range v.sortedHosts() {
		if h == first {
			continue
		}
		if err := v.discover(h, ""); err != nil {
			v.log.Printf("vcenter: rescan of host %s for datastore %s: %v", h.name, d.name, err)
			continue
		}
		v.mountKnown(h)
		v.publish(h)
	}
}

// sign notes a signature on a device for all hosts that know it.
func (v *VCenter) sign(device string, signature *worldclient.Vmfs) {
	for _, h := range v.hosts {
		if l := h.luns[device]; l != nil {
			l.device.Vmfs = signature
		}
	}
}
