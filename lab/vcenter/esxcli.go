package vcenter

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"reflect"
	"strings"

	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// esxcli over the API: HostSystem.RetrieveManagedMethodExecuter, then ExecuteSoap with the object id and the method of
// the command, as `govc host.esxcli` and PowerCLI do it. The request types are internal to govmomi, so they are read
// by reflection; what this file does not know goes to the simulator.

// esxcliCalls serves ExecuteSoap of a host's ManagedMethodExecuter.
type esxcliCalls struct {
	*simulator.ManagedMethodExecuter
	unlocked
	v *VCenter
}

// ExecuteSoapResponse has the name and fields of the API's answer.
type ExecuteSoapResponse struct {
	Returnval *SoapResult `xml:"urn:vim25 returnval"`
}

// SoapResult is the API's ReflectManagedMethodExecuterSoapResult: an XML text, or a fault.
type SoapResult struct {
	Response string     `xml:"response,omitempty"`
	Fault    *SoapFault `xml:"fault,omitempty"`
}

// SoapFault is the API's ReflectManagedMethodExecuterSoapFault.
type SoapFault struct {
	FaultMsg    string `xml:"faultMsg"`
	FaultDetail string `xml:"faultDetail,omitempty"`
}

// ExecuteSoapBody carries the answer.
type ExecuteSoapBody struct {
	Res    *ExecuteSoapResponse `xml:"ExecuteSoapResponse,omitempty"`
	Fault_ *soap.Fault          `xml:"http://schemas.xmlsoap.org/soap/envelope/ Fault,omitempty"`
}

// Fault of the call itself.
func (b *ExecuteSoapBody) Fault() *soap.Fault { return b.Fault_ }

// esxcliError is what esxcli prints.
type esxcliError string

func (e esxcliError) Error() string { return string(e) }

// ExecuteSoap runs one esxcli command.
func (c *esxcliCalls) ExecuteSoap(ctx *simulator.Context, request any) soap.HasFault {
	method, arguments := readRequest(request)
	if method == "vim.CLIInfo.FetchCLIInfo" {
		if info := commandInfo(strings.TrimPrefix(arguments["typeName"], "vim.EsxCLI.")); info != "" {
			return result(info)
		}
		return c.stock(ctx, request)
	}
	name := strings.TrimPrefix(method, "vim.EsxCLI.")
	command, ok := esxcliCommands[name]
	if !ok || !c.v.release.hasCommand(name) {
		return c.stock(ctx, request)
	}
	c.v.storage.Lock()
	defer c.v.storage.Unlock()
	h := c.v.hosts[types.ManagedObjectReference{Type: "HostSystem", Value: c.Value}]
	if h == nil {
		return &ExecuteSoapBody{Fault_: simulator.Fault("", &types.ManagedObjectNotFound{Obj: c.Reference()})}
	}
	if err := command.check(arguments); err != nil {
		return failure(err)
	}
	answer, err := command.run(c.v, h, arguments)
	if err != nil {
		return failure(err)
	}
	return result(answer.text(method))
}

func (c *esxcliCalls) stock(ctx *simulator.Context, request any) soap.HasFault {
	call := reflect.ValueOf(c.ManagedMethodExecuter).MethodByName("ExecuteSoap")
	return call.Call([]reflect.Value{reflect.ValueOf(ctx), reflect.ValueOf(request)})[0].Interface().(soap.HasFault)
}

// readRequest answers method and arguments. An argument's value is the XML element <name>value</name>.
func readRequest(request any) (string, map[string]string) {
	of := reflect.ValueOf(request).Elem()
	arguments := map[string]string{}
	list := of.FieldByName("Argument")
	for i := range list.Len() {
		var value struct {
			Text string `xml:",chardata"`
		}
		name := list.Index(i).FieldByName("Name").String()
		if xml.Unmarshal([]byte(list.Index(i).FieldByName("Val").String()), &value) == nil {
			arguments[name] = value.Text
		}
	}
	return of.FieldByName("Method").String(), arguments
}

func result(text string) *ExecuteSoapBody {
	return &ExecuteSoapBody{Res: &ExecuteSoapResponse{Returnval: &SoapResult{Response: text}}}
}

func failure(err error) *ExecuteSoapBody {
	var message bytes.Buffer
	_ = xml.EscapeText(&message, []byte(err.Error()))
	detail := `<obj xmlns="urn:vim25" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="LocalizedMethodFault">` +
		`<fault xsi:type="VimEsxCLICLIFault"><errMsg>` + message.String() + `</errMsg></fault>` +
		`<localizedMessage>EsxCLI.CLIFault.summary</localizedMessage></obj>`
	return &ExecuteSoapBody{Res: &ExecuteSoapResponse{Returnval: &SoapResult{
		Fault: &SoapFault{FaultMsg: "EsxCLI.CLIFault.summary", FaultDetail: detail},
	}}}
}

// field of an esxcli structure, in the order of the command's own output.
type field struct{ name, value string }

// answer of an esxcli command: a list of structures, or true.
type answer struct {
	kind string
	list [][]field
	done bool
}

const xmlSpaces = `xmlns="urn:vim25" xmlns:xsd="http://www.w3.org/2001/XMLSchema" ` +
	`xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`

// text of an answer: data objects are named by the method and the kind of structure.
func (a answer) text(method string) string {
	if a.done {
		return `<obj ` + xmlSpaces + ` xsi:type="xsd:boolean">true</obj>`
	}
	var out bytes.Buffer
	kind := strings.ReplaceAll("Vim"+strings.TrimPrefix(method, "vim"), ".", "") + a.kind
	fmt.Fprintf(&out, `<obj %s xsi:type="ArrayOfDataObject">`, xmlSpaces)
	for _, object := range a.list {
		fmt.Fprintf(&out, `<DataObject xsi:type="%s">`, kind)
		for _, f := range object {
			fmt.Fprintf(&out, "<%s>", f.name)
			_ = xml.EscapeText(&out, []byte(f.value))
			fmt.Fprintf(&out, "</%s>", f.name)
		}
		out.WriteString("</DataObject>")
	}
	out.WriteString("</obj>")
	return out.String()
}
