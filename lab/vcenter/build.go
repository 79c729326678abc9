package vcenter

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/simulator/vpx"
	"github.com/vmware/govmomi/vim25"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

// build makes the inventory: data center, clusters, hosts as the world names them, site datastore, templates, and what
// belongs to other people.
func (v *VCenter) build(ctx context.Context) error {
	hosts, err := v.opt.World.Hosts(ctx)
	if err != nil {
		return err
	}
	v.service = simulator.New(simulator.NewServiceInstance(simulator.NewContext(), v.release.content(), vpx.RootFolder))
	v.registry = v.service.Context.Map
	home := &types.OptionValue{Key: "vcsim.home", Value: filepath.Join(v.opt.Dir, "datastores")}
	settings := v.registry.OptionManager()
	settings.Setting = append(append([]types.BaseOptionValue{}, settings.Setting...), home)
	collector := &propertyCollector{}
	collector.Self = vpx.ServiceContent.PropertyCollector
	v.registry.Put(collector)
	client, err := vim25.NewClient(ctx, v.service)
	if err != nil {
		return err
	}
	center, err := object.NewRootFolder(client).CreateDatacenter(ctx, v.opt.Preset.Datacenter)
	if err != nil {
		return fmt.Errorf("data center %s: %w", v.opt.Preset.Datacenter, err)
	}
	folders, err := center.Folders(ctx)
	if err != nil {
		return err
	}
	if err := v.renameNetwork(); err != nil {
		return err
	}
	if err := v.buildHosts(ctx, folders.HostFolder, hosts); err != nil {
		return err
	}
	return v.buildMachines()
}

// renameNetwork gives the network that the simulator makes with a data center the name of the site's.
func (v *VCenter) renameNetwork() error {
	if name := v.opt.Preset.Network; name != "VM Network" {
		return fmt.Errorf("network %q: the host's port group is \"VM Network\", another name is not supported", name)
	}
	return nil
}

func (v *VCenter) buildHosts(ctx context.Context, folder *object.Folder, hosts []worldclient.Host) error {
	clusters := map[string]*object.ClusterComputeResource{}
	drs := true
	for _, of := range hosts {
		cluster := clusters[of.Cluster]
		if cluster == nil {
			made, err := folder.CreateCluster(ctx, of.Cluster, types.ClusterConfigSpecEx{
				DrsConfig: &types.ClusterDrsConfigInfo{Enabled: &drs, DefaultVmBehavior: types.DrsBehaviorFullyAutomated},
			})
			if err != nil {
				return fmt.Errorf("cluster %s: %w", of.Cluster, err)
			}
			cluster = made
			clusters[of.Cluster] = made
		}
		task, err := cluster.AddHost(ctx, types.HostConnectSpec{HostName: of.Name}, true, nil, nil)
		if err != nil {
			return fmt.Errorf("host %s: %w", of.Name, err)
		}
		info, err := task.WaitForResult(ctx, nil)
		if err != nil {
			return fmt.Errorf("host %s: %w", of.Name, err)
		}
		host := v.registry.Get(info.Result.(types.ManagedObjectReference)).(*simulator.HostSystem)
		h, err := newHostStorage(host, v.release.asShown(of))
		if err != nil {
			return err
		}
		h.release = v.release
		v.hosts[h.ref] = h
		v.completeHost(host, h.nvme.nqn)
	}
	// Not before all are there: the simulator takes the release of a host that it adds for one of its own list.
	for _, h := range v.hosts {
		v.release.hostProduct(h.host)
	}
	v.hardwareVersions()
	return v.buildSite()
}

// asShown is a host of the world as far as the release knows it: before 7.0 there is no NVMe over Fabrics.
func (r *release) asShown(of worldclient.Host) worldclient.Host {
	if r.nvme {
		return of
	}
	of.Nqn = ""
	of.Hbas = append([]worldclient.Adapter{}, of.Hbas...)
	for i := range of.Hbas {
		of.Hbas[i].NvmeDevice = ""
	}
	return of
}

// completeHost adds the release, the NVMe name and the advanced options that storage guides name, with ESXi's defaults.
func (v *VCenter) completeHost(host *simulator.HostSystem, nqn string) {
	if nqn != "" {
		host.Hardware.SystemInfo.QualifiedName = []types.HostQualifiedName{
			{Type: string(types.HostQualifiedNameTypeNvmeQualifiedName), Value: nqn},
		}
	}
	for key, value := range map[string]int64{
		"Disk.QFullSampleSize": 0, "Disk.QFullThreshold": 8, "Disk.AutoremoveOnPDL": 1, "Disk.PathEvalTime": 300,
		"Disk.DiskMaxIOSize": 32767, "Disk.MaxLUN": 1024,
	} {
		options := v.registry.Get(*host.ConfigManager.AdvancedOption).(*simulator.OptionManager)
		options.UpdateOptions(&types.UpdateOptions{
			ChangedValue: []types.BaseOptionValue{&types.OptionValue{Key: key, Value: value}},
		})
	}
}

// buildSite makes the site's datastore on all hosts, and shows each host's storage.
func (v *VCenter) buildSite() error {
	v.storage.Lock()
	defer v.storage.Unlock()
	site := &datastore{
		vmfs: newestVmfs, name: v.opt.Preset.SiteDatastore, uuid: "65a1c0de-00000001-0000-5a4bed000001", capacity: v.opt.Preset.SiteCapacityBytes,
	}
	if err := v.addDatastore(site); err != nil {
		return fmt.Errorf("datastore %s: %w", site.name, err)
	}
	for _, h := range v.sortedHosts() {
		v.attach(site, h)
	}
	for _, h := range v.sortedHosts() {
		v.publish(h)
	}
	return nil
}
