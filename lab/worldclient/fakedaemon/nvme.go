package fakedaemon

import (
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"

	"sanbed.dev/lab/worldclient"
)

// Subsystem of the one array.
const Subsystem = "nqn.1992-08.com.netapp:sn.0f1e2d3c4b5a69788796a5b4c3d2e1f0:subsystem.bed"

const targetNode = "20:00:00:a0:98:00:00:01"

var nvmeAdapters = []string{"vmhba65", "vmhba66"}

// nvme side of the world: hosts that the subsystem knows, and what they say that they are connected to.
type nvme struct {
	hosts       map[string]bool
	connections map[string][]worldclient.Connection
	reports     int
}

// AddNamespace makes a namespace in the subsystem, for all hosts that this knows. Its device name is answered.
func (d *Daemon) AddNamespace(number int, bytes int64, blockBytes int32) string {
	id := fmt.Sprintf("ns-%d", number)
	name := fmt.Sprintf("uuid.5084e29a6bb24fbca5ba%012x", number)
	d.change(func() {
		d.volumes[id] = &Volume{Hosts: map[string]bool{}, Device: worldclient.Device{
			Name: name, Protocol: "nvme", BlockBytes: blockBytes, SubsystemNqn: Subsystem, Lun: int32(number),
			CapacityBytes: worldclient.Bytes(bytes), Vendor: "NVMe", Model: "NetApp ONTAP Controller", Revision: "9910",
			Array: "array", VolumeID: id, ContentDir: filepath.Join(d.dir, "volumes", id),
		}}
	})
	return name
}

// Admit lets the subsystem know hosts, or not.
func (d *Daemon) Admit(known bool, hosts ...string) {
	d.change(func() {
		for _, h := range hosts {
			d.nvme.hosts[h] = known
		}
	})
}

// Connections that a host has reported.
func (d *Daemon) Connections(host string) []worldclient.Connection {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]worldclient.Connection{}, d.nvme.connections[host]...)
}

func (d *Daemon) nvmeRoutes(mux *http.ServeMux) {
	mux.HandleFunc("GET /world/hosts/{host}/nvme", func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		host := r.PathValue("host")
		answer := worldclient.Nvme{Ports: []worldclient.NvmePort{}, Controllers: []worldclient.Controller{}}
		for _, p := range d.nvmePorts(host) {
			answer.Ports = append(answer.Ports, p.NvmePort)
			if d.nvme.hosts[host] {
				answer.Controllers = append(answer.Controllers, p)
			}
		}
		reply(w, http.StatusOK, answer)
	})
	mux.HandleFunc("PUT /world/hosts/{host}/controllers", func(w http.ResponseWriter, r *http.Request) {
		var list []worldclient.Connection
		if json.NewDecoder(r.Body).Decode(&list) != nil {
			reply(w, http.StatusBadRequest, map[string]string{"error": "no list"})
			return
		}
		d.change(func() {
			d.nvme.connections[r.PathValue("host")] = list
			d.nvme.reports++
		})
		reply(w, http.StatusOK, map[string]string{})
	})
}

// nvmePorts of a host: two ports of the array per adapter.
func (d *Daemon) nvmePorts(host string) []worldclient.Controller {
	var ports []worldclient.Controller
	for i, adapter := range nvmeAdapters {
		if d.noPath[host+"/"+adapter] {
			continue
		}
		for node := range 2 {
			ports = append(ports, worldclient.Controller{
				NvmePort: worldclient.NvmePort{
					Adapter: adapter, TargetWwpn: fmt.Sprintf("20:1%d:00:a0:98:00:00:0%d", i, node), TargetWwnn: targetNode,
				},
				AdapterWwpn: d.wwpn(host, i), SubsystemNqn: Subsystem, Serial: "wCVsgFMiuMhVAAAAAAAB",
				Model: "NetApp ONTAP Controller", Firmware: "FFFFFFFF",
			})
		}
	}
	return ports
}

func (d *Daemon) wwpn(host string, port int) string {
	for _, h := range d.hosts {
		if h.Name == host {
			return h.Hbas[port].Wwpn
		}
	}
	return ""
}

// nvmePaths of a host to the namespaces of the subsystem; the first port of each adapter is optimized.
func (d *Daemon) nvmePaths(host string) []worldclient.Path {
	if !d.nvme.hosts[host] {
		return nil
	}
	var paths []worldclient.Path
	for i, p := range d.nvmePorts(host) {
		paths = append(paths, worldclient.Path{
			Adapter: p.Adapter, AdapterWwpn: p.AdapterWwpn, TargetWwpn: p.TargetWwpn, TargetWwnn: p.TargetWwnn,
			Optimized: i%2 == 0,
		})
	}
	return paths
}
