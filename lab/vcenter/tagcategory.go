package vcenter

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
)

// mountTagCategories strips the prefix of object types from tag categories: clients write urn:vim25:VirtualMachine, a
// vCenter answers VirtualMachine, the simulator answers what was written.
func (v *VCenter) mountTagCategories(mux *http.ServeMux, rest http.Handler) {
	const path = "/rest/com/vmware/cis/tagging/category"
	strip := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		body = bytes.ReplaceAll(body, []byte(`"urn:vim25:`), []byte(`"`))
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		rest.ServeHTTP(w, r)
	})
	for _, method := range []string{"POST ", "PATCH "} {
		mux.Handle(method+path, strip)
		mux.Handle(method+path+"/", strip)
	}
}
