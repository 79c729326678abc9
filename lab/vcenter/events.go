package vcenter

import (
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// eventCollectorCalls serves one call of an EventHistoryCollector: the simulator fills its page from the event list
// without the lock of the event manager, while tasks post events.
type eventCollectorCalls struct {
	*simulator.EventHistoryCollector
	unlocked
	v *VCenter
}

// SetCollectorPageSize fills the page under the event manager's lock.
func (c *eventCollectorCalls) SetCollectorPageSize(
	ctx *simulator.Context, req *types.SetCollectorPageSize,
) (res soap.HasFault) {
	c.v.registry.WithLock(ctx, c.v.registry.EventManager(), func() {
		res = c.EventHistoryCollector.SetCollectorPageSize(ctx, req)
	})
	return res
}
