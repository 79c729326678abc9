package vcenter

import (
	"encoding/hex"
	"fmt"
	"sort"
	"strings"

	"sanbed.dev/lab/worldclient"
)

const (
	blockSize = 512
	// maxQueueDepth is what the adapter's driver allows per LUN; a deeper setting is refused.
	maxQueueDepth = 64
	// defaultOutstanding is ESXi's limit of outstanding requests of one machine on a shared LUN.
	defaultOutstanding = 32
	policyRoundRobin   = "VMW_PSP_RR"
	policyFixed        = "VMW_PSP_FIXED"
	policyRecent       = "VMW_PSP_MRU"
	satpAlua           = "VMW_SATP_ALUA"
)

// hostPath is a path that a host has discovered. It stays known when it dies.
type hostPath struct {
	worldclient.Path
	target   int
	alive    bool
	disabled bool
}

// roundRobin holds the settings of `esxcli storage nmp psp roundrobin deviceconfig`.
type roundRobin struct {
	limitType string
	iops      int64
	bytes     int64
	useANO    bool
}

func defaultRoundRobin() roundRobin {
	return roundRobin{limitType: "Default", iops: 1000, bytes: 10485760}
}

// lun is a Fibre Channel device, LUN or namespace, as one host knows it since its last rescan.
type lun struct {
	device   worldclient.Device
	paths    []hostPath
	detached bool
	policy   string
	// preferred path of the fixed policy.
	preferred       string
	outstanding     int64
	queueFullSample int64
	queueFullLimit  int64
	rr              roundRobin
	hpp             hppPolicy
}

// isNvme is true for a namespace. The high-performance plug-in owns it; SATP and PSP do not apply.
func (l *lun) isNvme() bool { return l.device.Protocol == "nvme" }

func newLun(d worldclient.Device) *lun {
	l := &lun{device: d, policy: policyRoundRobin, outstanding: defaultOutstanding, rr: defaultRoundRobin()}
	if l.isNvme() {
		l.policy, l.hpp = schemeRoundRobin, defaultHpp()
	}
	return l
}

func (l *lun) name() string { return l.device.Name }

// alive is true while one path at least reaches the volume.
func (l *lun) alive() bool {
	for _, p := range l.paths {
		if p.alive {
			return true
		}
	}
	return false
}

// state is the operational state as the API names it.
func (l *lun) state() string {
	switch {
	case l.detached:
		return "off"
	case !l.alive():
		return "lostCommunication"
	}
	return "ok"
}

// uuid of a LUN, as ESXi makes it: type 02 (NAA), LUN number, NAA digits, first six characters of the model. That of a
// namespace is assumed: type 01, then as with LUNs.
func (l *lun) uuid() string {
	model := (l.device.Model + "      ")[:6]
	kind := 2
	if l.isNvme() {
		kind = 1
	}
	_, digits, _ := strings.Cut(l.name(), ".")
	return fmt.Sprintf("%02x00%02x0000%s%s", kind, byte(l.device.Lun), digits, hex.EncodeToString([]byte(model)))
}

func (l *lun) key() string          { return "key-vim.host.ScsiDisk-" + l.uuid() }
func (l *lun) multipathKey() string { return "key-vim.host.MultipathInfo.LogicalUnit-" + l.uuid() }

// pathName is the runtime name, vmhba2:C0:T0:L10.
func (l *lun) pathName(p hostPath) string {
	return fmt.Sprintf("%s:C0:T%d:L%d", p.Adapter, p.target, l.device.Lun)
}

// pathState as the API names it. Paths of a detached device are off, which the API shows as disabled.
func (l *lun) pathState(p hostPath) string {
	switch {
	case !p.alive:
		return "dead"
	case p.disabled || l.detached:
		return "disabled"
	}
	return "active"
}

// working is true for paths that carry I/O: the optimized ones, and the others when no optimized one is left.
func (l *lun) working(p hostPath) bool {
	if l.pathState(p) != "active" {
		return false
	}
	if p.Optimized || l.rr.useANO || l.hpp.useANO {
		return true
	}
	for _, other := range l.paths {
		if other.Optimized && l.pathState(other) == "active" {
			return false
		}
	}
	return true
}

// discover takes over what a rescan has found; paths known before and gone now stay, dead.
func (l *lun) discover(d worldclient.Device, target func(adapter, wwpn string) int) {
	l.device = d
	for _, found := range d.Paths {
		if i := l.pathIndex(found); i >= 0 {
			l.paths[i].Optimized = found.Optimized
			continue
		}
		l.paths = append(l.paths, hostPath{Path: found, target: target(found.Adapter, found.TargetWwpn)})
	}
	l.refresh(&d)
	kept := l.paths[:0:0]
	for _, p := range l.paths {
		if p.alive || !l.alive() {
			kept = append(kept, p)
		}
	}
	l.paths = kept
	sort.Slice(l.paths, func(i, j int) bool {
		a, b := l.paths[i], l.paths[j]
		return a.Adapter < b.Adapter || a.Adapter == b.Adapter && a.target < b.target
	})
}

// refresh sets which known paths live, by what the world shows now; nil is nothing. True when something changed.
func (l *lun) refresh(now *worldclient.Device) bool {
	changed := false
	for i := range l.paths {
		alive, optimized := false, l.paths[i].Optimized
		if now != nil {
			for _, p := range now.Paths {
				if samePath(p, l.paths[i].Path) {
					alive, optimized = true, p.Optimized
				}
			}
		}
		changed = changed || alive != l.paths[i].alive || optimized != l.paths[i].Optimized
		l.paths[i].alive, l.paths[i].Optimized = alive, optimized
	}
	return changed
}

func (l *lun) pathIndex(p worldclient.Path) int {
	for i, known := range l.paths {
		if samePath(p, known.Path) {
			return i
		}
	}
	return -1
}

func samePath(a, b worldclient.Path) bool {
	return a.Adapter == b.Adapter && a.TargetWwpn == b.TargetWwpn
}
