package vcenter

import (
	"testing"

	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

func onRelease(name string) func(*Options) { return func(o *Options) { o.Release = name } }

func TestEachReleaseSaysWhatItIsAndBoundsTheHardware(t *testing.T) {
	for _, r := range releases {
		t.Run(r.name, func(t *testing.T) {
			b := startBench(t, onRelease(r.name))
			about := b.client.ServiceContent.About
			if about.Version != r.version || about.ApiVersion != r.apiVersion {
				t.Errorf("about %s, API %s", about.Version, about.ApiVersion)
			}
			var host mo.HostSystem
			b.ok(b.client.RetrieveOne(b.ctx, b.host(0).Reference(), []string{"config.product", "summary.config.product"}, &host))
			if host.Config.Product.Version != r.host || host.Summary.Config.Product.Version != r.host {
				t.Errorf("host %s, summary %s, want %s", host.Config.Product.Version, host.Summary.Config.Product.Version, r.host)
			}
			vm := must(b.create(b.spec("vm", "site-local", gibibyte), nil))
			if got := b.machineOf(vm).Config.Version; got != r.hardware.String() {
				t.Errorf("hardware %s, want %s", got, r.hardware)
			}
			spec := b.spec("later", "site-local", gibibyte)
			spec.Version = (r.hardware + 1).String()
			_, err := b.create(spec, nil)
			expectFault[types.VirtualHardwareVersionNotSupported](t, err)
			spec.Version = "vmx-x"
			_, err = b.create(spec, nil)
			expectFault[types.InvalidArgument](t, err)
		})
	}
}

func TestARelease65HasNoNvmeOverFabrics(t *testing.T) {
	b := startBench(t, onRelease("6.5"))
	info := b.storageOf(0).StorageDeviceInfo
	if info.NvmeTopology != nil {
		t.Error("there is an NVMe topology")
	}
	for _, adapter := range info.HostBusAdapter {
		if of := adapter.GetHostHostBusAdapter(); of.StorageProtocol != "" || of.Device == "vmhba65" {
			t.Errorf("adapter %s of protocol %q", of.Device, of.StorageProtocol)
		}
	}
	_, err := methods.DiscoverNvmeControllers(b.ctx, b.client.Client, &types.DiscoverNvmeControllers{
		This: b.storageSystem(0).Reference(),
		DiscoverSpec: types.HostNvmeDiscoverSpec{HostNvmeSpec: types.HostNvmeSpec{
			HbaName: "vmhba65", TransportParameters: &types.HostNvmeOverFibreChannelParameters{},
		}},
	})
	expectFault[types.MethodNotFound](t, err)
	var host mo.HostSystem
	err = b.client.RetrieveOne(b.ctx, b.host(0).Reference(), []string{"hardware.systemInfo.qualifiedName"}, &host)
	expectFault[types.InvalidProperty](t, err)
	if _, err := b.esxcli(0, "storage", "hpp", "device", "list"); err == nil {
		t.Error("esxcli knows the high-performance plug-in")
	}
	if _, err := b.esxcli(0, "storage", "core", "device", "list"); err != nil {
		t.Error(err)
	}
}

func TestADeviceNamesItsProtocolFrom80On(t *testing.T) {
	for _, r := range releases {
		b := startBench(t, onRelease(r.name))
		name := b.newLun(50, 0)
		if says := b.disk(0, name).ApplicationProtocol != ""; says != r.deviceProtocol {
			t.Errorf("%s: a device names its protocol: %v", r.name, says)
		}
	}
}

func TestAReleaseThatTheLabDoesNotRunIsRefused(t *testing.T) {
	if _, err := releaseOf("5.5"); err == nil {
		t.Error("5.5 was taken")
	}
}

func TestVmfs5IsMadeWhenAskedForAndNoOther(t *testing.T) {
	b := startBench(t, onRelease("6.5"))
	device := b.newLun(51, 0)
	system := must(b.host(0).ConfigManager().DatastoreSystem(b.ctx))
	ask := func(version int32) (*types.QueryVmfsDatastoreCreateOptionsResponse, error) {
		return methods.QueryVmfsDatastoreCreateOptions(b.ctx, b.client.Client, &types.QueryVmfsDatastoreCreateOptions{
			This: system.Reference(), DevicePath: "/vmfs/devices/disks/" + device, VmfsMajorVersion: version,
		})
	}
	_, err := ask(3)
	expectFault[types.InvalidArgument](t, err)
	spec := *must(ask(5)).Returnval[0].Spec.(*types.VmfsDatastoreCreateSpec)
	spec.Vmfs.VolumeName = "old"
	ds := must(system.CreateVmfsDatastore(b.ctx, spec))
	if got := b.datastoreOf(ds).Info.(*types.VmfsDatastoreInfo).Vmfs.MajorVersion; got != 5 {
		t.Errorf("VMFS %d, want 5", got)
	}
}

func TestARelease65HasNoAgentMachines(t *testing.T) {
	b := startBench(t, onRelease("6.5"))
	if err := b.deployAgent("cluster-0", "site-local"); err == nil {
		t.Error("an agent machine was deployed")
	}
}

// Which hosts there are is the world's; whether the vCenter is connected to one is for its clients to change.
func TestHostsAreNotAddedButDisconnectedAndConnected(t *testing.T) {
	b := startBench(t, onRelease("7.0"))
	cluster := must(b.find().ClusterComputeResource(b.ctx, "cluster-0"))
	_, err := cluster.AddHost(b.ctx, types.HostConnectSpec{HostName: "esx99"}, true, nil, nil)
	expectFault[types.NotSupported](t, err)
	host := b.host(0)
	b.ok(must(host.Disconnect(b.ctx)).WaitEx(b.ctx))
	b.ok(must(host.Reconnect(b.ctx, nil, nil)).WaitEx(b.ctx))
	b.unpanicked()
}
