package vcenter

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/vmware/govmomi/vim25/types"
)

// chosen are the devices that a command is about: one, or all.
func (h *hostStorage) chosen(arguments map[string]string) ([]*lun, error) {
	name := arguments["device"]
	if name == "" {
		return h.sorted(), nil
	}
	l := h.luns[name]
	if l == nil {
		return nil, esxcliError(fmt.Sprintf("Unable to find device with name %s", name))
	}
	return []*lun{l}, nil
}

// plugin that owns a device: the high-performance one takes everything of NVMe over fabrics.
func (l *lun) plugin() string {
	if l.isNvme() {
		return "HPP"
	}
	return "NMP"
}

// owned are the devices of one plug-in that a command is about.
func (h *hostStorage) owned(arguments map[string]string, plugin string) ([]*lun, error) {
	all, err := h.chosen(arguments)
	var luns []*lun
	for _, l := range all {
		if l.plugin() == plugin {
			luns = append(luns, l)
		}
	}
	if err == nil && len(luns) == 0 && arguments["device"] != "" {
		return nil, esxcliError(fmt.Sprintf("Device %s is not controlled by %s", arguments["device"], plugin))
	}
	return luns, err
}

func deviceList(_ *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	luns, err := h.chosen(arguments)
	a := answer{kind: "ScsiDevice"}
	for _, l := range luns {
		status := map[string]string{"ok": "on", "off": "off", "lostCommunication": "dead timeout"}[l.state()]
		disk := l.diskInfo()
		a.list = append(a.list, []field{
			{"AttachedFilters", ""}, {"DevfsPath", disk.DevicePath}, {"Device", l.name()},
			{"DeviceMaxQueueDepth", strconv.Itoa(maxQueueDepth)}, {"DeviceType", "Direct-Access"}, {"DisplayName", disk.DisplayName},
			{"DriveType", "unknown"}, {"HasSettableDisplayName", "true"}, {"IsBootDevice", "false"}, {"IsLocal", "false"},
			{"IsOffline", strconv.FormatBool(l.detached)}, {"IsPerenniallyReserved", "false"}, {"IsPseudo", "false"},
			{"IsRDMCapable", strconv.FormatBool(!l.isNvme())}, {"IsRemovable", "false"}, {"IsSSD", "true"}, {"IsSharedClusterwide", "true"},
			{"Model", strings.TrimSpace(disk.Model)}, {"MultipathPlugin", l.plugin()},
			{"NoofoutstandingIOswithcompetingworlds", strconv.FormatInt(l.outstanding, 10)}, {"OtherUIDs", "vml." + l.uuid()},
			{"QueueFullSampleSize", strconv.FormatInt(l.queueFullSample, 10)},
			{"QueueFullThreshold", strconv.FormatInt(l.queueFullLimit, 10)}, {"Revision", strings.TrimSpace(disk.Revision)},
			{"SCSILevel", "6"}, {"Size", strconv.FormatInt(int64(l.device.CapacityBytes)>>20, 10)}, {"Status", status},
			{"ThinProvisioningStatus", "yes"}, {"VAAIStatus", "supported"}, {"Vendor", strings.TrimSpace(disk.Vendor)},
		})
	}
	return a, err
}

func deviceSet(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	luns, err := h.chosen(arguments)
	if err != nil {
		return answer{}, err
	}
	l := luns[0]
	changed := *l
	for _, setting := range []struct {
		name     string
		to       *int64
		min, max int64
	}{
		{"schednumreqoutstanding", &changed.outstanding, 1, maxQueueDepth},
		{"queuefullsamplesize", &changed.queueFullSample, 0, 65536},
		{"queuefullthreshold", &changed.queueFullLimit, 0, 16},
	} {
		if err := number(arguments, setting.name, setting.to, setting.min, setting.max); err != nil {
			return answer{}, err
		}
	}
	if state := arguments["state"]; state != "" {
		if err := v.setState(h, l, state); err != nil {
			return answer{}, err
		}
	}
	l.outstanding, l.queueFullSample, l.queueFullLimit = changed.outstanding, changed.queueFullSample, changed.queueFullLimit
	return answer{done: true}, nil
}

// setState attaches or detaches a device: --state=on|off.
func (v *VCenter) setState(h *hostStorage, l *lun, state string) error {
	var fault types.BaseMethodFault
	switch state {
	case "off":
		fault = v.detach(h, l.uuid())
	case "on":
		l.detached = false
		delete(h.detached, l.name())
		v.publish(h)
	default:
		return esxcliError("Invalid data constraint for parameter 'state'. Expected one of: [off, on]")
	}
	if fault != nil {
		return esxcliError(fmt.Sprintf("Cannot change device state. Device %s: %s", l.name(), faultText(fault)))
	}
	return nil
}

// number reads an integer argument into its place, if it is given.
func number(arguments map[string]string, name string, to *int64, lowest, highest int64) error {
	text, ok := arguments[name]
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < lowest || n > highest {
		return esxcliError(fmt.Sprintf("Invalid data constraint for parameter '%s'. Expected %d to %d", name, lowest, highest))
	}
	*to = n
	return nil
}

func detachedList(_ *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	a := answer{kind: "DetachedDevice"}
	var names []string
	for name := range h.detached {
		if arguments["device"] == "" || arguments["device"] == name {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		a.list = append(a.list, []field{{"DeviceUID", name}, {"State", "off"}})
	}
	return a, nil
}

func detachedRemove(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	name, all := arguments["device"], arguments["all"] != ""
	if !all && !h.detached[name] {
		return answer{}, esxcliError(fmt.Sprintf("Device %s is not in the detached device list", name))
	}
	for known := range h.detached {
		if l := h.luns[known]; (all || known == name) && (l == nil || !l.alive()) {
			delete(h.detached, known)
			delete(h.luns, known)
		} else if known == name {
			return answer{}, esxcliError(fmt.Sprintf("Device %s is still connected", name))
		}
	}
	v.publish(h)
	return answer{done: true}, nil
}

func nmpList(_ *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	luns, err := h.owned(arguments, "NMP")
	a := answer{kind: "Device"}
	for _, l := range luns {
		object := []field{
			{"Device", l.name()}, {"DeviceDisplayName", l.diskInfo().DisplayName}, {"StorageArrayType", satpAlua},
			{"PathSelectionPolicy", l.policy}, {"PathSelectionPolicyDeviceConfig", l.policyConfig()}, {"IsUSB", "false"},
		}
		for _, p := range l.paths {
			if l.working(p) {
				object = append(object, field{"WorkingPaths", l.pathName(p)})
			}
		}
		a.list = append(a.list, object)
	}
	return a, err
}

func (l *lun) policyConfig() string {
	if l.policy != policyRoundRobin {
		return ""
	}
	kind := map[string]string{"Default": "rr", "Iops": "iops", "Bytes": "bytes"}[l.rr.limitType]
	ano := 0
	if l.rr.useANO {
		ano = 1
	}
	return fmt.Sprintf("{policy=%s,iops=%d,bytes=%d,useANO=%d; lastPathIndex=0: NumIOsPending=0,numBytesPending=0}",
		kind, l.rr.iops, l.rr.bytes, ano)
}

func nmpSet(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	luns, err := h.owned(arguments, "NMP")
	if err != nil {
		return answer{}, err
	}
	psp := arguments["psp"]
	if arguments["default"] != "" {
		psp = policyRoundRobin
	}
	if !luns[0].setPolicy(psp, "") {
		return answer{}, esxcliError(fmt.Sprintf("Unknown path selection policy %q", psp))
	}
	v.publish(h)
	return answer{done: true}, nil
}

func roundRobinGet(_ *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	luns, err := roundRobinDevice(h, arguments)
	if err != nil {
		return answer{}, err
	}
	rr := luns.rr
	return answer{kind: "RoundRobinConfig", list: [][]field{{
		{"ByteLimit", strconv.FormatInt(rr.bytes, 10)}, {"Device", luns.name()},
		{"IOOperationLimit", strconv.FormatInt(rr.iops, 10)}, {"LatencyEvaluationInterval", "0 milliseconds"},
		{"LimitType", rr.limitType}, {"NumberOfSamplingIOsPerPath", "0"},
		{"UseActiveUnoptimizedPaths", strconv.FormatBool(rr.useANO)},
	}}}, nil
}

func roundRobinDevice(h *hostStorage, arguments map[string]string) (*lun, error) {
	luns, err := h.owned(arguments, "NMP")
	if err != nil {
		return nil, err
	}
	if luns[0].policy != policyRoundRobin {
		return nil, esxcliError(fmt.Sprintf("Device %s Does not use the Round Robin path selection policy.", luns[0].name()))
	}
	return luns[0], nil
}

// roundRobinSet: giving iops or bytes alone chooses that type of limit, as the command does.
func roundRobinSet(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	l, err := roundRobinDevice(h, arguments)
	if err != nil {
		return answer{}, err
	}
	rr := l.rr
	if err := number(arguments, "iops", &rr.iops, 1, 1<<31-1); err != nil {
		return answer{}, err
	}
	if err := number(arguments, "bytes", &rr.bytes, 1, 1<<40); err != nil {
		return answer{}, err
	}
	switch arguments["type"] {
	case "":
		if _, ok := arguments["iops"]; ok {
			rr.limitType = "Iops"
		} else if _, ok := arguments["bytes"]; ok {
			rr.limitType = "Bytes"
		}
	case "iops":
		rr.limitType = "Iops"
	case "bytes":
		rr.limitType = "Bytes"
	case "default":
		ano := rr.useANO
		rr = defaultRoundRobin()
		rr.useANO = ano
	default:
		return answer{}, esxcliError("Invalid data constraint for parameter 'type'. Expected one of: [bytes, default, iops]")
	}
	switch arguments["useano"] {
	case "":
	case "0", "false":
		rr.useANO = false
	case "1", "true":
		rr.useANO = true
	default:
		return answer{}, esxcliError("Invalid data constraint for parameter 'useano'. Expected 0 or 1")
	}
	l.rr = rr
	v.publish(h)
	return answer{done: true}, nil
}
