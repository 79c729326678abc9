package fakedaemon

import (
	"encoding/json"
	"net/http"

	"sanbed.dev/lab/worldclient"
)

// OwnAddress is what the daemon gives to a guest that brings none.
const OwnAddress = "127.0.61.200"

func (d *Daemon) guestRoutes(mux *http.ServeMux) {
	mux.HandleFunc("POST /guests/{vm}/power-on", d.powerOn)
	mux.HandleFunc("POST /guests/{vm}/power-off", d.powerOff)
	mux.HandleFunc("DELETE /guests/{vm}", d.deleteGuest)
}

// guestless answers where the lab has no guests.
func (d *Daemon) guestless(w http.ResponseWriter) bool {
	if d.level != "D" {
		return false
	}
	reply(w, http.StatusNotImplemented, map[string]string{"error": "level D runs no guests"})
	return true
}

func (d *Daemon) powerOn(w http.ResponseWriter, r *http.Request) {
	var request worldclient.PowerOn
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		reply(w, http.StatusBadRequest, map[string]string{"error": err.Error()})
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.guestless(w) {
		return
	}
	if d.guestFault != "" {
		reply(w, http.StatusInternalServerError, map[string]string{"error": d.guestFault})
		return
	}
	g := d.guests[r.PathValue("vm")]
	if g == nil {
		g = &Guest{}
		d.guests[r.PathValue("vm")] = g
	}
	if g.Running {
		reply(w, http.StatusConflict, map[string]string{"error": "it runs"})
		return
	}
	g.Request, g.Running = request, true
	address := request.Address
	if address == "" {
		address = OwnAddress
	}
	reply(w, http.StatusOK, map[string]string{"address": address})
}

func (d *Daemon) powerOff(w http.ResponseWriter, r *http.Request) {
	var request struct{ Hard bool }
	_ = json.NewDecoder(r.Body).Decode(&request)
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.guestless(w) {
		return
	}
	if g := d.guests[r.PathValue("vm")]; g != nil {
		g.Running = false
		g.Offs = append(g.Offs, request.Hard)
	}
	reply(w, http.StatusOK, map[string]string{})
}

func (d *Daemon) deleteGuest(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.guestless(w) {
		return
	}
	if d.guests[r.PathValue("vm")] == nil {
		reply(w, http.StatusNotFound, map[string]string{"error": "no such guest"})
		return
	}
	delete(d.guests, r.PathValue("vm"))
	reply(w, http.StatusOK, map[string]string{})
}
