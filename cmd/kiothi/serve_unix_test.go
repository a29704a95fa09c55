//go:build unix

package main

import (
	"bufio"
	"net/http"
	"syscall"
	"testing"
)

func TestServeEndsInGoodOrderWhenItIsInterrupted(t *testing.T) {
	cmd := program(t, "serve", "--listen", "localhost:0")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	response, err := http.Get(pageURL(t, bufio.NewReader(pipe)))
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
