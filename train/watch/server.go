package watch

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// This file is the server: it listens, serves the page, and ends in good order.

// The times that a client has. Updates have their own: see stream.go.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 60 * time.Second
	endTimeout    = 3 * time.Second // for answers under way when the server ends
)

// A Server serves the page of a run.
type Server struct {
	Watcher  *Watcher
	listener net.Listener
	host     string // of the address that was asked for
}

// An AddressError says that an address cannot be listened at as it is written.
type AddressError struct {
	Address string
	Reason  string
}

// Error says what is wrong, and what an address looks like.
func (e *AddressError) Error() string {
	return fmt.Sprintf("address %q: %s, expected HOST:PORT, such as localhost:8080, or :8080 for all interfaces of the machine", e.Address, e.Reason)
}

// Listen takes an address, HOST:PORT, for the page of a run. Without a host it is that of all interfaces of the machine, and
// port 0 is a free one. The address is taken when Listen returns; nothing is answered before Serve.
func Listen(address string, w *Watcher) (*Server, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		var wrong *net.AddrError
		if errors.As(err, &wrong) {
			return nil, &AddressError{address, wrong.Err}
		}
		return nil, &AddressError{address, err.Error()}
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return nil, &AddressError{address, fmt.Sprintf("%q is no port", port)}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("%w: free that address, or choose another one, such as localhost:0 for any free port", err)
	}
	return &Server{Watcher: w, listener: listener, host: host}, nil
}

// URL returns where a browser on this machine finds the page.
func (s *Server) URL() string {
	host := s.host
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, err := net.SplitHostPort(s.listener.Addr().String())
	if err != nil {
		panic("watch: a listener without a port: " + err.Error()) // it is one of TCP
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// Open reports whether other machines can reach the page.
func (s *Server) Open() bool {
	address, ok := s.listener.Addr().(*net.TCPAddr)
	return !ok || !address.IP.IsLoopback()
}

// Serve follows the run and serves its page until ctx ends.
func (s *Server) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go s.Watcher.Follow(ctx)
	server := &http.Server{
		Handler:           newHandler(s.Watcher, s.host),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    1 << 14,
		// The streams of updates end with ctx, and so do not hold up the server's end.
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.listener) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serving %s: %w", s.URL(), err)
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), endTimeout)
	defer cancel()
	if server.Shutdown(late) != nil {
		server.Close() // a client that does not take its answer has had its time
	}
	<-ended
	return nil
}

// Close gives the address up, of a server that has not served.
func (s *Server) Close() error { return s.listener.Close() }

// newHandler returns the handler of all requests. host is the one of the address that is listened at.
func newHandler(w *Watcher, host string) http.Handler {
	mux := http.NewServeMux()
	for path, file := range pageFiles {
		mux.Handle("GET "+path, file)
	}
	mux.Handle("GET /updates", &stream{watcher: w})
	mux.HandleFunc("GET /game", w.serveGame)
	return guard(host, mux)
}

// guard lets through what the page itself can ask for, and says to browsers what the page may do: nothing outside.
func guard(host string, next http.Handler) http.Handler {
	hosts := hostNames(host)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		if !hosts.accept(r.Host) {
			http.Error(w, fmt.Sprintf("found the host %q, expected %s, or an IP address: open the page by one of these", r.Host, strings.Join(hosts, " or ")), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// names are the names by which the page may be asked for, in lower case.
type names []string

// hostNames returns the names of this machine, and the one that was asked for.
func hostNames(host string) names {
	list := names{"localhost"}
	if name := machineName(); name != "" {
		list = append(list, strings.ToLower(name))
	}
	if host != "" && net.ParseIP(host) == nil {
		list = append(list, strings.ToLower(host))
	}
	return list
}

// accept reports whether a request's Host is fit. A page of somebody else, whose name leads to this machine's address for a
// moment (DNS rebinding), sends its own name there; an address cannot be made to lead elsewhere.
func (n names) accept(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	if address, _, _ := strings.Cut(host, "%"); net.ParseIP(address) != nil {
		return true
	}
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	for _, name := range n {
		if host == name {
			return true
		}
	}
	return false
}
