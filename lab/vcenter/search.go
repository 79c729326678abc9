package vcenter

import (
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// searchCalls looks for machines among machines only. The simulator looks at every object it has, and panics with the
// search index locked at one that is no managed object, as a host's method executer (v0.56.0, search_index.go).
type searchCalls struct {
	*simulator.SearchIndex
	unlocked
	v *VCenter
}

func (c *searchCalls) FindByUuid(ctx *simulator.Context, req *types.FindByUuid) soap.HasFault {
	body := &methods.FindByUuidBody{Res: new(types.FindByUuidResponse)}
	kind := "HostSystem"
	if req.VmSearch {
		kind = "VirtualMachine"
	}
	for _, entity := range c.v.registry.All(kind) {
		if uuidOf(entity, req.InstanceUuid != nil && *req.InstanceUuid) == req.Uuid {
			ref := entity.Reference()
			body.Res.Returnval = &ref
			break
		}
	}
	return body
}

func uuidOf(object any, instance bool) string {
	switch object := object.(type) {
	case *simulator.VirtualMachine:
		if instance {
			return object.Config.InstanceUuid
		}
		return object.Config.Uuid
	case *simulator.HostSystem:
		return object.Summary.Hardware.Uuid
	}
	return ""
}
