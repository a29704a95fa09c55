//go:build unix

package main

import (
	"net/http"
	"syscall"
	"testing"
)

func TestServeEndsInGoodOrderWhenItIsInterrupted(t *testing.T) {
	cmd := program(t, "serve", "--listen", "localhost:0")
	response, err := http.Get(pageURL(t, launch(t, cmd, cmd.StdoutPipe)))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("the page has status %s", response.Status)
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
}
