package vcenter

import (
	"fmt"
	"strconv"

	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

var (
	adapterNeeded = esxcliParam{long: "adapter", short: "a", required: true}
	wwnnNeeded    = esxcliParam{long: "wwnn", short: "W", required: true}
	wwpnNeeded    = esxcliParam{long: "wwpn", short: "w", required: true}
)

func init() {
	esxcliCommands["nvme.info.get"] = esxcliCommand{help: "Get NVMe host information.", run: nvmeInfoGet}
	esxcliCommands["nvme.adapter.list"] = esxcliCommand{help: "List all NVMe adapters.", run: nvmeAdapterList}
	esxcliCommands["nvme.controller.list"] = esxcliCommand{help: "List all NVMe controllers.", run: nvmeControllerList}
	esxcliCommands["nvme.namespace.list"] = esxcliCommand{help: "List all NVMe namespaces.", run: nvmeNamespaceList}
	esxcliCommands["nvme.fabrics.discover"] = esxcliCommand{
		help: "Discover NVMe controllers on the specified target port through the specified NVMe adapter.", run: nvmeDiscover,
		params: []esxcliParam{adapterNeeded, wwnnNeeded, wwpnNeeded, {long: "connect-all", short: "c"}},
	}
	esxcliCommands["nvme.fabrics.connect"] = esxcliCommand{
		help: "Connect to an NVMe controller on the specified target port through the specified NVMe adapter.", run: nvmeConnect,
		params: []esxcliParam{
			adapterNeeded, wwnnNeeded, wwpnNeeded, {long: "subsystem-nqn", short: "s", required: true},
		},
	}
	esxcliCommands["nvme.fabrics.disconnect"] = esxcliCommand{
		help: "Disconnect the specified NVMe controllers on the specified NVMe adapter.", run: nvmeDisconnect,
		params: []esxcliParam{adapterNeeded, {long: "subsystem-nqn", short: "s"}, {long: "controller-number", short: "n"}},
	}
	esxcliCommands["storage.hpp.device.list"] = esxcliCommand{
		help: "List the devices currently controlled by the VMware High Performance Plugin.", run: hppDeviceList,
		params: []esxcliParam{deviceParam},
	}
	esxcliCommands["storage.hpp.path.list"] = esxcliCommand{
		help: "List the paths currently claimed by the VMware High Performance Plugin.", run: hppPathList,
		params: []esxcliParam{deviceParam},
	}
	esxcliCommands["storage.hpp.device.set"] = esxcliCommand{
		help: "Configure HPP device settings.", run: hppDeviceSet,
		params: []esxcliParam{
			deviceNeeded, {long: "pss", short: "P"}, {long: "iops", short: "O"}, {long: "bytes", short: "B"},
			{long: "latency-eval-time", short: "T"}, {long: "sampling-ios-per-path", short: "S"}, {long: "path", short: "p"},
			{long: "use-ano", short: "U"},
		},
	}
}

func nvmeInfoGet(_ *VCenter, h *hostStorage, _ map[string]string) (answer, error) {
	return answer{kind: "HostInfo", list: [][]field{{{"HostNQN", h.nvme.nqn}}}}, nil
}

func nvmeAdapterList(_ *VCenter, h *hostStorage, _ map[string]string) (answer, error) {
	a := answer{kind: "Adapter"}
	for _, hba := range h.adapters {
		if hba.NvmeDevice != "" {
			a.list = append(a.list, []field{
				{"Adapter", hba.NvmeDevice}, {"AdapterQualifiedName", "aqn:lpfc:" + plainWwn(hba.Wwpn)}, {"TransportType", "FC"},
				{"Driver", "lpfc"}, {"AssociatedDevices", ""},
			})
		}
	}
	return a, nil
}

func nvmeControllerList(_ *VCenter, h *hostStorage, _ map[string]string) (answer, error) {
	a := answer{kind: "Controller"}
	for _, c := range h.sortedControllers() {
		a.list = append(a.list, []field{
			{"Name", c.name()}, {"ControllerNumber", strconv.Itoa(int(c.number))}, {"Adapter", c.Adapter},
			{"TransportType", "FC"}, {"IsOnline", strconv.FormatBool(c.online)},
		})
	}
	return a, nil
}

func nvmeNamespaceList(_ *VCenter, h *hostStorage, _ map[string]string) (answer, error) {
	a := answer{kind: "Namespace"}
	for _, c := range h.sortedControllers() {
		for _, d := range h.namespacesOf(c) {
			a.list = append(a.list, []field{
				{"Name", d.Name}, {"ControllerNumber", strconv.Itoa(int(c.number))}, {"NamespaceID", strconv.Itoa(int(d.Lun))},
				{"BlockSize", strconv.Itoa(int(d.BlockBytes))}, {"CapacityinMB", strconv.FormatInt(int64(d.CapacityBytes)>>20, 10)},
			})
		}
	}
	return a, nil
}

func nvmeSpec(arguments map[string]string) (types.HostNvmeSpec, error) {
	port, err := worldclient.ParseWwn(arguments["wwpn"])
	if err != nil {
		return types.HostNvmeSpec{}, esxcliError("Invalid WWPN " + arguments["wwpn"])
	}
	node, err := worldclient.ParseWwn(arguments["wwnn"])
	if err != nil {
		return types.HostNvmeSpec{}, esxcliError("Invalid WWNN " + arguments["wwnn"])
	}
	return types.HostNvmeSpec{
		HbaName:             arguments["adapter"],
		TransportParameters: &types.HostNvmeOverFibreChannelParameters{PortWorldWideName: port, NodeWorldWideName: node},
	}, nil
}

func nvmeDiscover(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	spec, err := nvmeSpec(arguments)
	if err != nil {
		return answer{}, err
	}
	found, fault := v.discoverController(h, spec, arguments["connectall"] != "")
	if fault != nil {
		return answer{}, esxcliError("Unable to discover: " + faultText(fault))
	}
	a := answer{kind: "DiscoveryEntry"}
	for _, entry := range found.Entry {
		a.list = append(a.list, []field{
			{"TransportType", "FC"}, {"AddressFamily", "FC"}, {"SubsystemType", "NVM"}, {"ControllerID", strconv.Itoa(int(entry.ControllerId))},
			{"AdminQueueMaxSize", strconv.Itoa(int(entry.AdminQueueMaxSize))},
			{"TransportAddress", fmt.Sprintf("nn-0x%s:pn-0x%s", plainWwn(arguments["wwnn"]), plainWwn(arguments["wwpn"]))},
			{"TransportServiceID", "none"}, {"SubsystemNQN", entry.Subnqn}, {"Connected", strconv.FormatBool(entry.Connected)},
		})
	}
	return a, nil
}

func nvmeConnect(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	spec, err := nvmeSpec(arguments)
	if err != nil {
		return answer{}, err
	}
	fault := v.connectControllers(h, []types.HostNvmeConnectSpec{{HostNvmeSpec: spec, Subnqn: arguments["subsystemnqn"]}})
	if fault != nil {
		return answer{}, esxcliError("Unable to connect: " + faultText(fault))
	}
	return answer{done: true}, nil
}

func nvmeDisconnect(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	spec := types.HostNvmeDisconnectSpec{HbaName: arguments["adapter"], Subnqn: arguments["subsystemnqn"]}
	var number64 int64
	if err := number(arguments, "controllernumber", &number64, 1, 1<<31-1); err != nil {
		return answer{}, err
	}
	spec.ControllerNumber = int32(number64)
	if fault := v.disconnectControllers(h, []types.HostNvmeDisconnectSpec{spec}); fault != nil {
		return answer{}, esxcliError("Unable to disconnect: " + faultText(fault))
	}
	return answer{done: true}, nil
}

func hppDeviceList(_ *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	luns, err := h.owned(arguments, "HPP")
	a := answer{kind: "Device"}
	for _, l := range luns {
		object := []field{
			{"Device", l.name()}, {"DeviceDisplayName", l.diskInfo().DisplayName}, {"PathSelectionScheme", l.policy},
			{"PathSelectionSchemeConfig", l.schemeConfig()}, {"IsSSD", "true"}, {"IsLocal", "false"},
			{"UseANO", strconv.FormatBool(l.hpp.useANO)},
		}
		for _, p := range l.paths {
			if l.working(p) {
				object = append(object, field{"WorkingPathSet", l.pathName(p)})
			}
		}
		for _, p := range l.paths {
			object = append(object, field{"Paths", l.pathName(p)})
		}
		a.list = append(a.list, object)
	}
	return a, err
}

func (l *lun) schemeConfig() string {
	switch l.policy {
	case schemeFixed:
		return fmt.Sprintf("{preferred=%s;}", l.hpp.path)
	case schemeLatency:
		return fmt.Sprintf("{latency-eval-time=%d,sampling-ios-per-path=%d;}", l.hpp.latencyMs, l.hpp.samples)
	}
	return fmt.Sprintf("{iops=%d,bytes=%d;}", l.hpp.iops, l.hpp.bytes)
}

// hppPathList shows a path with the state of its group of namespaces (ANA): optimized or not.
func hppPathList(_ *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	luns, err := h.owned(arguments, "HPP")
	a := answer{kind: "Path"}
	for _, l := range luns {
		for _, p := range l.paths {
			state, ana, health := "active", "AO", "UP"
			switch {
			case l.pathState(p) != "active":
				state, ana, health = l.pathState(p), "INACCESSIBLE", "DOWN"
			case !p.Optimized:
				state, ana = "active unoptimized", "ANO"
			}
			a.list = append(a.list, []field{
				{"UID", h.pathUID(l, p)}, {"RuntimeName", l.pathName(p)}, {"Device", l.name()},
				{"DeviceDisplayName", l.diskInfo().DisplayName}, {"PathState", state},
				{"PathConfig", fmt.Sprintf("{ANA_GRP_id=%d,ANA_GRP_state=%s,health=%s}", l.device.Lun, ana, health)},
			})
		}
	}
	return a, err
}

func (h *hostStorage) pathUID(l *lun, p hostPath) string {
	for _, a := range h.adapters {
		if a.NvmeDevice == p.Adapter {
			return fmt.Sprintf("fc.%s:%s-fc.%s:%s-%s",
				plainWwn(a.Wwnn), plainWwn(a.Wwpn), plainWwn(p.TargetWwnn), plainWwn(p.TargetWwpn), l.name())
		}
	}
	return l.name()
}

func hppDeviceSet(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error) {
	luns, err := h.owned(arguments, "HPP")
	if err != nil {
		return answer{}, err
	}
	l := luns[0]
	policy := types.HostMultipathInfoHppLogicalUnitPolicy{Path: arguments["path"]}
	if policy.Policy = arguments["pss"]; policy.Policy == "" {
		policy.Policy = l.policy
	}
	for name, to := range map[string]*int64{
		"iops": &policy.Iops, "bytes": &policy.Bytes, "latencyevaltime": &policy.LatencyEvalTime,
		"samplingiosperpath": &policy.SamplingIosPerPath,
	} {
		if err := number(arguments, name, to, 1, 1<<40); err != nil {
			return answer{}, err
		}
	}
	if !l.setScheme(policy) {
		return answer{}, esxcliError(fmt.Sprintf("Invalid settings for scheme %q", policy.Policy))
	}
	if ano, ok := arguments["useano"]; ok {
		l.hpp.useANO = ano == "true" || ano == "1"
	}
	v.publish(h)
	return answer{done: true}, nil
}
