package blocks

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func post(t *testing.T, mux http.Handler, method, path, body string) *httptest.ResponseRecorder {
	t.Helper()
	recorder := httptest.NewRecorder()
	mux.ServeHTTP(recorder, httptest.NewRequest(method, path, strings.NewReader(body)))
	return recorder
}

func TestFaultRulesOverTheControlPort(t *testing.T) {
	s := &Server{gate: newGate(), disks: map[string]*node{}}
	mux := http.NewServeMux()
	s.Register(mux)

	for _, bad := range []string{`{}`, `{"error":"EWHAT"}`, `{"delayMs":-1}`, `{"stall":true,"op":"peek"}`, `{"colour":"red"}`, `nonsense`} {
		if got := post(t, mux, "POST", "/lab/blocks/fault", bad); got.Code != http.StatusBadRequest {
			t.Errorf("%s was answered with %d", bad, got.Code)
		}
	}
	made := post(t, mux, "POST", "/lab/blocks/fault", `{"id":"slow","volumeId":"v1","delayMs":2.5}`)
	if made.Code != http.StatusOK || !strings.Contains(made.Body.String(), `"id":"slow"`) {
		t.Fatalf("%d %s", made.Code, made.Body)
	}
	if got := post(t, mux, "GET", "/lab/blocks/fault", "").Body.String(); !strings.Contains(got, `"delayMs":2.5`) {
		t.Errorf("the list does not show the rule: %s", got)
	}
	if got := post(t, mux, "DELETE", "/lab/blocks/fault/slow", ""); got.Code != http.StatusOK {
		t.Errorf("delete: %d", got.Code)
	}
	if got := post(t, mux, "DELETE", "/lab/blocks/fault/slow", ""); got.Code != http.StatusNotFound {
		t.Errorf("second delete: %d", got.Code)
	}
}
