package vcenter

import (
	"testing"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

// shared makes a datastore that hosts 0 and 1 have mounted, on a new LUN.
func (b *bench) shared(name string) (*object.Datastore, string) {
	b.t.Helper()
	device := b.newLun(10, 0, 1)
	ds, err := b.createDatastore(0, device, name)
	b.ok(err)
	return ds, device
}

func (b *bench) remove(ds *object.Datastore) error {
	system := must(b.host(0).ConfigManager().DatastoreSystem(b.ctx))
	return system.Remove(b.ctx, ds)
}

func (b *bench) unmount(i int, ds *object.Datastore) error {
	_, err := methods.UnmountVmfsVolume(b.ctx, b.client, &types.UnmountVmfsVolume{
		This: b.storageSystem(i).Reference(), VmfsUuid: b.vmfsUUID(ds),
	})
	return err
}

func (b *bench) setHostState(i int, connection string, dump *string) {
	b.t.Helper()
	b.ok(b.setHost(b.daemon.Hosts()[i], connection, dump))
}

func TestStorageIOControlKeepsADatastore(t *testing.T) {
	b := startBench(t)
	ds, _ := b.shared("controlled")
	manager := object.NewStorageResourceManager(b.client.Client)
	set := func(on bool) {
		task := must(manager.ConfigureDatastoreIORM(b.ctx, ds, types.StorageIORMConfigSpec{Enabled: &on}, ""))
		b.ok(task.Wait(b.ctx))
	}
	set(true)
	if info := b.datastoreOf(ds).IormConfiguration; info == nil || !info.Enabled {
		t.Fatalf("configuration %v", info)
	}
	expectFault[types.ResourceInUse](t, b.unmount(0, ds))
	expectFault[types.ResourceInUse](t, b.remove(ds))
	set(false)
	b.ok(b.remove(ds))
	if b.Overridden("ConfigureDatastoreIORM_Task") != 2 {
		t.Error("the lab's own call did not run")
	}
}

func TestHighAvailabilityElectsSharedDatastoresAndDoesNotKeepThem(t *testing.T) {
	b := startBench(t)
	ds, _ := b.shared("beating")
	cluster := must(b.host(0).ResourcePool(b.ctx))
	owner := must(cluster.Owner(b.ctx)).Reference()
	reconfigure := func(das types.ClusterDasConfigInfo) {
		task := must(object.NewClusterComputeResource(b.client.Client, owner).Reconfigure(b.ctx, &types.ClusterConfigSpecEx{DasConfig: &das}, true))
		b.ok(task.Wait(b.ctx))
	}
	beats := func() int {
		res, err := methods.RetrieveDasAdvancedRuntimeInfo(b.ctx, b.client, &types.RetrieveDasAdvancedRuntimeInfo{This: owner})
		b.ok(err)
		if res.Returnval == nil {
			return -1
		}
		for _, info := range res.Returnval.GetClusterDasAdvancedRuntimeInfo().HeartbeatDatastoreInfo {
			if info.Datastore == ds.Reference() {
				return len(info.Hosts)
			}
		}
		return 0
	}
	if beats() != -1 {
		t.Fatal("heartbeats without HA")
	}
	reconfigure(types.ClusterDasConfigInfo{Enabled: types.NewBool(true)})
	if beats() != 2 {
		t.Fatalf("%d hosts beat on it, want 2", beats())
	}
	site := must(b.find().Datastore(b.ctx, DefaultPreset().SiteDatastore))
	reconfigure(types.ClusterDasConfigInfo{
		HBDatastoreCandidatePolicy: string(types.ClusterDasConfigInfoHBDatastoreCandidateUserSelectedDs),
		HeartbeatDatastore:         []types.ManagedObjectReference{site.Reference()},
	})
	if beats() != 0 {
		t.Fatal("it is elected against the choice")
	}
	b.ok(b.remove(ds))
}

func TestAgentMachinesGoWithRetreatModeOnly(t *testing.T) {
	b := startBench(t)
	ds, _ := b.shared("agents")
	h := b.hosts[b.host(0).Reference()]
	b.ok(b.deployAgent(h.cluster, "agents"))
	refs := b.datastoreOf(ds).Vm
	if len(refs) != 1 {
		t.Fatalf("%d machines on the datastore", len(refs))
	}
	var properties mo.VirtualMachine
	b.ok(b.client.RetrieveOne(b.ctx, refs[0], []string{"name", "config.managedBy", "runtime.powerState"}, &properties))
	if properties.Config.ManagedBy.ExtensionKey != "com.vmware.vim.eam" || properties.Runtime.PowerState != "poweredOn" {
		t.Fatalf("%+v", properties)
	}
	_, err := methods.PowerOffVM_Task(b.ctx, b.client, &types.PowerOffVM_Task{This: refs[0]})
	expectFault[types.MethodDisabled](t, err)
	_, err = methods.Destroy_Task(b.ctx, b.client, &types.Destroy_Task{This: refs[0]})
	expectFault[types.MethodDisabled](t, err)
	expectFault[types.ResourceInUse](t, b.remove(ds))
	options := object.NewOptionManager(b.client.Client, *b.client.ServiceContent.Setting)
	b.ok(options.Update(b.ctx, []types.BaseOptionValue{
		&types.OptionValue{Key: "config.vcls.clusters." + h.host.Parent.Value + ".enabled", Value: "false"},
	}))
	if left := b.datastoreOf(ds).Vm; len(left) != 0 {
		t.Fatalf("still there: %v", left)
	}
	b.ok(b.remove(ds))
}

func TestHostsKeepWhatTheyWriteTo(t *testing.T) {
	b := startBench(t)
	ds, device := b.shared("scratch")
	options := must(b.host(1).ConfigManager().OptionManager(b.ctx))
	set := func(value string) {
		b.ok(options.Update(b.ctx, []types.BaseOptionValue{
			&types.OptionValue{Key: "ScratchConfig.CurrentScratchLocation", Value: value},
		}))
	}
	set("/vmfs/volumes/" + b.vmfsUUID(ds) + "/.locker-esx02")
	b.ok(b.unmount(0, ds))
	expectFault[types.ResourceInUse](t, b.unmount(1, ds))
	expectFault[types.ResourceInUse](t, b.remove(ds))
	set("/tmp/scratch")
	b.ok(b.unmount(1, ds))
	b.setHostState(1, "", &device)
	var host mo.HostSystem
	b.ok(b.client.RetrieveOne(b.ctx, b.host(1).Reference(), []string{"config.activeDiagnosticPartition"}, &host))
	if host.Config.ActiveDiagnosticPartition.Id.DiskName != device {
		t.Fatalf("%+v", host.Config.ActiveDiagnosticPartition)
	}
	expectFault[types.ResourceInUse](t, b.detachLun(1, b.disk(1, device).Uuid))
	none := ""
	b.setHostState(1, "", &none)
	b.ok(b.detachLun(1, b.disk(1, device).Uuid))
}

func TestAHostThatDoesNotAnswerIsOnlyRemembered(t *testing.T) {
	b := startBench(t)
	_, device := b.shared("far")
	b.setHostState(1, "disconnected", nil)
	expectFault[types.HostNotConnected](t, b.storageSystem(1).RescanAllHba(b.ctx))
	b.setHostState(1, "notResponding", nil)
	expectFault[types.HostNotReachable](t, b.storageSystem(1).RescanAllHba(b.ctx))
	expectFault[types.HostNotReachable](t, b.detachLun(1, b.disk(1, device).Uuid))
	b.ok(b.storageSystem(0).RescanAllHba(b.ctx))
	b.setHostState(1, "connected", nil)
	b.ok(b.storageSystem(1).RescanAllHba(b.ctx))
}

func TestADatastoreClusterKeepsItsDatastore(t *testing.T) {
	b := startBench(t)
	ds, _ := b.shared("pooled")
	folders := must(must(b.find().DefaultDatacenter(b.ctx)).Folders(b.ctx))
	pod := must(folders.DatastoreFolder.CreateStoragePod(b.ctx, "pod"))
	move := func(to *object.Folder) {
		b.ok(must(to.MoveInto(b.ctx, []types.ManagedObjectReference{ds.Reference()})).Wait(b.ctx))
	}
	move(pod.Folder)
	expectFault[types.ResourceInUse](t, b.unmount(0, ds))
	move(folders.DatastoreFolder)
	b.ok(b.remove(ds))
}
