package vcenter

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"
)

// request is one entry of the request log, in the form of the daemon's.
type request struct {
	Seq    int64  `json:"seq"`
	Device string `json:"device"`
	// Method is the SOAP operation, or the HTTP method where there is none.
	Method      string  `json:"method"`
	Path        string  `json:"path"`
	Status      int     `json:"status,omitempty"`
	StartedAtMs int64   `json:"startedAtMs"`
	DurationMs  float64 `json:"durationMs"`
	Write       bool    `json:"write"`
	// UnknownRoute is true for calls that the vCenter does not implement.
	UnknownRoute bool `json:"unknownRoute"`
}

const keepRequests = 50_000

// traffic logs requests and applies fault and latency rules.
type traffic struct {
	mu       sync.Mutex
	requests []request
	seq      int64
	rules    []*rule
	nextRule int
}

func newTraffic() *traffic { return &traffic{nextRule: 1} }

var operation = regexp.MustCompile(`<(?:[\w.-]+:)?Body(?:\s[^>]*)?>\s*<(?:[\w.-]+:)?(\w+)`)

// operationOf names the SOAP operation of a body.
func operationOf(body []byte) string {
	if found := operation.FindSubmatch(body); found != nil {
		return string(found[1])
	}
	return ""
}

// reads are operations that change nothing on the vCenter but sessions and views of it.
var reads = regexp.MustCompile(`^(Retrieve|Query|Find|Wait|Continue|Fetch|Current|Login|Logout|Session|Pbm|List|Get|` +
	`CreateFilter|CreatePropertyCollector|Destroy(PropertyFilter|PropertyCollector|View|Collector)|CancelWait|` +
	`Create(Container|List|Inventory)View|CreateCollector|SetCollector|Read|Rewind|Reset(Collector|ListView)|` +
	`ModifyListView|ValidateMigration|CheckCustomization|SearchDatastore|Refresh)`)

// esxcliReads are esxcli commands that only show something.
var esxcliReads = regexp.MustCompile(`>vim\.(EsxCLI\.[\w.]+\.(list|get)|CLIInfo\.FetchCLIInfo)<`)

// isWrite is true for requests that change the vCenter or its hosts. Rescans count: they change what a host knows.
func isWrite(method, httpMethod, path string, body []byte) bool {
	if method == "ExecuteSoap" {
		return !esxcliReads.Match(body)
	}
	if strings.HasPrefix(path, "/sdk") || strings.HasPrefix(path, "/pbm") {
		return !reads.MatchString(method)
	}
	if strings.Contains(path, "/session") || strings.Contains(path, "~action=list") || strings.Contains(path, "~action=get") {
		return false
	}
	return httpMethod != http.MethodGet && httpMethod != http.MethodHead
}

// wrap serves requests with the rules applied and logs them. The lab's own endpoints are not part of the device.
func (t *traffic) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/lab/") {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<20))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		method := r.Method
		if soap := operationOf(body); soap != "" {
			method = soap
		}
		entry := request{
			Device: deviceName, Method: method, Path: r.URL.RequestURI(), Write: isWrite(method, r.Method, r.URL.RequestURI(), body),
		}
		start := time.Now()
		entry.StartedAtMs = start.UnixMilli()
		out := &recorder{ResponseWriter: w}
		dropped := t.serve(out, r, next, t.outcome(method, r.Method, r.URL.RequestURI(), body))
		entry.DurationMs = float64(time.Since(start).Microseconds()) / 1000
		entry.Status, entry.UnknownRoute = out.status, out.unknown
		if dropped {
			entry.Status = 0
		}
		t.add(entry)
		if dropped {
			// Closes the connection without an answer.
			panic(http.ErrAbortHandler)
		}
	})
}

func (t *traffic) serve(w *recorder, r *http.Request, next http.Handler, o outcome) (dropped bool) {
	if o.latency > 0 {
		select {
		case <-time.After(o.latency):
		case <-r.Context().Done():
		}
	}
	switch {
	case o.drop == "before":
		return true
	case o.drop == "after":
		next.ServeHTTP(&recorder{ResponseWriter: discard{http.Header{}}}, r)
		return true
	case o.answer != nil:
		o.answer.write(w)
	default:
		next.ServeHTTP(w, r)
	}
	return false
}

func (t *traffic) add(entry request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.seq++
	entry.Seq = t.seq
	t.requests = append(t.requests, entry)
	if len(t.requests) > keepRequests*11/10 {
		t.requests = append([]request{}, t.requests[len(t.requests)-keepRequests:]...)
	}
}

// since lists the requests above a sequence number.
func (t *traffic) since(seq int64) []request {
	t.mu.Lock()
	defer t.mu.Unlock()
	found := []request{}
	for _, r := range t.requests {
		if r.Seq > seq {
			found = append(found, r)
		}
	}
	return found
}

// recorder notes status and whether the answer is "no such method".
type recorder struct {
	http.ResponseWriter
	status  int
	unknown bool
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(text []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if r.status == http.StatusNotFound || r.status >= 500 && bytes.Contains(text, []byte("MethodNotFound")) {
		r.unknown = true
	}
	return r.ResponseWriter.Write(text)
}

type discard struct{ header http.Header }

func (d discard) Header() http.Header            { return d.header }
func (d discard) Write(text []byte) (int, error) { return len(text), nil }
func (d discard) WriteHeader(int)                {}
