//go:build wasip1

package main

import (
	"unsafe"

	"kiothi/cmd/kiothi-wasm/internal/bridge"
)

// This file is the interface of the module. A caller calls _initialize once. For each request it asks for room, writes the
// request there, calls, and reads the answer; requests and answers are those of bridge.Bridge.Call. Addresses are good until
// the next call of any function.

var (
	module  = bridge.New()
	request []byte
	reply   []byte
)

// room returns the address of n bytes for a request.
//
//go:wasmexport kiothi_room
func room(n int32) unsafe.Pointer {
	if cap(request) < int(n) {
		request = make([]byte, n)
	}
	request = request[:n]
	return unsafe.Pointer(unsafe.SliceData(request))
}

// call carries out the request in the room and returns the length of the answer.
//
//go:wasmexport kiothi_call
func call() int32 {
	reply = module.Call(request)
	return int32(len(reply))
}

// answer returns the address of the answer.
//
//go:wasmexport kiothi_answer
func answer() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(reply)) }
