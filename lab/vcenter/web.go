package vcenter

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	pbm "github.com/vmware/govmomi/pbm/simulator"
	vapi "github.com/vmware/govmomi/vapi/simulator"
	"github.com/vmware/govmomi/vim25"
)

// web is the listener with everything that is served on it.
type web struct {
	server   *http.Server
	listener net.Listener
	url      *url.URL
	traffic  *traffic
	control  *http.ServeMux
}

// URL of the SOAP endpoint, without user and password.
func (v *VCenter) URL() *url.URL { u := *v.web.url; u.User = nil; return &u }

// Control takes further endpoints below /lab/; requests with a wrong token do not reach it.
func (v *VCenter) Control() *http.ServeMux { return v.web.control }

// listen serves the simulator's end points behind request log, faults and latency.
func (v *VCenter) listen() error {
	listener, err := net.Listen("tcp", v.opt.Listen)
	if err != nil {
		return err
	}
	address := listener.Addr().(*net.TCPAddr)
	if !address.IP.IsLoopback() {
		_ = listener.Close()
		return fmt.Errorf("%s is no loopback address: the lab listens on loopback only", address)
	}
	w := &web{
		listener: listener, traffic: newTraffic(), control: http.NewServeMux(),
		url: &url.URL{
			Scheme: "https", Host: address.String(), Path: vim25.Path, User: url.UserPassword(v.opt.User, v.opt.Password),
		},
	}
	v.web = w
	mux := v.mountSimulator()
	v.registerControl()
	v.registerTraffic()
	mux.Handle("/lab/", v.guarded(w.control))
	w.server = &http.Server{
		Handler: w.traffic.wrap(v.recovering(mux)), ErrorLog: v.log, ReadHeaderTimeout: 10 * time.Second,
		// A vCenter speaks HTTP/1.1 to SDK clients; and only there does dropping a request close the connection.
		TLSNextProto: map[string]func(*http.Server, *tls.Conn, http.Handler){},
		TLSConfig:    &tls.Config{Certificates: []tls.Certificate{v.opt.Certificate}, MinVersion: tls.VersionTLS12},
	}
	v.done.Add(1)
	go func() {
		defer v.done.Done()
		if err := w.server.ServeTLS(listener, "", ""); err != nil && err != http.ErrServerClosed {
			v.log.Printf("vcenter: %v", err)
		}
	}()
	return nil
}

// mountSimulator registers what the simulator's own NewServer would, which brings its own listener and handler.
func (v *VCenter) mountSimulator() *http.ServeMux {
	s := v.service
	s.Listen = v.web.url
	s.RegisterSDK(v.registry, vim25.Path+"/vimService")
	mux := s.ServeMux
	mux.HandleFunc(vim25.Path+"/vimServiceVersions.xml", s.ServiceVersions)
	mux.HandleFunc("/folder/", s.ServeDatastore)
	mux.HandleFunc("/about", s.About)
	v.registry.SessionManager().ServiceHostName = v.web.url.Host
	v.registry.SessionManager().TLS = func() *tls.Config { return v.web.server.TLSConfig }
	s.RegisterSDK(pbm.New())
	patterns, rest := vapi.New(v.web.url, v.registry)
	for _, pattern := range patterns {
		s.Handle(pattern, rest)
	}
	v.mountTagCategories(mux, rest)
	return mux
}

// recovering answers 500 to a request whose handler panics, and counts it.
func (v *VCenter) recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if reason := recover(); reason != nil && reason != http.ErrAbortHandler {
				v.health.panicked(fmt.Sprintf("%s %s: %v", r.Method, r.URL.Path, reason))
				v.log.Printf("vcenter: panic while serving %s %s: %v\n%s", r.Method, r.URL.Path, reason, stack())
				http.Error(w, "internal error", http.StatusInternalServerError)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func (w *web) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := w.server.Shutdown(ctx); err != nil {
		return w.server.Close()
	}
	return nil
}
