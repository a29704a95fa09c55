package webserver

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
)

// This file decides who is answered, and says to browsers what a page may do.

// A Policy is a Content-Security-Policy: what a page may load and do.
type Policy string

// The policies. Neither lets a page reach outside.
const (
	// Own lets a page use what its own server serves.
	Own Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
	// OwnWithWebAssembly also lets it run WebAssembly, and workers.
	OwnWithWebAssembly Policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

// Guard lets through what asks for this machine by one of its names, and tells browsers what the answers may do. host is the one
// of the address that is listened at.
func Guard(host string, policy Policy, next http.Handler) http.Handler {
	hosts := hostNames(host)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", string(policy))
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-cache")
		if !hosts.accept(r.Host) {
			http.Error(w, fmt.Sprintf("found the host %q, expected %s or an IP address: open the page by one of these", r.Host, strings.Join(hosts, ", ")), http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// names are the names by which the server may be asked for, in lower case.
type names []string

// hostNames returns the names of this machine, and the one that was asked for.
func hostNames(host string) names {
	list := names{"localhost"}
	add := func(name string) {
		if name = strings.ToLower(name); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	if name, err := os.Hostname(); err == nil && name != "" {
		add(name)
	}
	if host != "" && net.ParseIP(host) == nil {
		add(host)
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
