package vcenter

import (
	"slices"
	"strings"
	"sync"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/types"
)

// calls counts the calls that the lab served itself: an override that is silently not used would pass many tests.
type calls struct {
	mu     sync.Mutex
	counts map[string]int
}

func (c *calls) init() { c.counts = map[string]int{} }

func (c *calls) add(method string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[method]++
}

// Overridden answers how often the lab itself served a method.
func (v *VCenter) Overridden(method string) int {
	v.calls.mu.Lock()
	defer v.calls.mu.Unlock()
	return v.calls.counts[method]
}

// unlocked opts a wrapper out of the simulator's lock around each call. The wrappers take the locks they need
// themselves, in one order: VCenter.storage first, then objects. The simulator "locks" what it is about to call, so
// this is also the proof that an override is used.
type unlocked struct{ used func() }

func (u unlocked) Lock() {
	if u.used != nil {
		u.used()
	}
}

func (unlocked) Unlock() {}

// overriddenPrefix makes a reference that no registry knows. The simulator prefers what the session's registry, or the
// global one, holds under the reference of a call over what its hook returns (Service.call), so the reference must go.
const overriddenPrefix = "lab:"

// override lets `with` serve this call. The body keeps the true reference.
func (v *VCenter) override(m *simulator.Method, with mo.Reference) (mo.Reference, types.BaseMethodFault) {
	m.This.Value = overriddenPrefix + m.This.Value
	return with, nil
}

// handle is the simulator's hook: it is asked before each call, outside of any lock.
func (v *VCenter) handle(ctx *simulator.Context, m *simulator.Method) (mo.Reference, types.BaseMethodFault) {
	v.trueType(&m.This)
	if fault := v.release.refuses(m); fault != nil {
		return nil, fault
	}
	if fault := v.unreachable(m); fault != nil {
		return nil, fault
	}
	if m.This.Type == "VirtualMachine" && lists(agentMethods, m.Name) && v.isAgent(m.This) {
		return nil, &types.MethodDisabled{Source: agentManager}
	}
	wrapper := v.wrapperFor(ctx, m)
	if wrapper == nil {
		return nil, nil
	}
	return v.override(m, wrapper)
}

// trueType corrects a reference to a cluster by its base type. A vCenter resolves the id alone, and the official
// vSphere provider addresses clusters as ComputeResource.
func (v *VCenter) trueType(ref *types.ManagedObjectReference) {
	if ref.Type != "ComputeResource" || v.registry.Get(*ref) != nil {
		return
	}
	cluster := types.ManagedObjectReference{Type: "ClusterComputeResource", Value: ref.Value}
	if v.registry.Get(cluster) != nil {
		*ref = cluster
	}
}

// served lists, by type of object, the methods that the lab serves in place of the simulator.
var served = map[string]string{
	"Folder": "CreateVM_Task RegisterVM_Task UnregisterAndDestroy_Task MoveIntoFolder_Task",
	"VirtualMachine": "CloneVM_Task ReconfigVM_Task RelocateVM_Task CustomizeVM_Task PowerOnVM_Task PowerOffVM_Task " +
		"ResetVM_Task SuspendVM_Task ShutdownGuest RebootGuest Destroy_Task UnregisterVM",
	"Datastore": "Rename_Task RefreshDatastore RefreshDatastoreStorageInfo Destroy_Task",
	"HostDatastoreSystem": "QueryAvailableDisksForVmfs QueryVmfsDatastoreCreateOptions CreateVmfsDatastore RemoveDatastore " +
		"QueryUnresolvedVmfsVolumes",
	"HostStorageSystem": "RescanAllHba RescanHba RescanVmfs RefreshStorageSystem SetMultipathLunPolicy " +
		"EnableMultipathPath DisableMultipathPath DetachScsiLun AttachScsiLun DeleteScsiLunState " +
		"DiscoverNvmeControllers ConnectNvmeController ConnectNvmeControllerEx_Task DisconnectNvmeController " +
		"DisconnectNvmeControllerEx_Task UpdateHppMultipathLunPolicy " +
		"MountVmfsVolume UnmountVmfsVolume DeleteVmfsVolumeState QueryUnresolvedVmfsVolume",
	"HostNetworkSystem":      "AddPortGroup RemovePortGroup",
	"ManagedMethodExecuter":  "ExecuteSoap",
	"EventHistoryCollector":  "SetCollectorPageSize",
	"ClusterComputeResource": "ReconfigureComputeResource_Task RetrieveDasAdvancedRuntimeInfo",
	"StorageResourceManager": "ConfigureDatastoreIORM_Task",
	"OptionManager":          "UpdateOptions",
	"SearchIndex":            "FindByUuid",
}

func serves(kind, method string) bool { return lists(served[kind], method) }

func lists(names, name string) bool { return slices.Contains(strings.Fields(names), name) }

func (v *VCenter) wrapperFor(ctx *simulator.Context, m *simulator.Method) mo.Reference {
	if !serves(m.This.Type, m.Name) || ctx.Session == nil {
		return nil
	}
	method := m.Name
	own := unlocked{used: func() { v.calls.add(method) }}
	switch object := ctx.Session.Get(m.This).(type) {
	case *simulator.Folder:
		return &folderCalls{Folder: object, unlocked: own, v: v}
	case *simulator.VirtualMachine:
		return &machineCalls{VirtualMachine: object, unlocked: own, v: v}
	case *simulator.Datastore:
		return &datastoreCalls{Datastore: object, unlocked: own, v: v}
	case *simulator.HostDatastoreSystem:
		return &datastoreSystemCalls{HostDatastoreSystem: object, unlocked: own, v: v}
	case *simulator.HostStorageSystem:
		return &storageSystemCalls{HostStorageSystem: object, unlocked: own, v: v}
	case *simulator.HostNetworkSystem:
		return &networkSystemCalls{HostNetworkSystem: object, unlocked: own, v: v}
	case *simulator.ManagedMethodExecuter:
		return &esxcliCalls{ManagedMethodExecuter: object, unlocked: own, v: v}
	case *simulator.ClusterComputeResource:
		return &clusterCalls{ClusterComputeResource: object, unlocked: own, v: v}
	case *simulator.StorageResourceManager:
		return &ioControlCalls{StorageResourceManager: object, unlocked: own, v: v}
	case *simulator.OptionManager:
		return &settingCalls{OptionManager: object, unlocked: own, v: v}
	case *simulator.SearchIndex:
		return &searchCalls{SearchIndex: object, unlocked: own, v: v}
	case *simulator.EventHistoryCollector:
		return &eventCollectorCalls{EventHistoryCollector: object, unlocked: own, v: v}
	}
	return nil
}
