package blocks

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"syscall"
	"time"
)

// ruleWire is a rule on the control port of the lab (docs/lab-protocol.md).
type ruleWire struct {
	ID       string  `json:"id,omitempty"`
	VolumeID string  `json:"volumeId,omitempty"`
	Host     string  `json:"host,omitempty"`
	Disk     string  `json:"disk,omitempty"`
	Op       Op      `json:"op,omitempty"`
	DelayMs  float64 `json:"delayMs,omitempty"`
	Error    string  `json:"error,omitempty"`
	Stall    bool    `json:"stall,omitempty"`
	Skip     uint64  `json:"skip,omitempty"`
	Times    uint64  `json:"times,omitempty"`
}

var errorNames = map[string]syscall.Errno{"EIO": syscall.EIO, "ENOSPC": syscall.ENOSPC}

// Register adds the block device part of the control port to a mux:
// POST, GET /lab/blocks/fault, DELETE /lab/blocks/fault/{id}, GET /lab/blocks/counters, GET /lab/blocks/volumes. The caller checks the token.
func (s *Server) Register(mux *http.ServeMux) {
	mux.HandleFunc("POST /lab/blocks/fault", s.postFault)
	mux.HandleFunc("GET /lab/blocks/fault", s.getFaults)
	mux.HandleFunc("DELETE /lab/blocks/fault/{id}", s.deleteFault)
	mux.HandleFunc("GET /lab/blocks/counters", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, wireCounters(s.Counters()))
	})
	mux.HandleFunc("GET /lab/blocks/volumes", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, wireCounters(s.VolumeCounters()))
	})
}

func (s *Server) postFault(w http.ResponseWriter, r *http.Request) {
	var wire ruleWire
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&wire); err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": "the fault rule cannot be read: " + err.Error()})
		return
	}
	rule, err := wire.rule()
	if err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	id, err := s.Put(rule)
	if err != nil {
		answer(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	answer(w, http.StatusOK, map[string]string{"id": id})
}

func (w ruleWire) rule() (Rule, error) {
	rule := Rule{
		ID: w.ID, VolumeID: w.VolumeID, Host: w.Host, Disk: w.Disk, Op: w.Op, Stall: w.Stall, Skip: w.Skip, Times: w.Times,
		Delay: time.Duration(w.DelayMs * float64(time.Millisecond)),
	}
	if w.Error != "" {
		errno, ok := errorNames[w.Error]
		if !ok {
			return rule, fmt.Errorf("error %q is not known: use EIO or ENOSPC", w.Error)
		}
		rule.Err = errno
	}
	switch w.Op {
	case "", OpRead, OpWrite, OpTrim, OpFlush:
	default:
		return rule, fmt.Errorf("op %q is not known: use read, write, trim or flush", w.Op)
	}
	if rule.Delay == 0 && rule.Err == 0 && !rule.Stall {
		return rule, fmt.Errorf("the rule has no effect: give delayMs, error or stall")
	}
	return rule, nil
}

func (s *Server) getFaults(w http.ResponseWriter, _ *http.Request) {
	wires := []ruleWire{}
	for _, r := range s.Rules() {
		wire := ruleWire{
			ID: r.ID, VolumeID: r.VolumeID, Host: r.Host, Disk: r.Disk, Op: r.Op, Stall: r.Stall, Skip: r.Skip, Times: r.Times,
			DelayMs: float64(r.Delay) / float64(time.Millisecond),
		}
		for name, errno := range errorNames {
			if errno == r.Err {
				wire.Error = name
			}
		}
		wires = append(wires, wire)
	}
	answer(w, http.StatusOK, wires)
}

func (s *Server) deleteFault(w http.ResponseWriter, r *http.Request) {
	if id := r.PathValue("id"); !s.Remove(id) {
		answer(w, http.StatusNotFound, map[string]string{"error": fmt.Sprintf("there is no fault rule %q", id)})
		return
	}
	answer(w, http.StatusOK, map[string]string{})
}

// countersWire has 64-bit numbers as text, as everywhere on the control port.
type countersWire struct {
	Disk        string `json:"disk,omitempty"`
	VolumeID    string `json:"volumeId"`
	Host        string `json:"host"`
	Reads       string `json:"reads"`
	ReadBytes   string `json:"readBytes"`
	ReadMicros  string `json:"readMicros"`
	Writes      string `json:"writes"`
	WriteBytes  string `json:"writeBytes"`
	WriteMicros string `json:"writeMicros"`
	Trims       string `json:"trims"`
	TrimBytes   string `json:"trimBytes"`
	Flushes     string `json:"flushes"`
	Errors      string `json:"errors"`
	InFlight    int64  `json:"inFlight"`
	MaxInFlight int64  `json:"maxInFlight"`
}

func wireCounters(counters []Counters) []countersWire {
	u := func(v uint64) string { return strconv.FormatUint(v, 10) }
	all := []countersWire{}
	for _, c := range counters {
		all = append(all, countersWire{
			c.Disk, c.VolumeID, c.Host, u(c.Reads), u(c.ReadBytes), u(c.ReadMicros), u(c.Writes), u(c.WriteBytes), u(c.WriteMicros),
			u(c.Trims), u(c.TrimBytes), u(c.Flushes), u(c.Errors), c.InFlight, c.MaxInFlight,
		})
	}
	return all
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	// The peer may be gone; there is nobody left to tell.
	_ = json.NewEncoder(w).Encode(body)
}
