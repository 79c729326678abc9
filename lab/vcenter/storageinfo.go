package vcenter

import (
	"fmt"

	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

// info builds a host's storage as clients read it. Always a new structure: readers may still hold the old one.
func (h *hostStorage) info() *types.HostStorageDeviceInfo {
	info := h.local
	info.HostBusAdapter = append([]types.BaseHostHostBusAdapter{}, h.local.HostBusAdapter...)
	info.ScsiLun = append([]types.BaseScsiLun{}, h.local.ScsiLun...)
	paths := *h.local.MultipathInfo
	paths.Lun = append([]types.HostMultipathInfoLogicalUnit{}, paths.Lun...)
	topology := *h.local.ScsiTopology
	topology.Adapter = append([]types.HostScsiTopologyInterface{}, topology.Adapter...)
	for i, adapter := range h.adapters {
		info.HostBusAdapter = append(info.HostBusAdapter, adapterInfo(adapter, i))
		if adapter.NvmeDevice != "" {
			info.HostBusAdapter = append(info.HostBusAdapter, nvmeAdapterInfo(adapter, i))
		}
		topology.Adapter = append(topology.Adapter, h.topologyInfo(adapter))
	}
	for _, l := range h.sorted() {
		info.ScsiLun = append(info.ScsiLun, l.diskInfo())
		paths.Lun = append(paths.Lun, l.multipathInfo())
	}
	info.MultipathInfo, info.ScsiTopology = &paths, &topology
	info.NvmeTopology = h.nvmeTopology()
	h.release.forget(&info)
	return &info
}

func adapterKey(device string) string { return "key-vim.host.FibreChannelHba-" + device }

func adapterInfo(a worldclient.Adapter, index int) *types.HostFibreChannelHba {
	status := "online"
	if !a.Online {
		status = "offline"
	}
	model := a.Model
	if model == "" {
		model = "Emulex LightPulse LPe32000 PCIe Fibre Channel Adapter"
	}
	// Checked when the host was taken over.
	port, _ := worldclient.ParseWwn(a.Wwpn)
	node, _ := worldclient.ParseWwn(a.Wwnn)
	return &types.HostFibreChannelHba{
		HostHostBusAdapter: types.HostHostBusAdapter{
			Key: adapterKey(a.Device), Device: a.Device, Bus: 59, Status: status, Model: model, Driver: "lpfc",
			Pci: fmt.Sprintf("0000:3b:00.%d", index), StorageProtocol: "scsi",
		},
		PortWorldWideName: port, NodeWorldWideName: node, PortType: types.FibreChannelPortTypeFabric,
		// Hosts report Gbit/s here, whatever the API reference says about bits per second.
		Speed: a.SpeedGbps,
	}
}

// nvmeAdapterInfo is the second adapter of a port: same names, another protocol.
func nvmeAdapterInfo(a worldclient.Adapter, index int) *types.HostFibreChannelHba {
	hba := adapterInfo(a, index)
	hba.Key, hba.Device = adapterKey(a.NvmeDevice), a.NvmeDevice
	hba.StorageProtocol = string(types.HostStorageProtocolNvme)
	return hba
}

func transport(p worldclient.Path) *types.HostFibreChannelTargetTransport {
	port, _ := worldclient.ParseWwn(p.TargetWwpn)
	node, _ := worldclient.ParseWwn(p.TargetWwnn)
	return &types.HostFibreChannelTargetTransport{PortWorldWideName: port, NodeWorldWideName: node}
}

func (l *lun) diskInfo() *types.HostScsiDisk {
	path := "/vmfs/devices/disks/" + l.name()
	protocol := types.DeviceProtocolSCSI
	if l.isNvme() {
		protocol = types.DeviceProtocolNVMe
	}
	return &types.HostScsiDisk{
		ScsiLun: types.ScsiLun{
			HostDevice: types.HostDevice{DeviceName: path, DeviceType: "disk"},
			Key:        l.key(), Uuid: l.uuid(), CanonicalName: l.name(),
			Descriptor: []types.ScsiLunDescriptor{
				{Quality: "highQuality", Id: l.name()},
				{Quality: "highQuality", Id: "vml." + l.uuid()},
				{Quality: "lowQuality", Id: l.uuid()},
			},
			DisplayName: fmt.Sprintf("%s Fibre Channel Disk (%s)", l.device.Vendor, l.name()),
			LunType:     "disk",
			// Inquiry fields are padded with spaces, and hosts pass them on so.
			Vendor: fmt.Sprintf("%-8s", l.device.Vendor), Model: fmt.Sprintf("%-16s", l.device.Model),
			Revision: fmt.Sprintf("%-4s", l.device.Revision), ScsiLevel: 6, SerialNumber: "unavailable",
			QueueDepth: maxQueueDepth, OperationalState: []string{l.state()},
			Capabilities:    &types.ScsiLunCapabilities{UpdateDisplayNameSupported: true},
			VStorageSupport: "vStorageSupported", ProtocolEndpoint: types.NewBool(false),
			PerenniallyReserved: types.NewBool(false), ApplicationProtocol: string(protocol),
		},
		Capacity:   types.HostDiskDimensionsLba{BlockSize: blockSize, Block: int64(l.device.CapacityBytes) / blockSize},
		DevicePath: path, Ssd: types.NewBool(true), LocalDisk: types.NewBool(false),
		EmulatedDIXDIFEnabled: types.NewBool(false), ScsiDiskType: "native512",
	}
}

func (l *lun) multipathInfo() types.HostMultipathInfoLogicalUnit {
	unit := types.HostMultipathInfoLogicalUnit{
		Key: l.multipathKey(), Id: l.uuid(), Lun: l.key(), Policy: l.policyInfo(),
	}
	if !l.isNvme() {
		unit.StorageArrayTypePolicy = &types.HostMultipathInfoLogicalUnitStorageArrayTypePolicy{Policy: satpAlua}
	}
	for _, p := range l.paths {
		state := l.pathState(p)
		unit.Path = append(unit.Path, types.HostMultipathInfoPath{
			Key: "key-vim.host.MultipathInfo.Path-" + l.pathName(p), Name: l.pathName(p), PathState: state, State: state,
			IsWorkingPath: types.NewBool(l.working(p)), Adapter: adapterKey(p.Adapter), Lun: l.multipathKey(),
			Transport: transport(p.Path),
		})
	}
	return unit
}

func (l *lun) policyInfo() types.BaseHostMultipathInfoLogicalUnitPolicy {
	policy := types.HostMultipathInfoLogicalUnitPolicy{Policy: l.policy}
	if l.isNvme() {
		return l.hpp.info(policy)
	}
	if l.policy != policyFixed {
		return &policy
	}
	return &types.HostMultipathInfoFixedLogicalUnitPolicy{HostMultipathInfoLogicalUnitPolicy: policy, Prefer: l.preferred}
}

func (h *hostStorage) topologyInfo(a worldclient.Adapter) types.HostScsiTopologyInterface {
	face := types.HostScsiTopologyInterface{
		Key: "key-vim.host.ScsiTopology.Interface-" + a.Device, Adapter: adapterKey(a.Device),
	}
	index := map[int]int{}
	for _, l := range h.sorted() {
		for _, p := range l.paths {
			if p.Adapter != a.Device {
				continue
			}
			at, ok := index[p.target]
			if !ok {
				at = len(face.Target)
				index[p.target] = at
				face.Target = append(face.Target, types.HostScsiTopologyTarget{
					Key:    fmt.Sprintf("key-vim.host.ScsiTopology.Target-%s:0:%d", a.Device, p.target),
					Target: int32(p.target), Transport: transport(p.Path),
				})
			}
			face.Target[at].Lun = append(face.Target[at].Lun, types.HostScsiTopologyLun{
				Key: "key-vim.host.ScsiTopology.Lun-" + l.uuid(), Lun: l.device.Lun, ScsiLun: l.key(),
			})
		}
	}
	return face
}
