package vcenter

import (
	"crypto/sha256"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/types"
	"github.com/vmware/govmomi/vim25/xml"
)

type digest [sha256.Size]byte

// view is what the filters of a collector show: digests of properties, by filter, object and name.
type view map[types.ManagedObjectReference]map[types.ManagedObjectReference]map[string]digest

// snapshot of what all filters of a collector show. Waiters share it: each taking its own would cost the square of their
// number.
type snapshot struct {
	at         time.Time
	generation int64
	version    string
	view       view
	filters    []filterShot
}

type filterShot struct {
	ref     types.ManagedObjectReference
	objects []types.ObjectContent
}

// take answers a snapshot that is no older than a poll, or (fresh) one taken now.
func (c *propertyCollector) take(ctx *simulator.Context, fresh bool) (*snapshot, types.BaseMethodFault) {
	c.taking.Lock()
	defer c.taking.Unlock()
	c.mu.Lock()
	filters, generation := append([]*propertyFilter{}, c.filters...), c.generation
	c.mu.Unlock()
	if last := c.last; !fresh && last != nil && last.generation == generation && time.Since(last.at) < pollEvery {
		return last, nil
	}
	s := &snapshot{at: time.Now(), generation: generation, view: view{}}
	for _, f := range filters {
		objects, fault := c.show(ctx, f)
		if fault != nil {
			return nil, fault
		}
		shown := map[types.ManagedObjectReference]map[string]digest{}
		for _, object := range objects {
			digests, fault := digestsOf(object)
			if fault != nil {
				return nil, fault
			}
			shown[object.Obj] = digests
		}
		s.view[f.Self] = shown
		s.filters = append(s.filters, filterShot{ref: f.Self, objects: objects})
	}
	c.mu.Lock()
	s.version = c.remember(s.view)
	c.mu.Unlock()
	c.last = s
	return s, nil
}

// show collects what a filter selects; objects that are gone are left out.
func (c *propertyCollector) show(ctx *simulator.Context, f *propertyFilter) ([]types.ObjectContent, types.BaseMethodFault) {
	spec := f.Spec
	spec.ReportMissingObjectsInResults = types.NewBool(true)
	body := c.PropertyCollector.RetrievePropertiesEx(isolate(ctx), &types.RetrievePropertiesEx{
		SpecSet: []types.PropertyFilterSpec{spec},
	}).(*methods.RetrievePropertiesExBody)
	if fault := faultOf(body); fault != nil {
		return nil, fault
	}
	if body.Res.Returnval == nil {
		return nil, nil
	}
	return body.Res.Returnval.Objects, nil
}

func digestsOf(object types.ObjectContent) (map[string]digest, types.BaseMethodFault) {
	digests := map[string]digest{}
	for _, p := range object.PropSet {
		// An error must not pass for "unchanged": the waiter would wait for ever.
		text, err := xml.Marshal(p)
		if err != nil {
			return nil, &types.SystemError{Reason: "property " + p.Name + ": " + err.Error()}
		}
		digests[p.Name] = sha256.Sum256(text)
	}
	return digests, nil
}

// changes compares now with a version; nil when nothing has changed. Without a version everything is new.
func (c *propertyCollector) changes(
	ctx *simulator.Context, version string, fresh bool,
) (*types.UpdateSet, types.BaseMethodFault) {
	now, fault := c.take(ctx, fresh || version == "")
	if fault != nil {
		return nil, fault
	}
	c.mu.Lock()
	before := c.known(version)
	c.mu.Unlock()
	set := &types.UpdateSet{Version: now.version}
	for _, f := range now.filters {
		if update := f.since(before[f.ref], now.view[f.ref]); len(update.ObjectSet) > 0 {
			set.FilterSet = append(set.FilterSet, update)
		}
	}
	if before != nil && len(set.FilterSet) == 0 {
		return nil, nil
	}
	return set, nil
}

// since lists the objects that entered, changed and left.
func (f filterShot) since(before, now map[types.ManagedObjectReference]map[string]digest) types.PropertyFilterUpdate {
	update := types.PropertyFilterUpdate{Filter: f.ref}
	for _, object := range f.objects {
		known, digests := before[object.Obj], now[object.Obj]
		change := types.ObjectUpdate{Kind: types.ObjectUpdateKindModify, Obj: object.Obj}
		if known == nil {
			change.Kind, change.MissingSet = types.ObjectUpdateKindEnter, object.MissingSet
		}
		for _, p := range object.PropSet {
			if old, ok := known[p.Name]; !ok || old != digests[p.Name] {
				change.ChangeSet = append(change.ChangeSet, types.PropertyChange{
					Op: types.PropertyChangeOpAssign, Name: p.Name, Val: p.Val,
				})
			}
		}
		for name := range known {
			if _, ok := digests[name]; !ok {
				change.ChangeSet = append(change.ChangeSet, types.PropertyChange{Op: types.PropertyChangeOpAssign, Name: name})
			}
		}
		if known == nil || len(change.ChangeSet) > 0 {
			update.ObjectSet = append(update.ObjectSet, change)
		}
	}
	for ref := range before {
		if now[ref] == nil {
			update.ObjectSet = append(update.ObjectSet, types.ObjectUpdate{Kind: types.ObjectUpdateKindLeave, Obj: ref})
		}
	}
	return update
}
