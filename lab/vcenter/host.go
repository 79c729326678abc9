package vcenter

import (
	"sort"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/simulator/esx"
	"github.com/vmware/govmomi/vim25/types"
	"github.com/vmware/govmomi/vim25/xml"

	"bytes"
	"fmt"

	"sanbed.dev/lab/worldclient"
)

// hostStorage is the storage side of one host. Guarded by VCenter.storage.
type hostStorage struct {
	host    *simulator.HostSystem
	ref     types.ManagedObjectReference
	name    string
	cluster string
	release *release

	adapters []worldclient.Adapter
	luns     map[string]*lun
	nvme     nvmeState
	// detached keeps the names of detached devices until their state is deleted, also when they are gone.
	detached map[string]bool
	// unmounted keeps the uuids of VMFS volumes that were unmounted here, until mounted again or deleted.
	unmounted map[string]bool
	// dump is the device of the host's diagnostic partition; empty for none.
	dump string
	// targets numbers the target ports of an adapter in the order of discovery.
	targets map[string]map[string]int
	// local is what the host has without any Fibre Channel.
	local types.HostStorageDeviceInfo
}

func newHostStorage(host *simulator.HostSystem, of worldclient.Host) (*hostStorage, error) {
	h := &hostStorage{
		host: host, ref: host.Self, name: of.Name, cluster: of.Cluster, adapters: of.Hbas, luns: map[string]*lun{},
		nvme:     nvmeState{nqn: of.Nqn, next: firstController},
		detached: map[string]bool{}, unmounted: map[string]bool{}, targets: map[string]map[string]int{},
	}
	for _, adapter := range of.Hbas {
		for _, wwn := range []string{adapter.Wwpn, adapter.Wwnn} {
			if _, err := worldclient.ParseWwn(wwn); err != nil {
				return nil, fmt.Errorf("adapter %s of host %s: %w", adapter.Device, of.Name, err)
			}
		}
	}
	// The simulator shares one structure among all hosts.
	return h, copyOf(&esx.HostStorageDeviceInfo, &h.local)
}

func (h *hostStorage) target(adapter, wwpn string) int {
	known := h.targets[adapter]
	if known == nil {
		known = map[string]int{}
		h.targets[adapter] = known
	}
	if _, ok := known[wwpn]; !ok {
		known[wwpn] = len(known)
	}
	return known[wwpn]
}

// sorted LUNs by name.
func (h *hostStorage) sorted() []*lun {
	all := make([]*lun, 0, len(h.luns))
	for _, l := range h.luns {
		all = append(all, l)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name() < all[j].name() })
	return all
}

func (h *hostStorage) byUUID(uuid string) *lun {
	for _, l := range h.luns {
		if l.uuid() == uuid {
			return l
		}
	}
	return nil
}

// sees is true when a volume is there and usable for this host.
func (h *hostStorage) sees(device string) *lun {
	l := h.luns[device]
	if l == nil || l.detached || !l.alive() {
		return nil
	}
	return l
}

// copyOf makes a copy of a vSphere value through its XML form.
func copyOf(from, to any) error {
	text, err := xml.Marshal(from)
	if err != nil {
		return err
	}
	decoder := xml.NewDecoder(bytes.NewReader(text))
	decoder.TypeFunc = types.TypeFunc()
	return decoder.Decode(to)
}
