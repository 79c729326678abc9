package vcenter

import (
	"fmt"
	"strings"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

// release is what a vSphere release says of itself, and what it does not have yet. Versions and builds are those of the
// last update that the release's notes name; what appeared when is from the API reference ("Since").
type release struct {
	name string
	// vCenter and ESXi.
	version, apiVersion, build string
	host, hostBuild            string
	// hardware is the newest hardware version that a host runs: 13 is vmx-13.
	hardware types.HardwareVersion
	// template is the guest id of templates: later ones are not known.
	template types.VirtualMachineGuestOsIdentifier
	// nvme: NVMe over Fabrics and the high-performance plug-in's API (7.0).
	nvme bool
	// agents: the machines of vSphere Cluster Services (7.0 U1).
	agents bool
	// deviceProtocol: ScsiLun.applicationProtocol (8.0.1).
	deviceProtocol bool
}

// DefaultRelease of a lab that asks for none.
const DefaultRelease = "8.0"

var releases = []release{
	{
		name: "6.5", version: "6.5.0", apiVersion: "6.5", build: "17994927", host: "6.5.0", hostBuild: "17167537",
		hardware: types.VMX13, template: types.VirtualMachineGuestOsIdentifierDebian10_64Guest,
	},
	{
		name: "7.0", version: "7.0.3", apiVersion: "7.0.3.0", build: "18778458", host: "7.0.3", hostBuild: "18644231",
		hardware: types.VMX19, template: types.VirtualMachineGuestOsIdentifierDebian11_64Guest, nvme: true, agents: true,
	},
	{
		name: "8.0", version: "8.0.3", apiVersion: "8.0.3.0", build: "24022515", host: "8.0.2", hostBuild: "22380479",
		hardware: types.VMX21, template: types.VirtualMachineGuestOsIdentifierDebian12_64Guest, nvme: true, agents: true,
		deviceProtocol: true,
	},
}

// releaseOf finds a release by name; the empty one is the default.
func releaseOf(name string) (*release, error) {
	if name == "" {
		name = DefaultRelease
	}
	var names []string
	for i := range releases {
		if releases[i].name == name {
			return &releases[i], nil
		}
		names = append(names, releases[i].name)
	}
	return nil, fmt.Errorf("there is no vSphere release %q; the lab runs %s", name, strings.Join(names, ", "))
}

// since70 are the calls that 6.5 does not know (API reference: since 7.0).
const since70 = "DiscoverNvmeControllers ConnectNvmeController ConnectNvmeControllerEx_Task DisconnectNvmeController " +
	"DisconnectNvmeControllerEx_Task UpdateHppMultipathLunPolicy"

// ofTheWorld are calls that change which hosts and clusters there are. Those come from the lab's world, and the simulator
// ends the process when it adds a host of a release that is not in its own list.
const ofTheWorld = "AddHost_Task AddStandaloneHost_Task MoveInto_Task MoveHostInto_Task CreateCluster CreateClusterEx " +
	"CreateDatacenter"

// refuses answers the fault for what this release's API does not have, and for what the lab's vCenter does not let do.
func (r *release) refuses(m *simulator.Method) types.BaseMethodFault {
	if lists(ofTheWorld, m.Name) {
		return &types.NotSupported{}
	}
	if !r.nvme && lists(since70, m.Name) {
		return &types.MethodNotFound{Receiver: m.This, Method: m.Name}
	}
	for _, path := range pathsOf(m.Body) {
		if !r.knows(path) {
			return &types.InvalidProperty{Name: path}
		}
	}
	return nil
}

// knows is false for properties that came later.
func (r *release) knows(path string) bool {
	switch {
	case strings.HasSuffix(path, ".nvmeTopology"), strings.HasSuffix(path, ".qualifiedName"):
		return r.nvme
	}
	return true
}

// pathsOf lists the properties that a call of a property collector asks for.
func pathsOf(body types.AnyType) []string {
	var specs []types.PropertyFilterSpec
	switch req := body.(type) {
	case *types.RetrieveProperties:
		specs = req.SpecSet
	case *types.RetrievePropertiesEx:
		specs = req.SpecSet
	case *types.CreateFilter:
		specs = []types.PropertyFilterSpec{req.Spec}
	}
	var paths []string
	for _, spec := range specs {
		for _, set := range spec.PropSet {
			paths = append(paths, set.PathSet...)
		}
	}
	return paths
}

// forget takes out of a host's storage what this release does not show.
func (r *release) forget(info *types.HostStorageDeviceInfo) {
	if !r.nvme {
		info.NvmeTopology = nil
		for _, adapter := range info.HostBusAdapter {
			// What is local to the host is shared with earlier readers, and says nothing anyway.
			if hba := adapter.GetHostHostBusAdapter(); hba.StorageProtocol != "" {
				hba.StorageProtocol = ""
			}
		}
	}
	if r.deviceProtocol {
		return
	}
	for _, device := range info.ScsiLun {
		if l := device.GetScsiLun(); l.ApplicationProtocol != "" {
			l.ApplicationProtocol = ""
		}
	}
}

// hasCommand is false for esxcli's name spaces of NVMe and of the high-performance plug-in before 7.0.
func (r *release) hasCommand(name string) bool {
	return r.nvme || !strings.HasPrefix(name, "nvme.") && !strings.HasPrefix(name, "storage.hpp.")
}

// hostProduct makes a host one of this release.
func (r *release) hostProduct(host *simulator.HostSystem) {
	product := host.Config.Product
	product.Version, product.ApiVersion, product.Build = r.host, r.apiVersion, r.hostBuild
	product.FullName = "VMware ESXi " + r.host + " build-" + r.hostBuild
	host.Config.Product = product
	host.Summary.Config.Product = &product
}

// hardwareVersions cuts the list of hardware versions of a cluster to what its hosts run. The simulator has made it from
// its own capture of a host.
func (v *VCenter) hardwareVersions() {
	for _, h := range v.hosts {
		cluster, ok := v.registry.Get(*h.host.Parent).(*simulator.ClusterComputeResource)
		if !ok || cluster.EnvironmentBrowser == nil {
			continue
		}
		browser := v.registry.Get(*cluster.EnvironmentBrowser).(*simulator.EnvironmentBrowser)
		known := browser.QueryConfigOptionDescriptorResponse.Returnval
		var kept []types.VirtualMachineConfigOptionDescriptor
		for _, option := range known {
			version, err := types.ParseHardwareVersion(option.Key)
			if err == nil && version <= v.release.hardware {
				option.DefaultConfigOption = version == v.release.hardware
				kept = append(kept, option)
			}
		}
		browser.QueryConfigOptionDescriptorResponse.Returnval = kept
	}
}

// checkHardware refuses a machine of a hardware version that the hosts do not run, and gives a new one the newest.
func (v *VCenter) checkHardware(spec *types.VirtualMachineConfigSpec) types.BaseMethodFault {
	if spec.Version == "" {
		spec.Version = v.release.hardware.String()
		return nil
	}
	asked, err := types.ParseHardwareVersion(spec.Version)
	if err != nil {
		return &types.InvalidArgument{InvalidProperty: "configSpec.version"}
	}
	if asked > v.release.hardware {
		return &types.VirtualHardwareVersionNotSupported{HostName: v.sortedHosts()[0].name, Host: v.sortedHosts()[0].ref}
	}
	return nil
}
