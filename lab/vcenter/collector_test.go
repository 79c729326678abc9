package vcenter

import (
	"fmt"
	"testing"
	"time"

	"github.com/vmware/govmomi/property"
	govmomiview "github.com/vmware/govmomi/view"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/types"
)

func TestTwoWaitersOfOneCollectorBothSeeAChange(t *testing.T) {
	b := startBench(t)
	vms := must(b.find().VirtualMachineList(b.ctx, "other-team/*"))
	collector := property.DefaultCollector(b.client.Client)
	seen := make(chan string, 2)
	for _, vm := range vms {
		go func() {
			err := property.Wait(b.ctx, collector, vm.Reference(), []string{"config.annotation"}, func(changes []types.PropertyChange) bool {
				return changes[0].Val == "changed"
			})
			seen <- fmt.Sprint(vm.Name(), err)
		}()
	}
	b.eventually("both waiters wait", func() bool {
		waits := 0
		for _, id := range b.web.traffic.since(0) {
			if id.Method == "CreateFilter" {
				waits++
			}
		}
		return waits >= 2
	})
	for _, vm := range vms {
		b.ok(b.wait(vm.Reconfigure(b.ctx, types.VirtualMachineConfigSpec{Annotation: "changed"})))
	}
	for range vms {
		select {
		case <-seen:
		case <-time.After(10 * time.Second):
			t.Fatal("a waiter has lost its update")
		}
	}
}

func TestObjectsEnterAndLeaveAView(t *testing.T) {
	b := startBench(t)
	manager := govmomiview.NewManager(b.client.Client)
	container := must(manager.CreateContainerView(b.ctx, b.client.ServiceContent.RootFolder, []string{"VirtualMachine"}, true))
	collector := must(property.DefaultCollector(b.client.Client).Create(b.ctx))
	must(collector.CreateFilter(b.ctx, types.CreateFilter{Spec: types.PropertyFilterSpec{
		PropSet: []types.PropertySpec{{Type: "VirtualMachine", PathSet: []string{"name"}}},
		ObjectSet: []types.ObjectSpec{{
			Obj: container.Reference(), Skip: types.NewBool(true),
			SelectSet: []types.BaseSelectionSpec{&types.TraversalSpec{Type: "ContainerView", Path: "view"}},
		}},
	}}))
	version := ""
	kinds := func() string {
		t.Helper()
		res, err := methods.WaitForUpdatesEx(b.ctx, b.client.Client, &types.WaitForUpdatesEx{
			This: collector.Reference(), Version: version, Options: &types.WaitOptions{MaxWaitSeconds: types.NewInt32(5)},
		})
		b.ok(err)
		if res.Returnval == nil {
			return ""
		}
		version = res.Returnval.Version
		counts := map[types.ObjectUpdateKind]int{}
		for _, filter := range res.Returnval.FilterSet {
			for _, object := range filter.ObjectSet {
				counts[object.Kind]++
			}
		}
		return fmt.Sprint(counts)
	}
	if got := kinds(); got != "map[enter:3]" {
		t.Errorf("at first: %s", got)
	}
	vm := must(b.create(b.spec("vm", "site-local", gibibyte), b.host(0)))
	if got := kinds(); got != "map[enter:1]" {
		t.Errorf("after a machine was made: %s", got)
	}
	b.ok(b.wait(vm.Rename(b.ctx, "renamed")))
	if got := kinds(); got != "map[modify:1]" {
		t.Errorf("after it was renamed: %s", got)
	}
	b.ok(b.wait(vm.Destroy(b.ctx)))
	if got := kinds(); got != "map[leave:1]" {
		t.Errorf("after it was destroyed: %s", got)
	}
}

func TestCancelEndsAWait(t *testing.T) {
	b := startBench(t)
	collector := must(property.DefaultCollector(b.client.Client).Create(b.ctx))
	first := must(methods.WaitForUpdatesEx(b.ctx, b.client.Client, &types.WaitForUpdatesEx{This: collector.Reference()}))
	ended := make(chan error, 1)
	go func() {
		_, err := methods.WaitForUpdatesEx(b.ctx, b.client.Client, &types.WaitForUpdatesEx{
			This: collector.Reference(), Version: first.Returnval.Version,
		})
		ended <- err
	}()
	select {
	case err := <-ended:
		t.Fatalf("without a change the wait has ended: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	_, err := methods.CancelWaitForUpdates(b.ctx, b.client.Client, &types.CancelWaitForUpdates{This: collector.Reference()})
	b.ok(err)
	expectFault[types.RequestCanceled](t, <-ended)
}
