package vcenter

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/uuid"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// Agent machines of vSphere Cluster Services (vSphere 7.0 U1 and later): the vCenter deploys them per cluster and takes
// them away itself when the cluster is put into retreat mode (vSphere Resource Management, "Put a Cluster in Retreat
// Mode"). Nobody else may switch them off or delete them. In the lab they come by POST /lab/agents, which stands for the
// agent manager's choice of a datastore.

const (
	agentManager = "com.vmware.vim.eam"
	agentFolder  = "vCLS"
)

// agentMethods are what the vCenter disables on an agent machine. Assumed: the list of the user interface's greyed actions.
var agentMethods = "PowerOffVM_Task ResetVM_Task SuspendVM_Task ShutdownGuest RebootGuest Destroy_Task UnregisterVM " +
	"ReconfigVM_Task CloneVM_Task"

func (v *VCenter) isAgent(ref types.ManagedObjectReference) bool {
	vm, ok := v.registry.Get(ref).(*simulator.VirtualMachine)
	if !ok {
		return false
	}
	managed := false
	v.registry.WithLock(v.context(), vm, func() {
		managed = vm.Config != nil && vm.Config.ManagedBy != nil && vm.Config.ManagedBy.ExtensionKey == agentManager
	})
	return managed
}

// deployAgent puts an agent machine of a cluster onto a datastore.
func (v *VCenter) deployAgent(cluster, store string) error {
	if !v.release.agents {
		return fmt.Errorf("vSphere %s has no agent machines", v.release.name)
	}
	v.storage.RLock()
	var home *hostStorage
	for _, h := range v.sortedHosts() {
		if d := v.named(store); home == nil && h.cluster == cluster && d != nil && d.usable(h) && !v.outOfService(h) {
			home = h
		}
	}
	v.storage.RUnlock()
	if home == nil {
		return fmt.Errorf("no host of cluster %q has datastore %q mounted", cluster, store)
	}
	root := v.registry.Get(v.datacenter().VmFolder).(*simulator.Folder)
	folder := v.childFolder(root, agentFolder)
	if folder == nil {
		made, err := v.subfolder(root, agentFolder)
		if err != nil {
			return err
		}
		folder = made
	}
	name := "vCLS-" + uuid.NewString()
	vm, err := v.buildMachineOn(folder, home, store, presetMachine{
		name: name, annotation: "vSphere Cluster Service VM is deployed from an OVA with a minimal installed profile of PhotonOS.",
		guestID: types.VirtualMachineGuestOsIdentifierOtherGuest64, bootBytes: 2 * gib, memoryMiB: 128, on: true,
	})
	if err != nil {
		return err
	}
	v.registry.AtomicUpdate(v.context(), vm, []types.PropertyChange{{
		Name: "config.managedBy", Val: &types.ManagedByInfo{ExtensionKey: agentManager, Type: "cluster-agent"},
	}})
	return nil
}

func (v *VCenter) childFolder(parent *simulator.Folder, name string) *simulator.Folder {
	var children []types.ManagedObjectReference
	v.registry.WithLock(v.context(), parent, func() { children = append(children, parent.ChildEntity...) })
	for _, ref := range children {
		if folder, ok := v.registry.Get(ref).(*simulator.Folder); ok && v.entityName(ref) == name {
			return folder
		}
	}
	return nil
}

// settingCalls serves the vCenter's advanced settings.
type settingCalls struct {
	*simulator.OptionManager
	unlocked
	v *VCenter
}

// UpdateOptions carries out what a changed setting means: config.vcls.clusters.<id>.enabled=false is retreat mode.
func (c *settingCalls) UpdateOptions(_ *simulator.Context, req *types.UpdateOptions) soap.HasFault {
	var body soap.HasFault = &methods.UpdateOptionsBody{}
	c.v.registry.WithLock(c.v.context(), c.OptionManager, func() { body = c.OptionManager.UpdateOptions(req) })
	for _, change := range req.ChangedValue {
		value := change.GetOptionValue()
		id, ok := strings.CutPrefix(value.Key, "config.vcls.clusters.")
		id, ours := strings.CutSuffix(id, ".enabled")
		if ok && ours && strings.EqualFold(fmt.Sprint(value.Value), "false") && body.Fault() == nil {
			c.v.retreat(types.ManagedObjectReference{Type: "ClusterComputeResource", Value: id})
		}
	}
	return body
}

// retreat takes away the agent machines of a cluster.
func (v *VCenter) retreat(cluster types.ManagedObjectReference) {
	for _, entity := range v.registry.All("VirtualMachine") {
		vm, ok := entity.(*simulator.VirtualMachine)
		if !ok || !v.isAgent(vm.Self) {
			continue
		}
		h := v.hosts[v.glance(vm).host]
		if h == nil || *h.host.Parent != cluster {
			continue
		}
		fault := v.powerOff(v.context(), vm, true)
		if fault == nil {
			fault = v.destroy(v.context(), vm)
		}
		if fault != nil {
			v.log.Printf("vcenter: agent machine %s: %s", v.entityName(vm.Self), faultText(fault))
		}
	}
}

// registerStates serves what happens to hosts and clusters without anybody calling the API.
func (v *VCenter) registerStates() {
	v.web.control.HandleFunc("POST /lab/agents", func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Cluster, Datastore string }
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&body)
		if err == nil {
			err = v.deployAgent(body.Cluster, body.Datastore)
		}
		answerTo(w, err)
	})
	v.web.control.HandleFunc("POST /lab/hosts", func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Host, Connection string
			DumpDevice       *string
		}
		err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&body)
		if err == nil {
			err = v.setHost(body.Host, body.Connection, body.DumpDevice)
		}
		answerTo(w, err)
	})
}

func answerTo(w http.ResponseWriter, err error) {
	if err != nil {
		reply(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	reply(w, http.StatusOK, map[string]string{})
}
