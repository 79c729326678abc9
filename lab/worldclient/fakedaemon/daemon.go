// Package fakedaemon stands for the lab's daemon in tests: it serves the control port of docs/lab-protocol.md from a small
// world in memory.
package fakedaemon

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"sanbed.dev/lab/worldclient"
)

// Token that the daemon asks for.
const Token = "test-token"

// Volume of the world.
type Volume struct {
	Device worldclient.Device
	// Hosts that the volume is mapped to.
	Hosts map[string]bool
}

// Daemon is a running fake.
type Daemon struct {
	server *httptest.Server
	dir    string

	mu       sync.Mutex
	revision int64
	changed  chan struct{}
	hosts    []worldclient.Host
	volumes  map[string]*Volume
	// noPath holds adapters (host/vmhba) that reach no target.
	noPath map[string]bool
	guests map[string]*Guest
	level  string
	// guestFault is the reason that power-on refuses with.
	guestFault string
	nvme       nvme
}

// Guest as the daemon was asked to start it.
type Guest struct {
	Request worldclient.PowerOn
	Running bool
	// Offs lists the power-offs: true for hard ones.
	Offs []bool
}

// Start a daemon with clusters of hosts; it ends with the test.
func Start(t testing.TB, clusters, hostsPerCluster int) *Daemon {
	t.Helper()
	d := &Daemon{
		dir: t.TempDir(), changed: make(chan struct{}), volumes: map[string]*Volume{}, noPath: map[string]bool{},
		guests: map[string]*Guest{}, level: "A",
		nvme: nvme{hosts: map[string]bool{}, connections: map[string][]worldclient.Connection{}},
	}
	for i := range clusters * hostsPerCluster {
		host := worldclient.Host{
			Name: fmt.Sprintf("esx%02d.test.invalid", i+1), Cluster: fmt.Sprintf("cluster-%d", i/hostsPerCluster),
			Nqn: fmt.Sprintf("nqn.2014-08.com.vmware:nvme:esx%02d", i+1),
		}
		for port, device := range []string{"vmhba2", "vmhba3"} {
			host.Hbas = append(host.Hbas, worldclient.Adapter{
				Device: device, NvmeDevice: nvmeAdapters[port], Wwpn: fmt.Sprintf("21:00:00:24:ff:00:%02x:%02x", i, port), Online: true, SpeedGbps: 32,
				Wwnn: fmt.Sprintf("20:00:00:24:ff:00:%02x:%02x", i, port), Fabric: string(rune('A' + port)),
			})
		}
		d.hosts = append(d.hosts, host)
	}
	d.server = httptest.NewServer(d.routes())
	t.Cleanup(d.server.Close)
	return d
}

// URL of the control port.
func (d *Daemon) URL() string { return d.server.URL }

// Client of this daemon.
func (d *Daemon) Client() *worldclient.Client { return worldclient.New(d.URL(), Token) }

// Hosts by name, in order.
func (d *Daemon) Hosts() []string {
	var names []string
	for _, h := range d.hosts {
		names = append(names, h.Name)
	}
	return names
}

// change runs under the lock and tells everyone who waits.
func (d *Daemon) change(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f()
	d.revision++
	close(d.changed)
	d.changed = make(chan struct{})
}

// AddVolume makes a volume that is mapped to no host. Its device name is answered.
func (d *Daemon) AddVolume(number int, bytes int64) string {
	id := fmt.Sprintf("vol-%d", number)
	name := fmt.Sprintf("naa.600a0980%024x", 0x38314c674d240000+number)
	d.change(func() {
		d.volumes[id] = &Volume{Hosts: map[string]bool{}, Device: worldclient.Device{
			Name: name, Protocol: "scsi", BlockBytes: 512, Lun: int32(number), CapacityBytes: worldclient.Bytes(bytes), Vendor: "NETAPP", Model: "LUN C-Mode",
			Revision: "9800", Serial: fmt.Sprintf("serial%06d", number), Array: "array", VolumeID: id,
			ContentDir: filepath.Join(d.dir, "volumes", id),
		}}
	})
	return name
}

// Map presents a volume to hosts, or takes it away.
func (d *Daemon) Map(device string, present bool, hosts ...string) {
	d.change(func() {
		for _, h := range hosts {
			d.volume(device).Hosts[h] = present
		}
	})
}

// SetPath lets an adapter of a host reach its targets, or not.
func (d *Daemon) SetPath(host, adapter string, reach bool) {
	d.change(func() { d.noPath[host+"/"+adapter] = !reach })
}

// SetVmfs puts a signature on a volume behind the back of the vCenter.
func (d *Daemon) SetVmfs(device string, signature *worldclient.Vmfs) {
	d.change(func() { d.volume(device).Device.Vmfs = signature })
}

// Vmfs of a volume.
func (d *Daemon) Vmfs(device string) *worldclient.Vmfs {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.volume(device).Device.Vmfs
}

// ContentDir of a volume.
func (d *Daemon) ContentDir(device string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.volume(device).Device.ContentDir
}

// SetLevel of the lab; D has no guests.
func (d *Daemon) SetLevel(level string) { d.change(func() { d.level = level }) }

// RefuseGuests lets power-on fail with a reason; empty lets it pass.
func (d *Daemon) RefuseGuests(reason string) { d.change(func() { d.guestFault = reason }) }

// Guest by name; false when there are no files of it.
func (d *Daemon) Guest(name string) (Guest, bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := d.guests[name]
	if g == nil {
		return Guest{}, false
	}
	return *g, true
}

func (d *Daemon) volume(device string) *Volume {
	for _, v := range d.volumes {
		if v.Device.Name == device {
			return v
		}
	}
	panic("no volume " + device)
}

func (d *Daemon) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /world/vcenter", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, worldclient.Names{
			Datacenter: "lab", Datastore: "site-local", Network: "VM Network", Templates: []string{"sysbench-template"},
		})
	})
	mux.HandleFunc("GET /world/hosts", func(w http.ResponseWriter, _ *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		reply(w, http.StatusOK, d.hosts)
	})
	mux.HandleFunc("GET /world/hosts/{host}/devices", func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		reply(w, http.StatusOK, d.devices(r.PathValue("host")))
	})
	d.nvmeRoutes(mux)
	mux.HandleFunc("GET /world/revision", d.serveRevision)
	mux.HandleFunc("PUT /world/volumes/{id}/vmfs", d.serveVmfs)
	mux.HandleFunc("DELETE /world/volumes/{id}/vmfs", d.serveVmfs)
	d.guestRoutes(mux)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+Token {
			reply(w, http.StatusUnauthorized, map[string]string{"error": "wrong token"})
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// devices of a host: two targets per adapter, the first of them optimized.
func (d *Daemon) devices(host string) []worldclient.Device {
	devices := []worldclient.Device{}
	for _, v := range d.volumes {
		device := v.Device
		if device.Protocol == "nvme" {
			if device.Paths = d.nvmePaths(host); len(device.Paths) > 0 {
				devices = append(devices, device)
			}
			continue
		}
		if !v.Hosts[host] {
			continue
		}
		for i, adapter := range []string{"vmhba2", "vmhba3"} {
			for node := range 2 {
				if d.noPath[host+"/"+adapter] {
					continue
				}
				device.Paths = append(device.Paths, worldclient.Path{
					Adapter: adapter, AdapterWwpn: "21:00:00:24:ff:00:00:00", Optimized: node == 0,
					TargetWwpn: fmt.Sprintf("50:0a:09:82:00:00:%02x:%02x", i, node), TargetWwnn: "50:0a:09:80:00:00:00:01",
				})
			}
		}
		if len(device.Paths) > 0 {
			devices = append(devices, device)
		}
	}
	return devices
}

func (d *Daemon) serveRevision(w http.ResponseWriter, r *http.Request) {
	since, _ := strconv.ParseInt(r.URL.Query().Get("since"), 10, 64)
	timeout, _ := strconv.Atoi(r.URL.Query().Get("timeoutMs"))
	deadline := time.After(time.Duration(timeout) * time.Millisecond)
	for {
		d.mu.Lock()
		revision, changed := d.revision, d.changed
		d.mu.Unlock()
		if revision > since {
			reply(w, http.StatusOK, map[string]int64{"revision": revision})
			return
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		case <-deadline:
			reply(w, http.StatusOK, map[string]int64{"revision": revision})
			return
		}
	}
}

func (d *Daemon) serveVmfs(w http.ResponseWriter, r *http.Request) {
	var signature *worldclient.Vmfs
	if r.Method == http.MethodPut {
		signature = &worldclient.Vmfs{}
		if json.NewDecoder(r.Body).Decode(signature) != nil || signature.UUID == "" {
			reply(w, http.StatusBadRequest, map[string]string{"error": "no signature"})
			return
		}
	}
	status := http.StatusOK
	d.change(func() {
		if v := d.volumes[r.PathValue("id")]; v != nil {
			v.Device.Vmfs = signature
		} else {
			status = http.StatusNotFound
		}
	})
	reply(w, status, map[string]string{})
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
