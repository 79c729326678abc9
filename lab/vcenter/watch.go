package vcenter

import (
	"context"
	"reflect"
	"sync"
	"time"

	"sanbed.dev/lab/worldclient"
)

const (
	watchWait  = 25 * time.Second
	watchRetry = 200 * time.Millisecond
)

// watch follows the world: paths of known LUNs die and come back at once, as the fabric tells hosts; new LUNs need a
// rescan.
func (v *VCenter) watch(ctx context.Context) {
	since := int64(-1)
	for ctx.Err() == nil {
		revision, err := v.opt.World.Revision(ctx, since, watchWait)
		if err == nil && revision != since {
			err = v.follow(ctx)
		}
		if err == nil {
			since = revision
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(watchRetry):
		}
	}
}

// follow reads what every host sees and sets the state of the paths known.
func (v *VCenter) follow(ctx context.Context) error {
	v.storage.Lock()
	defer v.storage.Unlock()
	hosts := v.sortedHosts()
	seen := make([][]worldclient.Device, len(hosts))
	errs := make([]error, len(hosts))
	var all sync.WaitGroup
	for i, h := range hosts {
		all.Add(1)
		go func() {
			defer all.Done()
			seen[i], errs[i] = v.opt.World.Devices(ctx, h.name)
		}()
	}
	before := map[string][]worldclient.Adapter{}
	for _, h := range hosts {
		before[h.name] = h.adapters
	}
	err := v.refreshAdapters(ctx)
	if err == nil {
		err = v.followControllers(ctx, hosts)
	}
	all.Wait()
	for _, e := range append(errs, err) {
		if e != nil {
			return e
		}
	}
	for i, h := range hosts {
		if h.refresh(seen[i]) || !reflect.DeepEqual(before[h.name], h.adapters) {
			v.publish(h)
		}
	}
	return nil
}

func (h *hostStorage) refresh(devices []worldclient.Device) bool {
	namespaces := h.nvme.namespaces
	devices = h.usable(devices)
	now := map[string]*worldclient.Device{}
	for i := range devices {
		now[devices[i].Name] = &devices[i]
	}
	changed := !h.nvme.shown || !reflect.DeepEqual(namespaces, h.nvme.namespaces)
	for name, l := range h.luns {
		if l.refresh(now[name]) {
			changed = true
		}
		if d := now[name]; d != nil {
			l.device.Vmfs = d.Vmfs
		}
	}
	return changed
}
