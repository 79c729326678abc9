package vcenter

import (
	"crypto/sha256"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/types"
	"github.com/vmware/govmomi/vim25/xml"
)

type digest [sha256.Size]byte

// view is what the filters of a collector show: digests of properties, by filter, object and name.
type view map[types.ManagedObjectReference]map[types.ManagedObjectReference]map[string]digest

// changes compares now with a version; nil when nothing has changed.
func (c *propertyCollector) changes(ctx *simulator.Context, version string) (*types.UpdateSet, types.BaseMethodFault) {
	c.mu.Lock()
	filters := append([]*propertyFilter{}, c.filters...)
	before := c.known(version)
	c.mu.Unlock()
	now, set := view{}, &types.UpdateSet{}
	for _, f := range filters {
		update, shown, fault := c.filterChanges(ctx, f, before[f.Self])
		if fault != nil {
			return nil, fault
		}
		now[f.Self] = shown
		if len(update.ObjectSet) > 0 || len(update.MissingSet) > 0 && before == nil {
			set.FilterSet = append(set.FilterSet, update)
		}
	}
	if before != nil && len(set.FilterSet) == 0 {
		return nil, nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	set.Version = c.remember(now)
	return set, nil
}

// filterChanges of one filter: objects that entered, changed and left.
func (c *propertyCollector) filterChanges(
	ctx *simulator.Context, f *propertyFilter, before map[types.ManagedObjectReference]map[string]digest,
) (types.PropertyFilterUpdate, map[types.ManagedObjectReference]map[string]digest, types.BaseMethodFault) {
	update := types.PropertyFilterUpdate{Filter: f.Self}
	spec := f.Spec
	spec.ReportMissingObjectsInResults = types.NewBool(before != nil)
	body := c.PropertyCollector.RetrievePropertiesEx(ctx, &types.RetrievePropertiesEx{
		SpecSet: []types.PropertyFilterSpec{spec},
	}).(*methods.RetrievePropertiesExBody)
	if fault := faultOf(body); fault != nil {
		return update, nil, fault
	}
	now := map[types.ManagedObjectReference]map[string]digest{}
	if body.Res.Returnval != nil {
		for _, object := range body.Res.Returnval.Objects {
			known, entered := before[object.Obj], before[object.Obj] == nil
			shown, changed, fault := compare(object, known)
			if fault != nil {
				return update, nil, fault
			}
			now[object.Obj] = shown
			if entered {
				update.ObjectSet = append(update.ObjectSet, types.ObjectUpdate{
					Kind: types.ObjectUpdateKindEnter, Obj: object.Obj, ChangeSet: changed, MissingSet: object.MissingSet,
				})
			} else if len(changed) > 0 {
				update.ObjectSet = append(update.ObjectSet, types.ObjectUpdate{
					Kind: types.ObjectUpdateKindModify, Obj: object.Obj, ChangeSet: changed,
				})
			}
		}
	}
	for ref := range before {
		if now[ref] == nil {
			update.ObjectSet = append(update.ObjectSet, types.ObjectUpdate{Kind: types.ObjectUpdateKindLeave, Obj: ref})
		}
	}
	return update, now, nil
}

// compare an object with what was shown of it.
func compare(
	object types.ObjectContent, before map[string]digest,
) (map[string]digest, []types.PropertyChange, types.BaseMethodFault) {
	now := map[string]digest{}
	var changed []types.PropertyChange
	for _, p := range object.PropSet {
		// An error must not pass for "unchanged": the waiter would wait for ever.
		text, err := xml.Marshal(p)
		if err != nil {
			return nil, nil, &types.SystemError{Reason: "property " + p.Name + ": " + err.Error()}
		}
		now[p.Name] = sha256.Sum256(text)
		if old, ok := before[p.Name]; !ok || old != now[p.Name] {
			changed = append(changed, types.PropertyChange{Op: types.PropertyChangeOpAssign, Name: p.Name, Val: p.Val})
		}
	}
	for name := range before {
		if _, ok := now[name]; !ok {
			changed = append(changed, types.PropertyChange{Op: types.PropertyChangeOpAssign, Name: name})
		}
	}
	return now, changed, nil
}
