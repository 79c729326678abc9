package vcenter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/vmware/govmomi/cli/esx"
	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
	"sanbed.dev/lab/worldclient/fakedaemon"
)

// newNamespace makes a namespace for hosts and rescans them.
func (b *bench) newNamespace(number int, hosts ...int) string {
	b.t.Helper()
	name := b.daemon.AddNamespace(number, 10*gibibyte, 512)
	for _, i := range hosts {
		b.daemon.Admit(true, b.daemon.Hosts()[i])
	}
	for _, i := range hosts {
		b.ok(b.storageSystem(i).RescanAllHba(b.ctx))
	}
	return name
}

func (b *bench) controllers(i int) []types.HostNvmeController {
	b.t.Helper()
	var all []types.HostNvmeController
	for _, adapter := range b.storageOf(i).StorageDeviceInfo.NvmeTopology.Adapter {
		all = append(all, adapter.ConnectedController...)
	}
	return all
}

func (b *bench) esxcli(i int, command ...string) ([]esx.Values, error) {
	b.t.Helper()
	executor, err := esx.NewExecutor(b.ctx, b.client.Client, b.host(i))
	b.ok(err)
	response, err := executor.Run(b.ctx, command)
	if err != nil {
		return nil, err
	}
	return response.Values, nil
}

func (b *bench) policyOf(i int, device string) types.BaseHostMultipathInfoLogicalUnitPolicy {
	for _, unit := range b.storageOf(i).StorageDeviceInfo.MultipathInfo.Lun {
		if unit.Lun == b.disk(i, device).Key {
			return unit.Policy
		}
	}
	return nil
}

func TestHostsHaveAnNvmeAdapterOnEachPortAndAnNqn(t *testing.T) {
	b := startBench(t)
	var found []string
	for _, adapter := range b.storageOf(0).StorageDeviceInfo.HostBusAdapter {
		if fc, ok := adapter.(*types.HostFibreChannelHba); ok {
			found = append(found, fc.Device+" "+fc.StorageProtocol+" "+worldclient.FormatWwn(fc.PortWorldWideName))
		}
	}
	want := "[vmhba2 scsi 21000024ff000000 vmhba65 nvme 21000024ff000000 vmhba3 scsi 21000024ff000001 vmhba66 nvme 21000024ff000001]"
	if fmt.Sprint(found) != want {
		t.Errorf("adapters %v, want %s", found, want)
	}
	var host mo.HostSystem
	b.ok(b.client.RetrieveOne(b.ctx, b.host(2).Reference(), []string{"hardware.systemInfo"}, &host))
	names := host.Hardware.SystemInfo.QualifiedName
	if len(names) != 1 || names[0].Value != "nqn.2014-08.com.vmware:nvme:esx03" || names[0].Type != "nvmeQualifiedName" {
		t.Errorf("qualified names %+v", names)
	}
	values, err := b.esxcli(2, "nvme", "info", "get")
	b.ok(err)
	if values[0]["HostNQN"][0] != names[0].Value {
		t.Errorf("esxcli says %v", values)
	}
}

func TestANamespaceAppearsWithARescanOverConnectedControllers(t *testing.T) {
	b := startBench(t)
	device := b.daemon.AddNamespace(1, 10*gibibyte, 512)
	b.ok(b.storageSystem(0).RescanAllHba(b.ctx))
	if b.disk(0, device) != nil || len(b.controllers(0)) != 0 {
		t.Fatal("the subsystem does not know the host, and yet")
	}
	b.daemon.Admit(true, b.daemon.Hosts()[0])
	b.ok(b.storageSystem(0).Refresh(b.ctx))
	if b.disk(0, device) != nil {
		t.Fatal("the namespace is there without a rescan")
	}
	b.ok(b.storageSystem(0).RescanAllHba(b.ctx))
	disk := b.disk(0, device)
	if disk == nil || disk.ApplicationProtocol != "NVMe" || disk.DisplayName != "NVMe Fibre Channel Disk ("+device+")" {
		t.Fatalf("disk %+v", disk)
	}
	if states := b.pathStates(0, device); states["active"] != 4 {
		t.Errorf("paths %v", states)
	}
	all := b.controllers(0)
	if len(all) != 4 || len(b.daemon.Connections(b.daemon.Hosts()[0])) != 4 {
		t.Fatalf("%d controllers", len(all))
	}
	first := all[0]
	if first.ControllerNumber != 256 || first.Subnqn != fakedaemon.Subsystem || first.TransportType != "fibreChannel" ||
		len(first.AttachedNamespace) != 1 || first.AttachedNamespace[0].Name != device || first.AttachedNamespace[0].BlockSize != 512 {
		t.Errorf("controller %+v", first)
	}
	paths, err := b.esxcli(0, "storage", "hpp", "path", "list", "-d", device)
	b.ok(err)
	var states []string
	for _, p := range paths {
		states = append(states, p["RuntimeName"][0]+" "+p["PathState"][0])
	}
	if got := strings.Join(states, ", "); got != "vmhba65:C0:T0:L1 active, vmhba65:C0:T1:L1 active unoptimized, "+
		"vmhba66:C0:T0:L1 active, vmhba66:C0:T1:L1 active unoptimized" {
		t.Errorf("paths %s", got)
	}
	if _, err := b.esxcli(0, "storage", "nmp", "device", "list", "-d", device); err == nil {
		t.Error("NMP lists a device that it does not own")
	}
}

func TestANamespaceWithOtherBlocksIsNoDevice(t *testing.T) {
	b := startBench(t)
	device := b.daemon.AddNamespace(2, 10*gibibyte, 4096)
	b.daemon.Admit(true, b.daemon.Hosts()[0])
	b.ok(b.storageSystem(0).RescanAllHba(b.ctx))
	if b.disk(0, device) != nil {
		t.Error("a device with blocks of 4096 bytes")
	}
	if attached := b.controllers(0)[0].AttachedNamespace; len(attached) != 1 || attached[0].BlockSize != 4096 {
		t.Errorf("attached %+v", attached)
	}
}

func TestControllersFollowTheFabric(t *testing.T) {
	b := startBench(t)
	device := b.newNamespace(3, 0)
	host := b.daemon.Hosts()[0]
	b.daemon.SetPath(host, "vmhba66", false)
	b.eventually("two controllers and two dead paths", func() bool {
		return len(b.controllers(0)) == 2 && b.pathStates(0, device)["dead"] == 2
	})
	b.daemon.SetPath(host, "vmhba66", true)
	b.eventually("four again", func() bool { return len(b.controllers(0)) == 4 && b.pathStates(0, device)["active"] == 4 })
	b.daemon.Admit(false, host)
	b.eventually("lost communication", func() bool { return b.disk(0, device).OperationalState[0] == "lostCommunication" })
	b.ok(b.storageSystem(0).RescanAllHba(b.ctx))
	b.eventually("nothing", func() bool { return len(b.controllers(0)) == 0 && len(b.daemon.Connections(host)) == 0 })
	if b.disk(0, device) != nil {
		t.Error("the namespace is still there after a rescan")
	}
}

func spec(adapter string, node int) types.HostNvmeSpec {
	port := must(worldclient.ParseWwn(fmt.Sprintf("20:10:00:a0:98:00:00:0%d", node)))
	return types.HostNvmeSpec{HbaName: adapter, TransportParameters: &types.HostNvmeOverFibreChannelParameters{
		PortWorldWideName: port, NodeWorldWideName: must(worldclient.ParseWwn("20:00:00:a0:98:00:00:01")),
	}}
}

func TestDiscoverAndConnect(t *testing.T) {
	b := startBench(t)
	device := b.daemon.AddNamespace(4, 10*gibibyte, 512)
	system := b.storageSystem(0).Reference()
	discover := func(of types.HostNvmeSpec) (*types.DiscoverNvmeControllersResponse, error) {
		return methods.DiscoverNvmeControllers(b.ctx, b.client.Client, &types.DiscoverNvmeControllers{
			This: system, DiscoverSpec: types.HostNvmeDiscoverSpec{HostNvmeSpec: of},
		})
	}
	connect := func(nqn string) error {
		_, err := methods.ConnectNvmeController(b.ctx, b.client.Client, &types.ConnectNvmeController{
			This: system, ConnectSpec: types.HostNvmeConnectSpec{HostNvmeSpec: spec("vmhba65", 0), Subnqn: nqn},
		})
		return err
	}
	if log := must(discover(spec("vmhba65", 0))); len(log.Returnval.Entry) != 0 {
		t.Errorf("a stranger discovers %+v", log.Returnval.Entry)
	}
	expectFault[types.HostConfigFault](t, connect(fakedaemon.Subsystem))
	b.daemon.Admit(true, b.daemon.Hosts()[0])
	log := must(discover(spec("vmhba65", 0)))
	if entry := log.Returnval.Entry; len(entry) != 1 || entry[0].Subnqn != fakedaemon.Subsystem || entry[0].Connected {
		t.Fatalf("log %+v", entry)
	}
	_, err := discover(spec("vmhba66", 0))
	expectFault[types.HostConfigFault](t, err)
	_, err = discover(spec("vmhba2", 0))
	expectFault[types.NotFound](t, err)
	expectFault[types.HostConfigFault](t, connect("nqn.2014-08.org.nvmexpress.discovery"))
	b.ok(connect(fakedaemon.Subsystem))
	expectFault[types.HostConfigFault](t, connect(fakedaemon.Subsystem))
	if states := b.pathStates(0, device); states["active"] != 1 {
		t.Fatalf("paths over one controller: %v", states)
	}
	task, err := methods.ConnectNvmeControllerEx_Task(b.ctx, b.client.Client, &types.ConnectNvmeControllerEx_Task{
		This: system, ConnectSpec: []types.HostNvmeConnectSpec{{HostNvmeSpec: spec("vmhba65", 1), Subnqn: fakedaemon.Subsystem}},
	})
	b.ok(err)
	b.ok(object.NewTask(b.client.Client, task.Returnval).Wait(b.ctx))
	if states := b.pathStates(0, device); states["active"] != 2 {
		t.Fatalf("paths over two controllers: %v", states)
	}
	disconnect := func(adapter, nqn string) error {
		_, err := methods.DisconnectNvmeController(b.ctx, b.client.Client, &types.DisconnectNvmeController{
			This: system, DisconnectSpec: types.HostNvmeDisconnectSpec{HbaName: adapter, Subnqn: nqn},
		})
		return err
	}
	ds := must(b.createDatastore(0, device, "ds"))
	expectFault[types.ResourceInUse](t, disconnect("vmhba65", fakedaemon.Subsystem))
	dss := must(b.host(0).ConfigManager().DatastoreSystem(b.ctx))
	b.ok(dss.Remove(b.ctx, ds))
	expectFault[types.NotFound](t, disconnect("vmhba66", fakedaemon.Subsystem))
	b.ok(disconnect("vmhba65", fakedaemon.Subsystem))
	if b.disk(0, device) != nil || len(b.controllers(0)) != 0 {
		t.Error("the device is there without a controller")
	}
}

func TestADatastoreOnANamespace(t *testing.T) {
	b := startBench(t)
	before := b.Inventory()
	device := b.newNamespace(5, 0, 1)
	ds := must(b.createDatastore(0, device, "ds"))
	if mounts := b.datastoreOf(ds).Host; len(mounts) != 2 {
		t.Errorf("%d mounts", len(mounts))
	}
	expectFault[types.NotSupported](t, b.detachLun(0, b.disk(0, device).Uuid))
	dss := must(b.host(0).ConfigManager().DatastoreSystem(b.ctx))
	b.ok(dss.Remove(b.ctx, ds))
	b.daemon.Admit(false, b.daemon.Hosts()[:2]...)
	for i := range 2 {
		b.ok(b.storageSystem(i).RescanAllHba(b.ctx))
	}
	if after := b.Inventory(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Errorf("left over:\n%v\nbefore:\n%v", after, before)
	}
}

func TestNvmeDevicesCanBeDetachedWhereTheSwitchSaysSo(t *testing.T) {
	b := startBench(t, func(o *Options) { o.NvmeDetach = true })
	device := b.newNamespace(6, 0)
	b.ok(b.detachLun(0, b.disk(0, device).Uuid))
	if state := b.disk(0, device).OperationalState[0]; state != "off" {
		t.Errorf("state %s", state)
	}
}

func TestHppPolicy(t *testing.T) {
	b := startBench(t)
	device := b.newNamespace(7, 0)
	lun := b.newLun(8, 0)
	uuid := b.disk(0, device).Uuid
	policy, ok := b.policyOf(0, device).(*types.HostMultipathInfoHppLogicalUnitPolicy)
	if !ok || policy.Policy != "LB-RR" || policy.Iops != 1000 {
		t.Fatalf("default %+v", policy)
	}
	update := func(id string, to types.HostMultipathInfoHppLogicalUnitPolicy) error {
		_, err := methods.UpdateHppMultipathLunPolicy(b.ctx, b.client.Client, &types.UpdateHppMultipathLunPolicy{
			This: b.storageSystem(0).Reference(), LunId: id, Policy: to,
		})
		return err
	}
	hpp := func(scheme string, iops int64, path string) types.HostMultipathInfoHppLogicalUnitPolicy {
		return types.HostMultipathInfoHppLogicalUnitPolicy{
			HostMultipathInfoLogicalUnitPolicy: types.HostMultipathInfoLogicalUnitPolicy{Policy: scheme}, Iops: iops, Path: path,
		}
	}
	b.ok(update(uuid, hpp("LB-IOPS", 1, "")))
	policy = b.policyOf(0, device).(*types.HostMultipathInfoHppLogicalUnitPolicy)
	if policy.Policy != "LB-IOPS" || policy.Iops != 1 || policy.Bytes != 10<<20 {
		t.Errorf("after the update %+v", policy)
	}
	b.ok(update(uuid, hpp("FIXED", 0, "vmhba66:C0:T1:L7")))
	expectFault[types.InvalidArgument](t, update(uuid, hpp("FIXED", 0, "vmhba2:C0:T0:L7")))
	expectFault[types.InvalidArgument](t, update(uuid, hpp("LB-RR", 10_001, "")))
	expectFault[types.InvalidArgument](t, update(uuid, hpp("VMW_PSP_RR", 0, "")))
	expectFault[types.NotSupported](t, update(b.disk(0, lun).Uuid, hpp("LB-RR", 0, "")))
	expectFault[types.NotFound](t, update("nobody", hpp("LB-RR", 0, "")))
	_, err := methods.SetMultipathLunPolicy(b.ctx, b.client.Client, &types.SetMultipathLunPolicy{
		This: b.storageSystem(0).Reference(), LunId: uuid, Policy: &types.HostMultipathInfoLogicalUnitPolicy{Policy: "VMW_PSP_RR"},
	})
	expectFault[types.NotSupported](t, err)
	_, err = b.esxcli(0, "storage", "hpp", "device", "set", "-d", device, "--pss", "LB-RR", "--iops", "5")
	b.ok(err)
	listed, err := b.esxcli(0, "storage", "hpp", "device", "list")
	b.ok(err)
	if len(listed) != 1 || listed[0]["PathSelectionSchemeConfig"][0] != "{iops=5,bytes=10485760;}" {
		t.Errorf("listed %v", listed)
	}
}

func TestNvmeOverEsxcli(t *testing.T) {
	b := startBench(t)
	device := b.daemon.AddNamespace(9, 10*gibibyte, 512)
	b.daemon.Admit(true, b.daemon.Hosts()[0])
	adapters := must(b.esxcli(0, "nvme", "adapter", "list"))
	if len(adapters) != 2 || adapters[0]["AdapterQualifiedName"][0] != "aqn:lpfc:21000024ff000000" {
		t.Errorf("adapters %v", adapters)
	}
	at := []string{"-a", "vmhba65", "-W", "20:00:00:a0:98:00:00:01", "-w", "20:10:00:a0:98:00:00:00"}
	found := must(b.esxcli(0, append([]string{"nvme", "fabrics", "discover"}, at...)...))
	if len(found) != 1 || found[0]["SubsystemNQN"][0] != fakedaemon.Subsystem {
		t.Fatalf("discovered %v", found)
	}
	must(b.esxcli(0, append([]string{"nvme", "fabrics", "connect", "-s", fakedaemon.Subsystem}, at...)...))
	controllers := must(b.esxcli(0, "nvme", "controller", "list"))
	want := fakedaemon.Subsystem + "#vmhba65#200000a098000001:201000a098000000"
	if len(controllers) != 1 || controllers[0]["Name"][0] != want || controllers[0]["IsOnline"][0] != "true" {
		t.Errorf("controllers %v", controllers)
	}
	namespaces := must(b.esxcli(0, "nvme", "namespace", "list"))
	if len(namespaces) != 1 || namespaces[0]["Name"][0] != device || namespaces[0]["CapacityinMB"][0] != "10240" {
		t.Errorf("namespaces %v", namespaces)
	}
	must(b.esxcli(0, "nvme", "fabrics", "disconnect", "-a", "vmhba65", "-n", "256"))
	if left := must(b.esxcli(0, "nvme", "controller", "list")); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}
