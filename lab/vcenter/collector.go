package vcenter

import (
	"context"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// propertyCollector replaces the simulator's. That one keeps a single list of updates; the first of several waiters takes
// all of it and the others wait for ever, which is what clients do that wait for tasks in parallel. This one compares
// what the filters show now with what the waiter has seen, by the version it names, so nothing can be lost.
//
// The simulator makes one per session by reflection from the type of the one in its registry (Session.Get), so the zero
// value works.
type propertyCollector struct {
	simulator.PropertyCollector

	mu      sync.Mutex
	filters []*propertyFilter
	// generation counts the changes of filters.
	generation int64
	seen       []seen
	version    int64
	cancel     chan struct{}

	// taking guards last, the newest snapshot.
	taking sync.Mutex
	last   *snapshot
}

// seen is what a version has shown.
type seen struct {
	version string
	view    view
}

// keepVersions bounds the memory of a collector, to some seconds of polling. A waiter with an older version gets
// everything anew.
const keepVersions = 256

const (
	pollEvery = 20 * time.Millisecond
	// waitCap answers a waiter without a limit of its own from time to time, as a vCenter does.
	waitCap = 30 * time.Minute
)

// propertyFilter of a collector.
type propertyFilter struct {
	mo.PropertyFilter
	unlocked
	collector *propertyCollector
}

// CreateFilter adds a filter. The path set of the official provider's address waiter is reordered: it looks at guest.net
// when it sees it, and needs the routes of guest.ipStack before.
func (c *propertyCollector) CreateFilter(ctx *simulator.Context, req *types.CreateFilter) soap.HasFault {
	trueTypes(ctx, []types.PropertyFilterSpec{req.Spec})
	for i := range req.Spec.PropSet {
		routesFirst(req.Spec.PropSet[i].PathSet)
	}
	for _, object := range req.Spec.ObjectSet {
		if ctx.Session.Get(object.Obj) == nil {
			const gone = "The object has already been deleted or has not been completely created"
			return &methods.CreateFilterBody{Fault_: simulator.Fault(gone, &types.ManagedObjectNotFound{Obj: object.Obj})}
		}
	}
	filter := &propertyFilter{collector: c}
	filter.Spec, filter.PartialUpdates = req.Spec, req.PartialUpdates
	ref := ctx.Session.Put(filter).Reference()
	c.mu.Lock()
	c.filters = append(c.filters, filter)
	c.generation++
	c.mu.Unlock()
	return &methods.CreateFilterBody{Res: &types.CreateFilterResponse{Returnval: ref}}
}

func routesFirst(paths []string) {
	const routes, addresses = "guest.ipStack", "guest.net"
	at := map[string]int{}
	for i, p := range paths {
		at[p] = i + 1
	}
	if at[routes] > at[addresses] && at[addresses] > 0 {
		paths[at[routes]-1], paths[at[addresses]-1] = addresses, routes
	}
}

// trueTypes corrects references to clusters by their base type, see VCenter.trueType.
func trueTypes(ctx *simulator.Context, specs []types.PropertyFilterSpec) {
	for i := range specs {
		for j := range specs[i].ObjectSet {
			ref := &specs[i].ObjectSet[j].Obj
			if ref.Type != "ComputeResource" || ctx.Map.Get(*ref) != nil {
				continue
			}
			cluster := types.ManagedObjectReference{Type: "ClusterComputeResource", Value: ref.Value}
			if ctx.Map.Get(cluster) != nil {
				*ref = cluster
			}
		}
	}
}

// DestroyPropertyFilter removes a filter.
func (f *propertyFilter) DestroyPropertyFilter(ctx *simulator.Context, req *types.DestroyPropertyFilter) soap.HasFault {
	c := f.collector
	c.mu.Lock()
	for i, other := range c.filters {
		if other == f {
			c.filters = append(c.filters[:i:i], c.filters[i+1:]...)
			c.generation++
			break
		}
	}
	c.mu.Unlock()
	ctx.Session.Remove(ctx, req.This)
	return &methods.DestroyPropertyFilterBody{Res: &types.DestroyPropertyFilterResponse{}}
}

// CreatePropertyCollector makes another collector in the session.
func (c *propertyCollector) CreatePropertyCollector(
	ctx *simulator.Context, _ *types.CreatePropertyCollector,
) soap.HasFault {
	other := &propertyCollector{}
	other.Self.Type = "PropertyCollector"
	return &methods.CreatePropertyCollectorBody{
		Res: &types.CreatePropertyCollectorResponse{Returnval: ctx.Session.Put(other).Reference()},
	}
}

// DestroyPropertyCollector ends the waits of a collector and removes it with its filters.
func (c *propertyCollector) DestroyPropertyCollector(
	ctx *simulator.Context, req *types.DestroyPropertyCollector,
) soap.HasFault {
	c.CancelWaitForUpdates(&types.CancelWaitForUpdates{This: req.This})
	c.mu.Lock()
	filters := c.filters
	c.filters = nil
	c.generation++
	c.mu.Unlock()
	for _, f := range filters {
		ctx.Session.Remove(ctx, f.Self)
	}
	ctx.Session.Remove(ctx, req.This)
	return &methods.DestroyPropertyCollectorBody{Res: &types.DestroyPropertyCollectorResponse{}}
}

// RetrievePropertiesEx is the simulator's, for objects of any base type.
func (c *propertyCollector) RetrievePropertiesEx(
	ctx *simulator.Context, req *types.RetrievePropertiesEx,
) soap.HasFault {
	trueTypes(ctx, req.SpecSet)
	return c.PropertyCollector.RetrievePropertiesEx(ctx, req)
}

// RetrieveProperties is the simulator's, for objects of any base type.
func (c *propertyCollector) RetrieveProperties(ctx *simulator.Context, req *types.RetrieveProperties) soap.HasFault {
	trueTypes(ctx, req.SpecSet)
	return c.PropertyCollector.RetrieveProperties(ctx, req)
}

// CancelWaitForUpdates ends all waits of this collector.
func (c *propertyCollector) CancelWaitForUpdates(_ *types.CancelWaitForUpdates) soap.HasFault {
	c.mu.Lock()
	if c.cancel != nil {
		close(c.cancel)
		c.cancel = nil
	}
	c.mu.Unlock()
	return &methods.CancelWaitForUpdatesBody{Res: &types.CancelWaitForUpdatesResponse{}}
}

// WaitForUpdatesEx answers what has changed since the version that the caller names.
func (c *propertyCollector) WaitForUpdatesEx(ctx *simulator.Context, req *types.WaitForUpdatesEx) soap.HasFault {
	body := &methods.WaitForUpdatesExBody{}
	limit, once := waitCap, false
	if req.Options != nil && req.Options.MaxWaitSeconds != nil {
		once = *req.Options.MaxWaitSeconds == 0
		limit = time.Duration(*req.Options.MaxWaitSeconds) * time.Second
	}
	set, fault := c.wait(ctx, req.Version, limit, once)
	if fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	body.Res = &types.WaitForUpdatesExResponse{Returnval: set}
	return body
}

// WaitForUpdates is the older form, without a limit.
func (c *propertyCollector) WaitForUpdates(ctx *simulator.Context, req *types.WaitForUpdates) soap.HasFault {
	body := &methods.WaitForUpdatesBody{}
	set, fault := c.wait(ctx, req.Version, waitCap, false)
	if fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	if set == nil {
		set = &types.UpdateSet{Version: req.Version}
	}
	body.Res = &types.WaitForUpdatesResponse{Returnval: *set}
	return body
}

// wait answers nil when nothing has changed within the limit.
func (c *propertyCollector) wait(
	ctx *simulator.Context, version string, limit time.Duration, once bool,
) (*types.UpdateSet, types.BaseMethodFault) {
	c.mu.Lock()
	if c.cancel == nil {
		c.cancel = make(chan struct{})
	}
	cancel := c.cancel
	c.mu.Unlock()
	deadline, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	// The vCenter's own work has a session that nobody logged in to.
	loggedIn := isSession(ctx)
	for {
		set, fault := c.changes(ctx, version, once)
		if fault != nil || set != nil || once {
			return set, fault
		}
		select {
		case <-cancel:
			return nil, &types.RequestCanceled{}
		case <-deadline.Done():
			return nil, nil
		case <-tick.C:
		}
		if loggedIn && !isSession(ctx) {
			return nil, &types.NotAuthenticated{}
		}
	}
}

// isSession tells whether the caller's session still stands; one that somebody ends is only forgotten by the simulator.
func isSession(ctx *simulator.Context) bool {
	question := &types.SessionIsActive{SessionID: ctx.Session.Key, UserName: ctx.Session.UserName}
	answer, ok := ctx.Map.SessionManager().SessionIsActive(ctx, question).(*methods.SessionIsActiveBody)
	return ok && answer.Res != nil && answer.Res.Returnval
}

func (c *propertyCollector) known(version string) view {
	for _, s := range c.seen {
		if s.version == version && version != "" {
			return s.view
		}
	}
	return nil
}

// remember notes a view under a new version, unless it equals the newest.
func (c *propertyCollector) remember(now view) string {
	if last := len(c.seen) - 1; last >= 0 && reflect.DeepEqual(c.seen[last].view, now) {
		return c.seen[last].version
	}
	c.version++
	version := strconv.FormatInt(c.version, 10)
	c.seen = append(c.seen, seen{version: version, view: now})
	if len(c.seen) > keepVersions {
		c.seen = c.seen[1:]
	}
	return version
}
