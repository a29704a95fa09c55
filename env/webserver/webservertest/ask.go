// Package webservertest is the test kit of those who serve pages with package webserver.
package webservertest

import (
	"io"
	"net/http"
	"testing"
)

// Ask sends a request without a body and returns the answer with its body. An empty host is that of the URL; header may be
// nil.
func Ask(t testing.TB, method, url, host string, header http.Header) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		request.Host = host
	}
	if header != nil {
		request.Header = header
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}
