package vcenter

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/vmware/govmomi"
	"github.com/vmware/govmomi/cli/esx"
	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/property"
	"github.com/vmware/govmomi/vapi/rest"
	"github.com/vmware/govmomi/vapi/tags"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient/fakedaemon"
)

func TestEsxcliReadsAndSetsDeviceSettings(t *testing.T) {
	b := startBench(t)
	device := b.newLun(40, 0)
	run := func(command string) (*esx.Response, error) {
		executor, err := esx.NewExecutor(b.ctx, b.client.Client, b.host(0).Reference())
		if err != nil {
			return nil, err
		}
		return executor.Run(b.ctx, strings.Fields(command))
	}
	value := func(command, name string) string {
		t.Helper()
		response, err := run(command)
		b.ok(err)
		if len(response.Values) != 1 {
			t.Fatalf("%s: %d structures", command, len(response.Values))
		}
		return response.Values[0].Value(name)
	}
	const depth = "NoofoutstandingIOswithcompetingworlds"
	list := "storage core device list -d " + device
	if got := value(list, depth); got != "32" {
		t.Errorf("default depth %q", got)
	}
	must(run("storage core device set -d " + device + " --sched-num-req-outstanding 64"))
	if got := value(list, depth); got != "64" {
		t.Errorf("depth %q after setting 64", got)
	}
	if _, err := run("storage core device set -d " + device + " -O 4096"); err == nil {
		t.Error("a depth beyond the adapter's is accepted")
	}
	if _, err := run("storage core device list -d naa.none"); err == nil {
		t.Error("an unknown device is accepted")
	}
	must(run("storage nmp psp roundrobin deviceconfig set -d " + device + " --type iops --iops 1"))
	if got := value("storage nmp psp roundrobin deviceconfig get -d "+device, "IOOperationLimit"); got != "1" {
		t.Errorf("I/O operation limit %q", got)
	}
	if got := value("storage nmp device list -d "+device, "PathSelectionPolicyDeviceConfig"); !strings.Contains(got, "policy=iops,iops=1,") {
		t.Errorf("device config %q", got)
	}
	must(run("storage nmp device set -d " + device + " --psp VMW_PSP_FIXED"))
	if got := value("storage nmp device list -d "+device, "PathSelectionPolicy"); got != "VMW_PSP_FIXED" {
		t.Errorf("policy %q", got)
	}
	// Commands that are not ours still reach the simulator.
	if clock := must(run("hardware clock get")); clock.String == "" {
		t.Error("no clock")
	}
}

func TestClusterByItsBaseType(t *testing.T) {
	b := startBench(t)
	cluster := must(b.find().ClusterComputeResource(b.ctx, "cluster-0"))
	base := types.ManagedObjectReference{Type: "ComputeResource", Value: cluster.Reference().Value}
	var properties mo.ComputeResource
	b.ok(property.DefaultCollector(b.client.Client).RetrieveOne(b.ctx, base, []string{"name"}, &properties))
	_, err := methods.RetrieveProperties(b.ctx, b.client.Client, &types.RetrieveProperties{
		This: b.client.ServiceContent.PropertyCollector,
		SpecSet: []types.PropertyFilterSpec{{
			PropSet:   []types.PropertySpec{{Type: "VirtualApp", PathSet: []string{"name"}}},
			ObjectSet: []types.ObjectSpec{{Obj: types.ManagedObjectReference{Type: "VirtualApp", Value: b.pool().Reference().Value}}},
		}},
	})
	expectFault[types.ManagedObjectNotFound](t, err)
}

func TestHardwareOptionsOfAMachine(t *testing.T) {
	b := startBench(t)
	template := must(b.find().VirtualMachine(b.ctx, "templates/sysbench-template"))
	var properties mo.VirtualMachine
	b.ok(template.Properties(b.ctx, template.Reference(), []string{"environmentBrowser", "config"}, &properties))
	res, err := methods.QueryConfigOption(b.ctx, b.client.Client, &types.QueryConfigOption{This: properties.EnvironmentBrowser})
	b.ok(err)
	if res.Returnval.HardwareOptions.HwVersion != 21 || res.Returnval.Version != properties.Config.Version {
		t.Errorf("hardware version %d of %s", res.Returnval.HardwareOptions.HwVersion, properties.Config.Version)
	}
	if properties.Config.GuestId == "" || !properties.Config.Template {
		t.Errorf("template: %+v", properties.Config)
	}
}

func TestAPortGroupOnTwoHosts(t *testing.T) {
	b := startBench(t)
	for i := range 2 {
		system := must(b.host(i).ConfigManager().NetworkSystem(b.ctx))
		b.ok(system.AddPortGroup(b.ctx, types.HostPortGroupSpec{Name: "san-test", VlanId: 7, VswitchName: "vSwitch0"}))
	}
	expectFault[types.DuplicateName](t, must(b.host(0).ConfigManager().NetworkSystem(b.ctx)).
		AddPortGroup(b.ctx, types.HostPortGroupSpec{Name: "san-test", VswitchName: "vSwitch0"}))
	for i := range 2 {
		if _, err := b.find().Network(b.ctx, "san-test"); err != nil {
			t.Errorf("before removal from host %d: %v", i, err)
		}
		b.ok(must(b.host(i).ConfigManager().NetworkSystem(b.ctx)).RemovePortGroup(b.ctx, "san-test"))
	}
	if _, err := b.find().Network(b.ctx, "san-test"); err == nil {
		t.Error("the network is left over")
	}
}

func TestTagCategoriesAnswerBareTypes(t *testing.T) {
	b := startBench(t)
	client := rest.NewClient(b.client.Client)
	b.ok(client.Login(b.ctx, b.web.url.User))
	manager := tags.NewManager(client)
	id, err := manager.CreateCategory(b.ctx, &tags.Category{
		Name: "sanbed", Cardinality: "SINGLE", AssociableTypes: []string{"urn:vim25:VirtualMachine"},
	})
	b.ok(err)
	category, err := manager.GetCategory(b.ctx, id)
	b.ok(err)
	if fmt.Sprint(category.AssociableTypes) != "[VirtualMachine]" {
		t.Errorf("associable types %v", category.AssociableTypes)
	}
}

func TestRenamingADatastore(t *testing.T) {
	b := startBench(t)
	ds := must(b.createDatastore(0, b.newLun(41, 0, 1), "old"))
	b.ok(b.wait(ds.Rename(b.ctx, "new")))
	properties := b.datastoreOf(ds)
	names := []string{properties.Name, properties.Summary.Name, properties.Info.GetDatastoreInfo().Name,
		properties.Info.(*types.VmfsDatastoreInfo).Vmfs.Name}
	if fmt.Sprint(names) != "[new new new new]" {
		t.Errorf("names %v", names)
	}
	folder := must(must(must(b.find().DefaultDatacenter(b.ctx)).Folders(b.ctx)).DatastoreFolder.CreateFolder(b.ctx, "bed"))
	b.ok(b.wait(folder.MoveInto(b.ctx, []types.ManagedObjectReference{ds.Reference()})))
	b.ok(must(b.host(1).ConfigManager().DatastoreSystem(b.ctx)).Remove(b.ctx, ds))
	b.ok(b.wait(folder.Destroy(b.ctx)))
}

func TestWrongPasswordAndWrongToken(t *testing.T) {
	b := startBench(t)
	wrong := b.URL()
	wrong.User = url.UserPassword(b.opt.User, b.opt.Password+"x")
	_, err := govmomi.NewClient(b.ctx, wrong, true)
	expectFault[types.InvalidLogin](t, err)
	if status, _ := b.control("wrong", "GET", "/lab/health", ""); status != http.StatusUnauthorized {
		t.Errorf("a wrong token gets status %d", status)
	}
}

func (b *bench) control(token, method, path, body string) (int, string) {
	b.t.Helper()
	request := must(http.NewRequestWithContext(b.ctx, method, "https://"+b.web.url.Host+path, strings.NewReader(body)))
	request.Header.Set("Authorization", "Bearer "+token)
	client := http.Client{Transport: b.client.Client.Client.Transport}
	response := must(client.Do(request))
	defer response.Body.Close()
	var text json.RawMessage
	_ = json.NewDecoder(response.Body).Decode(&text)
	return response.StatusCode, string(text)
}

func TestFaultsLatencyAndTheRequestLog(t *testing.T) {
	b := startBench(t)
	rule := func(match, effect string) {
		t.Helper()
		body := fmt.Sprintf(`{"device":"vcenter","match":%s,"times":1,"effect":%s}`, match, effect)
		if status, text := b.control(fakedaemon.Token, "POST", "/lab/faults", body); status != http.StatusOK {
			t.Fatalf("status %d: %s", status, text)
		}
	}
	rescan := func() error { return b.storageSystem(0).RescanVmfs(b.ctx) }
	rule(`{"method":"RescanVmfs"}`, `{"code":"HostConfigFault"}`)
	expectFault[types.HostConfigFault](t, rescan())
	rule(`{"method":"RescanVmfs"}`, `{"latencyMs":120}`)
	start := time.Now()
	b.ok(rescan())
	if took := time.Since(start); took < 120*time.Millisecond {
		t.Errorf("took %s in spite of the latency rule", took)
	}
	rule(`{"method":"RescanVmfs"}`, `{"dropBefore":true}`)
	if rescan() == nil {
		t.Error("a dropped request succeeds")
	}
	_, text := b.control(fakedaemon.Token, "GET", "/lab/requests?since=0", "")
	var log []request
	b.ok(json.Unmarshal([]byte(text), &log))
	writes, statuses := 0, []int{}
	for _, r := range log {
		if r.Method == "RescanVmfs" {
			statuses = append(statuses, r.Status)
		}
		if r.Write {
			writes++
		}
	}
	if fmt.Sprint(statuses) != "[500 200 0]" || writes != 3 {
		t.Errorf("statuses %v, %d writes", statuses, writes)
	}
}

func TestWritesAreToldFromReads(t *testing.T) {
	b := startBench(t)
	device := b.newLun(42, 0)
	executor := must(esx.NewExecutor(b.ctx, b.client.Client, b.host(0).Reference()))
	writes := func() (count int) {
		for _, r := range b.web.traffic.since(0) {
			if r.Write {
				count++
			}
		}
		return count
	}
	before := writes()
	must(executor.Run(b.ctx, []string{"storage", "core", "device", "list"}))
	b.storageOf(0)
	must(b.find().VirtualMachineList(b.ctx, "*"))
	if after := writes(); after != before {
		t.Errorf("%d reads count as writes", after-before)
	}
	must(executor.Run(b.ctx, []string{"storage", "core", "device", "set", "-d", device, "-O", "16"}))
	if after := writes(); after != before+1 {
		t.Errorf("%d writes, want 1", after-before)
	}
}

func TestUnimplementedCallsAreCounted(t *testing.T) {
	b := startBench(t)
	_, err := methods.ExtendVmfsDatastore(b.ctx, b.client.Client, &types.ExtendVmfsDatastore{
		This: must(b.host(0).ConfigManager().DatastoreSystem(b.ctx)).Reference(),
		Spec: types.VmfsDatastoreExtendSpec{},
	})
	expectFault[types.MethodNotFound](t, err)
	b.NoteLog("2026/01/01 HostDatastoreSystem:x does not implement: ExtendVmfsDatastore\n")
	_, text := b.control(fakedaemon.Token, "GET", "/lab/health", "")
	if !strings.Contains(text, `"unimplemented":{"ExtendVmfsDatastore":1}`) {
		t.Errorf("health: %s", text)
	}
}

func TestMachinesAreFoundByUuidWhileAMethodExecuterExists(t *testing.T) {
	b := startBench(t)
	must(esx.NewExecutor(b.ctx, b.client.Client, b.host(0).Reference()))
	vm := must(b.create(b.spec("wanted", "site-local", gibibyte), nil))
	uuid := vm.UUID(b.ctx)
	found := must(object.NewSearchIndex(b.client.Client).FindByUuid(b.ctx, nil, uuid, true, nil))
	if found == nil || found.Reference() != vm.Reference() {
		t.Errorf("found %v", found)
	}
	if none := must(object.NewSearchIndex(b.client.Client).FindByUuid(b.ctx, nil, "no-such-uuid", true, nil)); none != nil {
		t.Errorf("an unknown uuid gives %v", none)
	}
	if b.Overridden("FindByUuid") != 2 {
		t.Error("the override was not used")
	}
}

func TestTheInventoryIsTheSameAtEveryStart(t *testing.T) {
	first, second := startBench(t), startBench(t)
	if a, b := fmt.Sprint(first.Inventory()), fmt.Sprint(second.Inventory()); a != b {
		t.Errorf("first:\n%s\nsecond:\n%s", a, b)
	}
}
