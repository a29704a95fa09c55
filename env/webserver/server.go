package webserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// This file is the server: it listens, serves, and ends in good order.

// The times that a client has. A handler whose answers take longer sets deadlines of its own (http.ResponseController).
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 30 * time.Second
	idleTimeout   = 60 * time.Second
	endTimeout    = 10 * time.Second // for answers under way when the server ends
)

// A Server listens at an address, and serves there.
type Server struct {
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

// Listen takes an address, HOST:PORT. Without a host it is that of all interfaces of the machine, and port 0 is a free one. The
// address is taken when Listen returns; nothing is answered before Serve. What is not an address is an *AddressError.
func Listen(address string) (*Server, error) {
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
	return &Server{listener: listener, host: host}, nil
}

// URL returns where a browser on this machine finds the server.
func (s *Server) URL() string {
	host := s.host
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	_, port, err := net.SplitHostPort(s.listener.Addr().String())
	if err != nil {
		panic("webserver: a listener without a port: " + err.Error()) // it is one of TCP
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// Host returns the host of the address that was asked for, empty where none was.
func (s *Server) Host() string { return s.host }

// Open reports whether other machines can reach the server.
func (s *Server) Open() bool {
	address, ok := s.listener.Addr().(*net.TCPAddr)
	return !ok || !address.IP.IsLoopback()
}

// Serve answers requests by a handler until ctx ends, from which the contexts of all requests come. Answers that are under way
// then have a few seconds to be given.
func (s *Server) Serve(ctx context.Context, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    1 << 14,
		BaseContext:       func(net.Listener) context.Context { return ctx },
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
