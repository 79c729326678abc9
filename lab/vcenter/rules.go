package vcenter

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math/rand"
	"net/http"
	"strings"
	"time"
)

// deviceName of the vCenter in rules and logs.
const deviceName = "vcenter"

// ruleWire is a fault or latency rule of docs/lab-protocol.md.
type ruleWire struct {
	Device string `json:"device"`
	Match  struct {
		// Method is a SOAP operation or an HTTP method.
		Method      string  `json:"method,omitempty"`
		Path        string  `json:"path,omitempty"`
		Body        string  `json:"body,omitempty"`
		Probability float64 `json:"probability,omitempty"`
	} `json:"match"`
	Skip   int   `json:"skip"`
	Times  *int  `json:"times,omitempty"`
	Seed   int64 `json:"seed"`
	Effect struct {
		LatencyMs  *float64 `json:"latencyMs,omitempty"`
		JitterMs   float64  `json:"jitterMs,omitempty"`
		Status     int      `json:"status,omitempty"`
		Code       string   `json:"code,omitempty"`
		DropBefore bool     `json:"dropBefore,omitempty"`
		DropAfter  bool     `json:"dropAfter,omitempty"`
	} `json:"effect"`
}

type rule struct {
	id     string
	wire   ruleWire
	skip   int
	left   *int
	hits   int
	random *rand.Rand
}

// outcome of the rules for one request: latencies add up, of the other effects the first wins.
type outcome struct {
	latency time.Duration
	drop    string
	answer  *faultAnswer
}

// faultAnswer is given instead of the vCenter's: an HTTP status, or (code) a SOAP fault of that type.
type faultAnswer struct {
	status int
	code   string
}

func (a *faultAnswer) write(w http.ResponseWriter) {
	if a.code == "" {
		http.Error(w, http.StatusText(a.status), a.status)
		return
	}
	if a.status == 0 {
		a.status = http.StatusInternalServerError
	}
	var code bytes.Buffer
	_ = xml.EscapeText(&code, []byte(a.code))
	w.Header().Set("Content-Type", "text/xml; charset=utf-8")
	w.WriteHeader(a.status)
	fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">`+
		`<soapenv:Body><soapenv:Fault><faultcode>ServerFaultCode</faultcode><faultstring>injected %[1]s</faultstring>`+
		`<detail><%[1]sFault xmlns="urn:vim25" xsi:type="%[1]s"></%[1]sFault></detail></soapenv:Fault></soapenv:Body></soapenv:Envelope>`,
		code.String())
}

func (t *traffic) addRule(wire ruleWire) (string, error) {
	e := wire.Effect
	if e.LatencyMs == nil && e.Status == 0 && e.Code == "" && !e.DropBefore && !e.DropAfter {
		return "", fmt.Errorf("the rule has no effect: give latencyMs, status, code, dropBefore or dropAfter")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &rule{id: fmt.Sprintf("vcenter-%d", t.nextRule), wire: wire, skip: wire.Skip, left: wire.Times}
	r.random = rand.New(rand.NewSource(wire.Seed + 1))
	t.nextRule++
	t.rules = append(t.rules, r)
	return r.id, nil
}

func (t *traffic) removeRule(id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := len(t.rules)
	t.rules = without(t.rules, func(r *rule) bool { return r.id == id || id == "*" })
	return len(t.rules) < before
}

func (t *traffic) outcome(soapMethod, httpMethod, path string, body []byte) outcome {
	t.mu.Lock()
	defer t.mu.Unlock()
	var o outcome
	for _, r := range t.rules {
		e := r.wire.Effect
		if e.LatencyMs == nil && (o.drop != "" || o.answer != nil) || !r.matches(soapMethod, httpMethod, path, body) {
			continue
		}
		if r.skip > 0 {
			r.skip--
			continue
		}
		if r.left != nil {
			*r.left--
		}
		r.hits++
		switch {
		case e.LatencyMs != nil:
			o.latency += time.Duration((*e.LatencyMs + r.random.Float64()*e.JitterMs) * float64(time.Millisecond))
		case e.DropBefore:
			o.drop = "before"
		case e.DropAfter:
			o.drop = "after"
		default:
			o.answer = &faultAnswer{status: e.Status, code: e.Code}
		}
	}
	return o
}

func (r *rule) matches(soapMethod, httpMethod, path string, body []byte) bool {
	m := r.wire.Match
	if r.left != nil && *r.left <= 0 || r.wire.Device != "*" && r.wire.Device != deviceName {
		return false
	}
	if m.Method != "" && !strings.EqualFold(m.Method, soapMethod) && !strings.EqualFold(m.Method, httpMethod) {
		return false
	}
	if m.Path != "" && !strings.Contains(path, m.Path) || m.Body != "" && !bytes.Contains(body, []byte(m.Body)) {
		return false
	}
	return m.Probability == 0 || r.random.Float64() < m.Probability
}
