// Package vcenter is the vCenter of the lab: govmomi's simulator with what it lacks for a storage test bed. Hosts have
// their own Fibre Channel adapters and see what the lab's world lets them see; VMFS datastores lie on those LUNs;
// powering a machine on starts a guest.
//
// How overrides work: the simulator asks [VCenter.handle] before each call. A call that the lab serves itself is
// pointed at a wrapper (see override.go); the simulator's own objects stay in its registry, because its code asserts
// their types.
package vcenter

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/simulator/vpx"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

// World is the emulated SAN as the hosts see it.
type World interface {
	Hosts(ctx context.Context) ([]worldclient.Host, error)
	Devices(ctx context.Context, host string) ([]worldclient.Device, error)
	Nvme(ctx context.Context, host string) (worldclient.Nvme, error)
	Connect(ctx context.Context, host string, to []worldclient.Connection) error
	Revision(ctx context.Context, since int64, wait time.Duration) (int64, error)
	SetVmfs(ctx context.Context, volumeID string, signature worldclient.Vmfs) error
	ClearVmfs(ctx context.Context, volumeID string) error
}

// Guests starts and stops what runs in machines.
type Guests interface {
	PowerOn(ctx context.Context, vm string, guest worldclient.PowerOn) (worldclient.PoweredOn, error)
	PowerOff(ctx context.Context, vm string, hard bool) error
	DeleteGuest(ctx context.Context, vm string) error
}

// Blocks serves virtual disks as block device files (level A).
type Blocks interface {
	// Attach answers the file to set a loop device up on. volumeID is the array volume below, host the host above.
	Attach(name, file string, sizeBytes int64, volumeID, host string) (string, error)
	Detach(name string) error
	// SetLost makes all I/O of a host on a volume fail, or lets it pass again.
	SetLost(volumeID, host string, lost bool) error
}

// Preset is what the vCenter holds at the start.
type Preset struct {
	Datacenter    string
	Network       string
	SiteDatastore string
	// SiteCapacityBytes of the site's datastore.
	SiteCapacityBytes int64
	// Templates are names of template machines. The guest kind sent to the daemon is the name without "-template".
	Templates []string
	// Foreign adds a folder and machines of other people.
	Foreign bool
}

// DefaultPreset of the lab.
func DefaultPreset() Preset {
	return Preset{
		Datacenter: "lab", Network: "VM Network", SiteDatastore: "site-local", SiteCapacityBytes: 4 << 40,
		Templates: []string{"sysbench-template"}, Foreign: true,
	}
}

// Options of a vCenter. Guests and Blocks may be nil.
type Options struct {
	World  World
	Guests Guests
	Blocks Blocks
	// Dir is a folder of its own for datastore files; it is emptied at the start.
	Dir string
	// Listen address, 127.0.0.1:port; port 0 takes a free one.
	Listen         string
	Certificate    tls.Certificate
	User, Password string
	// Token opens the control endpoints below /lab/.
	Token  string
	Preset Preset
	// NoAutoMount switches off that a new datastore is mounted on all hosts that see its LUN, as where the host
	// rescan filter of a vCenter is off.
	NoAutoMount bool
	// Release of vSphere, see releases; empty is [DefaultRelease].
	Release string
	// NvmeDetach lets hosts detach NVMe devices; they refuse it otherwise.
	NvmeDetach bool
	Log        *log.Logger
}

// VCenter is a running vCenter.
type VCenter struct {
	opt      Options
	release  *release
	log      *log.Logger
	service  *simulator.Service
	registry *simulator.Registry
	web      *web

	// storage guards everything below about hosts, LUNs and datastores. Calls that change storage or machines hold it for
	// writing: no datastore may go away under a machine operation, and the simulator's machine operations read whole
	// datastores without their locks.
	storage    sync.RWMutex
	hosts      map[types.ManagedObjectReference]*hostStorage
	datastores map[types.ManagedObjectReference]*datastore

	machines machines
	calls    calls
	health   health
	stop     context.CancelFunc
	done     sync.WaitGroup
}

// Start builds the inventory and listens.
func Start(ctx context.Context, opt Options) (*VCenter, error) {
	if opt.World == nil || opt.Dir == "" || opt.User == "" || opt.Password == "" || opt.Token == "" {
		return nil, errors.New("vcenter: world, folder, user, password and token are needed")
	}
	if opt.Log == nil {
		opt.Log = log.Default()
	}
	release, err := releaseOf(opt.Release)
	if err != nil {
		return nil, fmt.Errorf("vcenter: %w", err)
	}
	if err := freshDir(opt.Dir); err != nil {
		return nil, err
	}
	v := &VCenter{
		opt: opt, release: release, log: opt.Log, hosts: map[types.ManagedObjectReference]*hostStorage{},
		datastores: map[types.ManagedObjectReference]*datastore{},
	}
	v.machines.init()
	v.calls.init()
	v.health.init()
	if err := v.build(ctx); err != nil {
		return nil, fmt.Errorf("vcenter: %w", err)
	}
	v.registry.Handler = v.handle
	if err := v.listen(); err != nil {
		return nil, fmt.Errorf("vcenter: %w", err)
	}
	watch, stop := context.WithCancel(context.Background())
	v.stop = stop
	v.done.Add(1)
	go func() {
		defer v.done.Done()
		v.watch(watch)
	}()
	return v, nil
}

// Close stops listening. Guests are the daemon's to stop.
func (v *VCenter) Close() error {
	v.stop()
	err := v.web.close()
	v.done.Wait()
	return err
}

// context is a new owner of object locks. Each piece of work needs its own: two that share one share their locks.
func (v *VCenter) context() *simulator.Context { return isolate(v.service.Context) }

// isolate copies a context, so that work handed to another goroutine owns its locks and keeps the session.
func isolate(ctx *simulator.Context) *simulator.Context {
	own := *ctx
	return &own
}

// content says which release this is; clients choose their calls by these fields.
func (r *release) content() types.ServiceContent {
	c := vpx.ServiceContent
	c.About.Version, c.About.ApiVersion, c.About.Build = r.version, r.apiVersion, r.build
	c.About.FullName = "VMware vCenter Server " + r.version + " build-" + r.build
	return c
}

func freshDir(dir string) error {
	if err := os.RemoveAll(filepath.Join(dir, "datastores")); err != nil {
		return fmt.Errorf("vcenter: cannot empty %s: %w", dir, err)
	}
	return os.MkdirAll(filepath.Join(dir, "datastores"), 0o700)
}
