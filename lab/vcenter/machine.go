package vcenter

import (
	"regexp"
	"strings"
	"sync"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/types"
)

// machine is what the lab knows of a virtual machine beside the simulator.
type machine struct {
	ref types.ManagedObjectReference
	// key names the guest towards the daemon, and the files of the disks. It stays when the machine is renamed.
	key string
	// template is the kind of guest, empty for a machine without any operating system that the lab knows.
	template string
	// foreign machines belong to other people; no guest is ever started for them.
	foreign bool

	// op serializes power operations.
	op sync.Mutex
	// Below: guarded by machines.mu.
	custom *customization
	// running: a guest runs at the daemon. known: the daemon has files of it.
	running, known bool
	attached       []string
	// leased is the emulated address of a machine that brings none; it keeps it.
	leased string
}

// machines holds the records of all machines and of their disks.
type machines struct {
	mu     sync.Mutex
	byRef  map[types.ManagedObjectReference]*machine
	flats  map[string]*flat
	leases int
	// noGuests is set once the daemon has said that it runs none.
	noGuests bool
}

func (m *machines) init() {
	m.byRef, m.flats = map[types.ManagedObjectReference]*machine{}, map[string]*flat{}
}

func (m *machines) get(ref types.ManagedObjectReference) *machine {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.byRef[ref]
}

var notInKey = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// add makes the record of a new machine. Two machines of one name (in different folders) get different keys.
func (m *machines) add(ref types.ManagedObjectReference, name, template string, foreign bool) *machine {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := strings.TrimLeft(notInKey.ReplaceAllString(name, "_"), "._-")
	for _, other := range m.byRef {
		if other.key == key {
			key += "." + ref.Value
		}
	}
	if key == "" {
		key = ref.Value
	}
	record := &machine{ref: ref, key: key, template: template, foreign: foreign}
	m.byRef[ref] = record
	return record
}

func (m *machines) remove(ref types.ManagedObjectReference) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.byRef, ref)
}

func (m *machines) set(change func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change()
}

// guestKind of a template: its name without "-template".
func guestKind(template string) string { return strings.TrimSuffix(template, "-template") }

// machineCalls serves the calls of a VirtualMachine.
type machineCalls struct {
	*simulator.VirtualMachine
	unlocked
	v *VCenter
}

// folderCalls serves the calls of a Folder.
type folderCalls struct {
	*simulator.Folder
	unlocked
	v *VCenter
}

// glance at a machine: what is needed of it, read under its lock.
type glance struct {
	name, uuid, hostname string
	host                 types.ManagedObjectReference
	pool                 *types.ManagedObjectReference
	template, on         bool
	memoryMiB            int64
	cpus                 int32
	version              string
	path                 string
	devices              []types.BaseVirtualDevice
	datastores           []types.ManagedObjectReference
}

func (v *VCenter) glance(vm *simulator.VirtualMachine) glance {
	var g glance
	v.registry.WithLock(v.context(), vm, func() {
		g = glance{
			name: vm.Name, uuid: vm.Config.Uuid, pool: vm.ResourcePool, template: vm.Config.Template,
			on:        vm.Runtime.PowerState == types.VirtualMachinePowerStatePoweredOn,
			memoryMiB: int64(vm.Config.Hardware.MemoryMB), cpus: vm.Config.Hardware.NumCPU, version: vm.Config.Version,
			path:       vm.Config.Files.VmPathName,
			devices:    append([]types.BaseVirtualDevice{}, vm.Config.Hardware.Device...),
			datastores: append([]types.ManagedObjectReference{}, vm.Datastore...),
		}
		if vm.Runtime.Host != nil {
			g.host = *vm.Runtime.Host
		}
	})
	return g
}
