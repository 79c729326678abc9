package vcenter

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

var taskLocks atomic.Int64

// taskPoll is how often a task of the simulator is looked at; its own wait would add ten milliseconds to each.
const taskPoll = 500 * time.Microsecond

// background runs work as a vSphere task of an entity without holding the entity's lock. The simulator's own tasks hold
// it until they end; a guest that boots for a second would block every property read of its machine.
func (v *VCenter) background(
	ctx *simulator.Context, entity types.ManagedObjectReference, name string,
	work func(ctx *simulator.Context) (types.AnyType, types.BaseMethodFault),
) types.ManagedObjectReference {
	lock := types.ManagedObjectReference{
		Type: entity.Type, Value: fmt.Sprintf("%stask-%d", overriddenPrefix, taskLocks.Add(1)),
	}
	begun := make(chan struct{})
	task := simulator.CreateTask(lock, name, func(*simulator.Task) (result types.AnyType, fault types.BaseMethodFault) {
		<-begun
		// A panic here would end the process, and with it the disks of all guests.
		defer v.survive("task "+name, func(reason string) { result, fault = nil, &types.SystemError{Reason: reason} })
		return work(isolate(ctx))
	})
	ref := task.Run(isolate(ctx))
	v.registry.AtomicUpdate(v.context(), task, []types.PropertyChange{
		{Name: "info.entity", Val: entity},
		{Name: "info.entityName", Val: v.entityName(entity)},
	})
	close(begun)
	return ref
}

// survive turns a panic of the deferring function into an entry in the health of the process.
func (v *VCenter) survive(what string, failed func(reason string)) {
	cause := recover()
	if cause == nil {
		return
	}
	reason := fmt.Sprintf("%s: %v", what, cause)
	v.health.panicked(reason)
	v.log.Printf("vcenter: panic in %s\n%s", reason, stack())
	failed(reason)
}

// await waits for the task that a call of the simulator has started and answers its result.
func (v *VCenter) await(body soap.HasFault) (types.AnyType, types.BaseMethodFault) {
	if fault := faultOf(body); fault != nil {
		return nil, fault
	}
	ref := reflect.ValueOf(body).Elem().FieldByName("Res").Elem().FieldByName("Returnval").
		Interface().(types.ManagedObjectReference)
	task, ok := v.registry.Get(ref).(*simulator.Task)
	if !ok {
		return nil, &types.ManagedObjectNotFound{Obj: ref}
	}
	var result types.AnyType
	var fault types.BaseMethodFault
	for done := false; !done; time.Sleep(taskPoll) {
		v.registry.WithLock(v.context(), task, func() {
			done = task.Info.State == types.TaskInfoStateSuccess || task.Info.State == types.TaskInfoStateError
			result = task.Info.Result
			if task.Info.Error != nil {
				fault = task.Info.Error.Fault
			}
		})
	}
	// The task of the simulator below a task of ours is not one that a client asked for.
	v.registry.Remove(v.context(), ref)
	return result, fault
}

func faultOf(body soap.HasFault) types.BaseMethodFault {
	fault := body.Fault()
	if fault == nil {
		return nil
	}
	if method, ok := fault.VimFault().(types.BaseMethodFault); ok {
		return method
	}
	return &types.SystemError{Reason: fault.String}
}

func (v *VCenter) entityName(ref types.ManagedObjectReference) string {
	name := ref.Value
	if entity, ok := v.registry.Get(ref).(mo.Entity); ok {
		v.registry.WithLock(v.context(), ref, func() { name = entity.Entity().Name })
	}
	return name
}

// localized wraps a reason into a fault's cause, where clients print it from.
func localized(reason string) types.MethodFault {
	return types.MethodFault{FaultCause: &types.LocalizedMethodFault{
		Fault: &types.SystemErrorFault{Reason: reason}, LocalizedMessage: reason,
	}}
}
