package vcenter

import (
	"sort"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// heartbeatsPerHost is vSphere HA's choice without das.heartbeatDsPerHost (vSphere Availability, "Datastore Heartbeating").
const heartbeatsPerHost = 2

// clusterCalls serves the calls of a ClusterComputeResource.
type clusterCalls struct {
	*simulator.ClusterComputeResource
	unlocked
	v *VCenter
}

// ReconfigureComputeResourceTask keeps the choice of heartbeat datastores, which the simulator drops.
func (c *clusterCalls) ReconfigureComputeResourceTask(
	ctx *simulator.Context, req *types.ReconfigureComputeResource_Task,
) soap.HasFault {
	spec, _ := req.Spec.(*types.ClusterConfigSpecEx)
	ref := c.v.background(ctx, c.Self, "reconfigureEx", func(own *simulator.Context) (types.AnyType, types.BaseMethodFault) {
		if _, fault := c.v.await(c.ClusterComputeResource.ReconfigureComputeResourceTask(own, req)); fault != nil {
			return nil, fault
		}
		if spec != nil && spec.DasConfig != nil {
			c.v.registry.WithLock(c.v.context(), c.ClusterComputeResource, func() {
				das := c.ConfigurationEx.(*types.ClusterConfigInfoEx).DasConfig
				if spec.DasConfig.HBDatastoreCandidatePolicy != "" {
					das.HBDatastoreCandidatePolicy = spec.DasConfig.HBDatastoreCandidatePolicy
					das.HeartbeatDatastore = spec.DasConfig.HeartbeatDatastore
				}
				c.ConfigurationEx.(*types.ClusterConfigInfoEx).DasConfig = das
			})
		}
		return nil, nil
	})
	return &methods.ReconfigureComputeResource_TaskBody{
		Res: &types.ReconfigureComputeResource_TaskResponse{Returnval: ref},
	}
}

// RetrieveDasAdvancedRuntimeInfo tells the datastores that vSphere HA exchanges heartbeats over; nothing without HA.
func (c *clusterCalls) RetrieveDasAdvancedRuntimeInfo(
	_ *simulator.Context, _ *types.RetrieveDasAdvancedRuntimeInfo,
) soap.HasFault {
	c.v.storage.RLock()
	defer c.v.storage.RUnlock()
	res := &types.RetrieveDasAdvancedRuntimeInfoResponse{}
	if chosen := c.v.heartbeats(c.ClusterComputeResource); chosen != nil {
		res.Returnval = &types.ClusterDasAdvancedRuntimeInfo{HeartbeatDatastoreInfo: chosen}
	}
	return &methods.RetrieveDasAdvancedRuntimeInfoBody{Res: res}
}

// heartbeats elects as vCenter does: shared datastores only, those that most hosts reach first. With the policy
// userSelectedDs only the chosen ones take part. Nil while HA is off.
func (v *VCenter) heartbeats(cluster *simulator.ClusterComputeResource) []types.DasHeartbeatDatastoreInfo {
	var das types.ClusterDasConfigInfo
	v.registry.WithLock(v.context(), cluster, func() {
		das = cluster.ConfigurationEx.(*types.ClusterConfigInfoEx).DasConfig
	})
	if das.Enabled == nil || !*das.Enabled {
		return nil
	}
	only := das.HBDatastoreCandidatePolicy == string(types.ClusterDasConfigInfoHBDatastoreCandidateUserSelectedDs)
	var list []types.DasHeartbeatDatastoreInfo
	for ref, d := range v.datastores {
		if only && !contains(das.HeartbeatDatastore, ref) {
			continue
		}
		info := types.DasHeartbeatDatastoreInfo{Datastore: ref}
		for _, h := range v.sortedHosts() {
			if *h.host.Parent == cluster.Self && d.usable(h) {
				info.Hosts = append(info.Hosts, h.ref)
			}
		}
		if len(info.Hosts) > 1 {
			list = append(list, info)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return len(a.Hosts) > len(b.Hosts) || len(a.Hosts) == len(b.Hosts) && a.Datastore.Value < b.Datastore.Value
	})
	count, chosen := map[types.ManagedObjectReference]int{}, []types.DasHeartbeatDatastoreInfo{}
	for _, info := range list {
		var hosts []types.ManagedObjectReference
		for _, host := range info.Hosts {
			if count[host] < heartbeatsPerHost {
				count[host]++
				hosts = append(hosts, host)
			}
		}
		if hosts != nil {
			chosen = append(chosen, types.DasHeartbeatDatastoreInfo{Datastore: info.Datastore, Hosts: hosts})
		}
	}
	return chosen
}
