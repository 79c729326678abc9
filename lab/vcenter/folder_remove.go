package vcenter

import (
	"slices"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// UnregisterAndDestroyTask removes a folder of machines: those in it leave the inventory with their files untouched,
// folders below it go the same way. Destroy_Task would delete the files too.
func (f *folderCalls) UnregisterAndDestroyTask(
	ctx *simulator.Context, _ *types.UnregisterAndDestroy_Task,
) soap.HasFault {
	name := "unregisterAndDestroy"
	ref := f.v.background(ctx, f.Self, name, func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		if !slices.Contains(f.ChildType, "VirtualMachine") {
			return nil, &types.NotSupported{}
		}
		return nil, f.v.unregisterFolder(own, f.Folder)
	})
	return &methods.UnregisterAndDestroy_TaskBody{Res: &types.UnregisterAndDestroy_TaskResponse{Returnval: ref}}
}

func (v *VCenter) unregisterFolder(ctx *simulator.Context, folder *simulator.Folder) types.BaseMethodFault {
	var children []types.ManagedObjectReference
	v.registry.WithLock(v.context(), folder, func() { children = slices.Clone(folder.ChildEntity) })
	for _, child := range children {
		var fault types.BaseMethodFault
		switch object := v.registry.Get(child).(type) {
		case *simulator.Folder:
			fault = v.unregisterFolder(ctx, object)
		case *simulator.VirtualMachine:
			calls := &machineCalls{VirtualMachine: object, v: v}
			fault = faultOf(calls.UnregisterVM(ctx, &types.UnregisterVM{This: child}))
		}
		if fault != nil {
			return fault
		}
	}
	_, fault := v.await(folder.DestroyTask(ctx, &types.Destroy_Task{This: folder.Self}))
	return fault
}
