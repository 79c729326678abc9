package vcenter

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"sort"
	"strings"
)

// esxcliCommand is one command of `esxcli storage`, with the parameters of its reference.
type esxcliCommand struct {
	help   string
	params []esxcliParam
	run    func(v *VCenter, h *hostStorage, arguments map[string]string) (answer, error)
}

// esxcliParam: the name in the API is the long option without hyphens.
type esxcliParam struct {
	long, short string
	required    bool
}

func (p esxcliParam) name() string { return strings.ReplaceAll(p.long, "-", "") }

func (c esxcliCommand) check(arguments map[string]string) error {
	known := map[string]bool{}
	for _, p := range c.params {
		known[p.name()] = true
		if p.required && arguments[p.name()] == "" {
			return esxcliError(fmt.Sprintf("Missing required parameter -%s|--%s", p.short, p.long))
		}
	}
	for name := range arguments {
		if !known[name] {
			return esxcliError("Invalid option " + name)
		}
	}
	return nil
}

var (
	deviceParam    = esxcliParam{long: "device", short: "d"}
	deviceNeeded   = esxcliParam{long: "device", short: "d", required: true}
	esxcliCommands = map[string]esxcliCommand{}
)

func init() {
	esxcliCommands["storage.core.device.list"] = esxcliCommand{
		help: "List the devices currently registered with the PSA.", params: []esxcliParam{deviceParam}, run: deviceList,
	}
	esxcliCommands["storage.core.device.set"] = esxcliCommand{
		help: "Provide control to allow a user to modify a SCSI device's state.", run: deviceSet,
		params: []esxcliParam{
			deviceNeeded, {long: "sched-num-req-outstanding", short: "O"}, {long: "queue-full-sample-size", short: "s"},
			{long: "queue-full-threshold", short: "q"}, {long: "state"},
		},
	}
	esxcliCommands["storage.core.device.detached.list"] = esxcliCommand{
		help: "List all devices that were detached manually by changing their state on the system.", run: detachedList,
		params: []esxcliParam{deviceParam},
	}
	esxcliCommands["storage.core.device.detached.remove"] = esxcliCommand{
		help: "Provide control to allow a user to remove SCSI devices from the detached device list.", run: detachedRemove,
		params: []esxcliParam{deviceParam, {long: "all", short: "a"}},
	}
	esxcliCommands["storage.nmp.device.list"] = esxcliCommand{
		help: "List the devices currently controlled by the VMware NMP Multipath Plugin.", run: nmpList,
		params: []esxcliParam{deviceParam},
	}
	esxcliCommands["storage.nmp.device.set"] = esxcliCommand{
		help: "Allow setting of the Path Selection Policy (PSP) for the given device.", run: nmpSet,
		params: []esxcliParam{{long: "default", short: "E"}, deviceNeeded, {long: "psp", short: "P"}},
	}
	esxcliCommands["storage.nmp.psp.roundrobin.deviceconfig.get"] = esxcliCommand{
		help: "Allow getting of the Round Robin properties for a given device.", run: roundRobinGet,
		params: []esxcliParam{deviceNeeded},
	}
	esxcliCommands["storage.nmp.psp.roundrobin.deviceconfig.set"] = esxcliCommand{
		help: "Allow setting of the Round Robin path properties on a given device.", run: roundRobinSet,
		params: []esxcliParam{
			deviceNeeded, {long: "iops", short: "I"}, {long: "bytes", short: "B"}, {long: "type", short: "t"},
			{long: "useano", short: "U"},
		},
	}
}

// commandInfo describes the commands of a name space, as VimCLIInfo.FetchCLIInfo answers; empty for one that is not ours.
func commandInfo(space string) string {
	var names []string
	for name := range esxcliCommands {
		if strings.HasPrefix(name, space+".") && !strings.Contains(name[len(space)+1:], ".") {
			names = append(names, name[len(space)+1:])
		}
	}
	if len(names) == 0 {
		return ""
	}
	sort.Strings(names)
	var out bytes.Buffer
	fmt.Fprintf(&out, `<CommandInfo %s>`, xmlSpaces)
	item(&out, space, space[strings.LastIndex(space, ".")+1:], "")
	for _, name := range names {
		command := esxcliCommands[space+"."+name]
		out.WriteString("<method>")
		item(&out, name, name, command.help)
		for _, p := range command.params {
			out.WriteString("<param>")
			item(&out, p.name(), p.long, p.long)
			if p.short != "" {
				fmt.Fprintf(&out, "<aliases>-%s</aliases>", p.short)
			}
			fmt.Fprintf(&out, "<aliases>--%s</aliases><flag>false</flag></param>", p.long)
		}
		out.WriteString("<hints><key>formatter</key><value>simple</value></hints></method>")
	}
	out.WriteString("</CommandInfo>")
	return out.String()
}

func item(out *bytes.Buffer, name, display, help string) {
	for _, f := range []field{{"name", name}, {"displayName", display}, {"help", help}} {
		fmt.Fprintf(out, "<%s>", f.name)
		_ = xml.EscapeText(out, []byte(f.value))
		fmt.Fprintf(out, "</%s>", f.name)
	}
}
