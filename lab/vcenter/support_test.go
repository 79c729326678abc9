package vcenter

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/vmware/govmomi"
	"github.com/vmware/govmomi/find"
	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/vim25/mo"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient/fakedaemon"
)

// bench is a vCenter under test with a client that is logged in over TLS.
type bench struct {
	*VCenter
	t      *testing.T
	ctx    context.Context
	daemon *fakedaemon.Daemon
	client *govmomi.Client
	blocks *recordedBlocks
}

func startBench(t *testing.T, change ...func(*Options)) *bench {
	t.Helper()
	daemon := fakedaemon.Start(t, 2, 4)
	blocks := &recordedBlocks{dir: t.TempDir(), disks: map[string]string{}, lost: map[string]bool{}}
	options := Options{
		World: daemon.Client(), Guests: daemon.Client(), Blocks: blocks, Dir: filepath.Join(t.TempDir(), "vcenter"),
		Listen: "127.0.0.1:0", Certificate: testCertificate(t), User: "administrator@lab.local", Password: "secret",
		Token: fakedaemon.Token, Preset: DefaultPreset(), Log: log.New(io.Discard, "", 0),
	}
	for _, c := range change {
		c(&options)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	v, err := Start(ctx, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	b := &bench{VCenter: v, t: t, ctx: ctx, daemon: daemon, blocks: blocks}
	b.client = b.login()
	return b
}

// find answers a finder of its own: they are not made for parallel use.
func (b *bench) find() *find.Finder {
	finder := find.NewFinder(b.client.Client, true)
	return finder.SetDatacenter(must(finder.DefaultDatacenter(b.ctx)))
}

// login opens a new session.
func (b *bench) login() *govmomi.Client {
	b.t.Helper()
	return must(govmomi.NewClient(b.ctx, b.web.url, true))
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func (b *bench) ok(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) host(i int) *object.HostSystem {
	return must(b.find().HostSystem(b.ctx, b.daemon.Hosts()[i]))
}

// storageOf reads a host's storage.
func (b *bench) storageOf(i int) mo.HostStorageSystem {
	b.t.Helper()
	var system mo.HostStorageSystem
	b.ok(b.client.RetrieveOne(b.ctx, b.storageSystem(i).Reference(), nil, &system))
	return system
}

func (b *bench) storageSystem(i int) *object.HostStorageSystem {
	return must(b.host(i).ConfigManager().StorageSystem(b.ctx))
}

// disk that a host knows by name; nil for none.
func (b *bench) disk(i int, name string) *types.HostScsiDisk {
	for _, l := range b.storageOf(i).StorageDeviceInfo.ScsiLun {
		if disk, ok := l.(*types.HostScsiDisk); ok && disk.CanonicalName == name {
			return disk
		}
	}
	return nil
}

// pathStates of a device on a host: how many of each.
func (b *bench) pathStates(i int, name string) map[string]int {
	states := map[string]int{}
	disk := b.disk(i, name)
	if disk == nil {
		return states
	}
	for _, unit := range b.storageOf(i).StorageDeviceInfo.MultipathInfo.Lun {
		if unit.Lun == disk.Key {
			for _, p := range unit.Path {
				states[p.PathState]++
			}
		}
	}
	return states
}

// eventually waits for a condition that the watch of the world brings about.
func (b *bench) eventually(what string, condition func() bool) {
	b.t.Helper()
	for deadline := time.Now().Add(5 * time.Second); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("not within five seconds: %s", what)
		}
	}
}

// faultIn digs the vSphere fault out of an error.
func faultIn(err error) any {
	if err == nil {
		return nil
	}
	if soap.IsSoapFault(err) {
		return soap.ToSoapFault(err).VimFault()
	}
	if soap.IsVimFault(err) {
		return soap.ToVimFault(err)
	}
	var task interface{ Fault() types.BaseMethodFault }
	if errors.As(err, &task) {
		return task.Fault()
	}
	return err
}

// expectFault fails the test unless the error carries a fault of that type.
func expectFault[T any](t *testing.T, err error) {
	t.Helper()
	switch fault := faultIn(err).(type) {
	case T, *T:
	default:
		var want T
		t.Fatalf("fault %T (%v), want %T", fault, err, want)
	}
}

// recordedBlocks is a block device server that only remembers.
type recordedBlocks struct {
	mu    sync.Mutex
	dir   string
	disks map[string]string
	lost  map[string]bool
}

func (r *recordedBlocks) Attach(name, file string, _ int64, volumeID, host string) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.disks[name] = file + " " + volumeID + " " + host
	return filepath.Join(r.dir, name), nil
}

func (r *recordedBlocks) Detach(name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.disks, name)
	return nil
}

func (r *recordedBlocks) SetLost(volumeID, host string, lost bool) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lost[volumeID+" "+host] = lost
	return nil
}

func (r *recordedBlocks) isLost(volumeID, host string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lost[volumeID+" "+host]
}

func (r *recordedBlocks) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.disks)
}

func testCertificate(t *testing.T) tls.Certificate {
	t.Helper()
	key := must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "vcenter.test"}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der := must(x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key))
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}
