package vcenter

import (
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"sync"
	"testing"

	"crypto/tls"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/property"
	"github.com/vmware/govmomi/session"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

// unpanicked fails the test when anything panicked, also what was survived.
func (b *bench) unpanicked() {
	b.t.Helper()
	b.health.mu.Lock()
	defer b.health.mu.Unlock()
	for _, what := range b.health.panics {
		b.t.Error("panic: " + what)
	}
}

// All waits share the session's one property collector, as clients do that wait for tasks in parallel.
func TestThirtyTwoClonesAtOnceFromOneSession(t *testing.T) {
	b := startBench(t)
	for n := range 4 {
		must(b.createDatastore(n, b.newLun(60+n, 0, 1, 2, 3), fmt.Sprintf("ds%d", n)))
	}
	before := fmt.Sprint(b.Inventory())
	var all sync.WaitGroup
	errs := make([]error, 32)
	for i := range errs {
		all.Add(1)
		go func() {
			defer all.Done()
			errs[i] = b.lifeOf(fmt.Sprintf("clone%02d", i), fmt.Sprintf("ds%d", i%4), b.host(i%4))
		}()
	}
	all.Wait()
	for i, err := range errs {
		if err != nil {
			t.Errorf("clone %d: %v", i, err)
		}
	}
	for _, method := range []string{"CloneVM_Task", "ReconfigVM_Task", "CustomizeVM_Task", "PowerOnVM_Task", "Destroy_Task"} {
		if b.Overridden(method) != len(errs) {
			t.Errorf("the lab served %s %d times, want %d", method, b.Overridden(method), len(errs))
		}
	}
	if after := fmt.Sprint(b.Inventory()); after != before {
		t.Error("the clones have left something behind")
	}
	b.unpanicked()
}

// lifeOf a guest: cloned, given a disk, customized, started, its address waited for, destroyed.
func (b *bench) lifeOf(name, datastore string, host *object.HostSystem) error {
	vm, err := b.clone(name, datastore, host)
	if err != nil {
		return err
	}
	steps := []func() error{
		func() error { return b.wait(vm.Reconfigure(b.ctx, b.dataDisk(vm, "["+datastore+"]", gibibyte/8))) },
		func() error {
			return b.wait(vm.Customize(b.ctx, types.CustomizationSpec{
				Options:       &types.CustomizationLinuxOptions{},
				Identity:      &types.CustomizationLinuxPrep{HostName: &types.CustomizationFixedName{Name: name}, Domain: "lab"},
				NicSettingMap: []types.CustomizationAdapterMapping{{Adapter: types.CustomizationIPSettings{Ip: &types.CustomizationDhcpIpGenerator{}}}},
			}))
		},
		func() error { return b.wait(vm.PowerOn(b.ctx)) },
		func() error {
			return property.Wait(b.ctx, property.DefaultCollector(b.client.Client), vm.Reference(), []string{"guest.ipAddress"},
				func(changes []types.PropertyChange) bool {
					return len(changes) > 0 && changes[0].Val != nil && changes[0].Val != ""
				})
		},
		func() error { return b.wait(vm.PowerOff(b.ctx)) },
		func() error { return b.wait(vm.Destroy(b.ctx)) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// raw is a client that sends what no library would.
type raw struct {
	client *http.Client
	url    string
}

func (b *bench) raw() *raw {
	b.t.Helper()
	jar := must(cookiejar.New(nil))
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}
	b.t.Cleanup(transport.CloseIdleConnections)
	address := *b.web.url
	address.User = nil
	r := &raw{client: &http.Client{Jar: jar, Transport: transport}, url: address.String()}
	status, body := r.post(envelope(`<Login xmlns="urn:vim25"><_this type="SessionManager">SessionManager</_this>` +
		`<userName>administrator@lab.local</userName><password>secret</password></Login>`))
	if status != http.StatusOK {
		b.t.Fatalf("log-in: %d %s", status, body)
	}
	return r
}

func envelope(body string) string {
	return `<?xml version="1.0"?><Envelope xmlns="http://schemas.xmlsoap.org/soap/envelope/" ` +
		`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><Body>` + body + `</Body></Envelope>`
}

// post answers status 0 when the connection was closed instead of an answer.
func (r *raw) post(body string) (int, string) {
	answer, err := r.client.Post(r.url, "text/xml", strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, string(text)
}

func TestMalformedRequestsAreAnsweredWithAFault(t *testing.T) {
	b := startBench(t)
	r := b.raw()
	for what, body := range map[string]string{
		"nothing":                   "",
		"no XML":                    "hello",
		"JSON":                      `{"_this": 1}`,
		"cut short":                 envelope(`<RetrieveServiceContent xmlns="urn:vim25">`)[:120],
		"no envelope":               `<RetrieveServiceContent xmlns="urn:vim25"/>`,
		"an empty body":             envelope(""),
		"no such method":            envelope(`<Levitate xmlns="urn:vim25"><_this type="HostSystem">host-1</_this></Levitate>`),
		"no such object":            envelope(`<PowerOnVM_Task xmlns="urn:vim25"><_this type="VirtualMachine">vm-0</_this></PowerOnVM_Task>`),
		"an object of another type": envelope(`<PowerOnVM_Task xmlns="urn:vim25"><_this type="Folder">group-v3</_this></PowerOnVM_Task>`),
		"no object":                 envelope(`<RescanAllHba xmlns="urn:vim25"></RescanAllHba>`),
		"a number that is none": envelope(`<WaitForUpdatesEx xmlns="urn:vim25"><_this type="PropertyCollector">propertyCollector</_this>` +
			`<version></version><options><maxWaitSeconds>soon</maxWaitSeconds></options></WaitForUpdatesEx>`),
	} {
		status, answer := r.post(body)
		if status != http.StatusInternalServerError && status != http.StatusBadRequest || !strings.Contains(answer, "Fault") {
			t.Errorf("%s: %d %.200s", what, status, answer)
		}
	}
	b.unpanicked()
}

// TestEveryCallSurvivesArgumentsThatAreMissing sends each call that the lab serves with nothing but its object, and with
// a structure that holds nothing.
func TestEveryCallSurvivesArgumentsThatAreMissing(t *testing.T) {
	b := startBench(t)
	vm := must(b.create(b.spec("victim", "site-local", gibibyte), nil)).Reference()
	objects := map[string]types.ManagedObjectReference{
		"VirtualMachine": vm, "Folder": b.vmFolder().Reference(),
		"Datastore":              must(b.find().Datastore(b.ctx, "site-local")).Reference(),
		"HostStorageSystem":      b.storageSystem(0).Reference(),
		"HostDatastoreSystem":    must(b.host(0).ConfigManager().DatastoreSystem(b.ctx)).Reference(),
		"HostNetworkSystem":      must(b.host(0).ConfigManager().NetworkSystem(b.ctx)).Reference(),
		"SearchIndex":            *b.client.ServiceContent.SearchIndex,
		"ClusterComputeResource": must(b.find().ClusterComputeResource(b.ctx, "cluster-0")).Reference(),
		"StorageResourceManager": *b.client.ServiceContent.StorageResourceManager,
		"OptionManager":          *b.client.ServiceContent.Setting,
		"PropertyCollector":      b.client.ServiceContent.PropertyCollector,
		"EventManager":           *b.client.ServiceContent.EventManager,
	}
	calls := map[string]string{
		"PropertyCollector": "RetrieveProperties RetrievePropertiesEx CreateFilter ContinueRetrievePropertiesEx CancelWaitForUpdates",
		"EventManager":      "CreateCollectorForEvents QueryEvents",
	}
	for kind, methods := range served {
		calls[kind] = methods
	}
	r := b.raw()
	for kind, methods := range calls {
		ref, ok := objects[kind]
		if !ok {
			continue
		}
		for _, method := range strings.Fields(methods) {
			for _, argument := range []string{"", "<spec/>", "<config/>", "<changeSpec><device/></changeSpec>", "<spec><deviceChange/></spec>",
				"<config><files/><deviceChange><device xsi:type=\"VirtualDisk\"/></deviceChange></config>", "<specSet/>",
				"<specSet><propSet><type>VirtualMachine</type></propSet><objectSet/></specSet>"} {
				body := envelope(fmt.Sprintf(`<%[1]s xmlns="urn:vim25"><_this type="%[2]s">%[3]s</_this>%[4]s</%[1]s>`, method, ref.Type, ref.Value, argument))
				status, answer := r.post(body)
				if status == 0 {
					t.Errorf("%s.%s with %q: no answer: %s", kind, method, argument, answer)
				}
				if strings.Contains(answer, "runtime error") {
					t.Errorf("%s.%s with %q: %.300s", kind, method, argument, answer)
				}
			}
		}
	}
	b.unpanicked()
	// Still in service.
	must(b.find().HostSystemList(b.ctx, "*/*"))
}

func TestAnEndedSessionIsRefusedAndItsWaitsEnd(t *testing.T) {
	b := startBench(t)
	other := b.login()
	key := must(session.NewManager(other.Client).UserSession(b.ctx)).Key
	collector := property.DefaultCollector(other.Client)
	waited := make(chan error, 1)
	vm := must(b.create(b.spec("vm", "site-local", gibibyte), nil))
	began := make(chan struct{}, 1)
	go func() {
		waited <- property.Wait(b.ctx, collector, vm.Reference(), []string{"name"}, func([]types.PropertyChange) bool {
			began <- struct{}{}
			return false
		})
	}()
	<-began
	b.ok(session.NewManager(b.client.Client).TerminateSession(b.ctx, []string{key}))
	var properties mo.VirtualMachine
	err := other.RetrieveOne(b.ctx, vm.Reference(), []string{"name"}, &properties)
	expectFault[types.NotAuthenticated](t, err)
	if err := <-waited; err == nil {
		t.Error("the wait of an ended session ended without an error")
	}
	b.ok(session.NewManager(other.Client).Login(b.ctx, b.web.url.User))
	b.ok(other.RetrieveOne(b.ctx, vm.Reference(), []string{"name"}, &properties))
	b.unpanicked()
}
