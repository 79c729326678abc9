package vcenter

import (
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
)

// health of the process, for supervisors and tests.
type health struct {
	mu            sync.Mutex
	unimplemented map[string]int
	panics        []string
}

func (h *health) init() { h.unimplemented = map[string]int{} }

func (h *health) panicked(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.panics = append(h.panics, what)
}

// NoteLog takes lines of the simulator's log: it names there each call that nothing implements.
func (v *VCenter) NoteLog(line string) {
	const mark = " does not implement: "
	at := strings.Index(line, mark)
	if at < 0 {
		return
	}
	method := strings.TrimSpace(line[at+len(mark):])
	v.health.mu.Lock()
	defer v.health.mu.Unlock()
	v.health.unimplemented[method]++
}

func stack() []byte { return debug.Stack() }

// guarded lets requests with the lab's token pass.
func (v *VCenter) guarded(next http.Handler) http.Handler {
	want := []byte("Bearer " + v.opt.Token)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("Authorization")), want) != 1 {
			reply(w, http.StatusUnauthorized, map[string]string{"error": "the lab's bearer token is needed"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// registerControl serves the lab's own endpoints.
func (v *VCenter) registerControl() {
	v.web.control.HandleFunc("GET /lab/health", func(w http.ResponseWriter, _ *http.Request) {
		v.health.mu.Lock()
		defer v.health.mu.Unlock()
		reply(w, http.StatusOK, map[string]any{
			"ok": len(v.health.panics) == 0, "panics": v.health.panics, "unimplemented": v.health.unimplemented,
			"guests": v.opt.Guests != nil && !v.guestless(), "blocks": v.opt.Blocks != nil, "url": v.URL().String(),
		})
	})
	v.registerStates()
	v.web.control.HandleFunc("GET /lab/inventory", func(w http.ResponseWriter, _ *http.Request) {
		reply(w, http.StatusOK, v.Inventory())
	})
}

// registerTraffic serves request log and fault rules in the form of the daemon's control port.
func (v *VCenter) registerTraffic() {
	t := v.web.traffic
	v.web.control.HandleFunc("GET /lab/requests", func(w http.ResponseWriter, r *http.Request) {
		since, _ := strconv.ParseInt(r.URL.Query().Get("since"), 10, 64)
		reply(w, http.StatusOK, t.since(since))
	})
	v.web.control.HandleFunc("GET /lab/faults", func(w http.ResponseWriter, _ *http.Request) {
		t.mu.Lock()
		defer t.mu.Unlock()
		list := []map[string]any{}
		for _, r := range t.rules {
			list = append(list, map[string]any{"id": r.id, "rule": r.wire, "hits": r.hits, "left": r.left})
		}
		reply(w, http.StatusOK, list)
	})
	v.web.control.HandleFunc("POST /lab/faults", func(w http.ResponseWriter, r *http.Request) {
		var wire ruleWire
		decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16))
		decoder.DisallowUnknownFields()
		err := decoder.Decode(&wire)
		id := ""
		if err == nil {
			id, err = t.addRule(wire)
		}
		if err != nil {
			reply(w, http.StatusBadRequest, map[string]string{"error": "the fault rule cannot be used: " + err.Error()})
			return
		}
		reply(w, http.StatusOK, map[string]string{"id": id})
	})
	v.web.control.HandleFunc("DELETE /lab/faults/{id}", func(w http.ResponseWriter, r *http.Request) {
		if !t.removeRule(r.PathValue("id")) {
			reply(w, http.StatusNotFound, map[string]string{"error": "there is no fault rule " + r.PathValue("id")})
			return
		}
		reply(w, http.StatusOK, map[string]string{})
	})
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// The peer may be gone; there is nobody left to tell.
	_ = json.NewEncoder(w).Encode(body)
}
