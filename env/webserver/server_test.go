package webserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"kiothi/env/webserver/webservertest"
)

func hello(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }

// A page from elsewhere whose name leads here for a moment is refused (DNS rebinding).
func TestOnlyNamesOfThisMachineAreAnswered(t *testing.T) {
	s := httptest.NewServer(Guard("trainer.example", Own, http.HandlerFunc(hello)))
	defer s.Close()
	hosts := map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST:1": 200, "localhost.": 200, "127.0.0.1:80": 200, "[::1]:8080": 200, "[::1]": 200,
		"192.168.1.7:8080": 200, "trainer.example:8080": 200, "Trainer.Example": 200,
		"evil.example": 421, "evil.example:8080": 421, "localhost.evil.example": 421, "127.0.0.1.evil.example": 421, "localhost@evil.example": 421,
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		hosts[name], hosts[name+":8080"] = 200, 200
	}
	for host, want := range hosts {
		if response, _ := webservertest.Ask(t, "GET", s.URL+"/", host, nil); response.StatusCode != want {
			t.Errorf("%q: %s, want %d", host, response.Status, want)
		}
	}
}

func TestARefusalNamesEachHostOnce(t *testing.T) {
	s := httptest.NewServer(Guard("LocalHost", Own, http.HandlerFunc(hello)))
	defer s.Close()
	if _, body := webservertest.Ask(t, "GET", s.URL+"/", "evil.example", nil); strings.Count(string(body), "localhost") != 1 {
		t.Errorf("the refusal is %q", body)
	}
}

func TestNoPolicyLetsAPageReachOutside(t *testing.T) {
	for _, policy := range []Policy{Own, OwnWithWebAssembly} {
		s := httptest.NewServer(Guard("localhost", policy, http.HandlerFunc(hello)))
		response, _ := webservertest.Ask(t, "GET", s.URL+"/", "", nil)
		s.Close()
		text := response.Header.Get("Content-Security-Policy")
		if text != string(policy) || !strings.HasPrefix(text, "default-src 'none';") || strings.Contains(text, "unsafe-inline") ||
			strings.Contains(text, "'unsafe-eval'") || strings.Contains(text, "http") || strings.Contains(text, "*") {
			t.Errorf("the policy is %q", text)
		}
		if response.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Error("browsers may guess types")
		}
	}
}

func TestFilesAreServedFromTheProgram(t *testing.T) {
	handlers, err := Files(fstest.MapFS{
		"index.html": {Data: []byte("<p>page")}, "deep/index.html": {Data: []byte("<p>deep")}, "deep/main.mjs": {Data: []byte("1")},
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for pattern, handler := range handlers {
		mux.Handle("GET "+pattern, handler)
	}
	s := httptest.NewServer(mux)
	defer s.Close()
	for path, want := range map[string]string{
		"/": "200 text/html; charset=utf-8 <p>page", "/deep/": "200 text/html; charset=utf-8 <p>deep", "/deep/main.mjs": "200 text/javascript; charset=utf-8 1",
		"/index.html": "404", "/deep/..%2findex.html": "404", "/other": "404",
	} {
		response, body := webservertest.Ask(t, "GET", s.URL+path, "", nil)
		got := response.Status[:3]
		if response.StatusCode == 200 {
			got += " " + response.Header.Get("Content-Type") + " " + body
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	first, _ := webservertest.Ask(t, "GET", s.URL+"/", "", nil)
	again, body := webservertest.Ask(t, "GET", s.URL+"/", "", http.Header{"If-None-Match": {first.Header.Get("ETag")}})
	if again.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("what the browser has is sent again: %s", again.Status)
	}
	if _, err := Files(fstest.MapFS{"a.exe": {}}); err == nil || !strings.Contains(err.Error(), "a.exe") {
		t.Errorf("a file of an unknown type: %v", err)
	}
}

func TestServeEndsWithItsContext(t *testing.T) {
	s, err := Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if s.Open() {
		t.Error("other machines see the page")
	}
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	entered := make(chan bool)
	go func() {
		done <- s.Serve(ctx, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			close(entered)
			<-r.Context().Done()
			hello(w, r)
		}))
	}()
	answered := make(chan string, 1)
	go func() {
		defer close(answered) // where there is no answer
		_, body := webservertest.Ask(t, "GET", s.URL(), "", nil)
		answered <- body
	}()
	<-entered
	stop()
	if body := <-answered; body != "hello" {
		t.Errorf("the answer under way is %q", body)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	// Whether the address is free cannot be asked of the system: by now, another program may have it.
	if _, err := s.listener.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("the address is still taken: %v", err)
	}
}

func TestAddresses(t *testing.T) {
	for _, address := range []string{"8080", "", "localhost", "localhost:http:1", "localhost:99999", "localhost:x", "[::1"} {
		var wrong *AddressError
		if _, err := Listen(address); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "expected HOST:PORT") {
			t.Errorf("%q: got %v, want what an address looks like", address, err)
		}
	}
	s, err := Listen("localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	taken := strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/")
	var wrong *AddressError
	if _, err := Listen(taken); err == nil || errors.As(err, &wrong) || !strings.Contains(err.Error(), "choose another") {
		t.Errorf("an address that is taken: got %v", err)
	}
	all, err := Listen(":0")
	if err != nil {
		t.Fatal(err)
	}
	defer all.Close()
	if !all.Open() || !strings.HasPrefix(all.URL(), "http://localhost:") {
		t.Errorf("all interfaces: %s, open to others: %v", all.URL(), all.Open())
	}
}
