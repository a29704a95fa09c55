//go:build cgo

package main

/*
#include <stdint.h>
#include <stdlib.h>

// Where a vector of n rows writes, and reads the actions of a step: memory of the caller, which stays where it is until the
// vector is closed. See Buffers in package env for what each array holds. bool is one byte, 0 or 1.
typedef struct {
	float   *observations;       // [n, planes, 2, W]
	uint8_t *masks;              // [n, actions]
	int32_t *players;            // [n]
	float   *rewards;            // [n]
	float   *both_rewards;       // [n, 2]
	int32_t *actors;             // [n]
	uint8_t *terminated;         // [n]
	uint8_t *truncated;          // [n]
	float   *final_observations; // [n, planes, 2, W]
	int32_t *final_players;      // [n]
	int32_t *stores;             // [n, 2]
	int32_t *reasons;            // [n]
	int32_t *laps;               // [n]
	int32_t *captured;           // [n, 2]
	uint8_t *cut;                // [n]
	uint8_t *turn_over;          // [n]
	int32_t *steps;              // [n]
	int32_t *turns;              // [n]
	int32_t *actions;            // [n], read by a step
} kiothi_buffers;
*/
import "C"

import (
	"unsafe"

	"kiothi/cmd/libkiothi/internal/bridge"
	"kiothi/env"
)

// This file is the C interface. Each function returns NULL, or a failure: the JSON text of a bridge.Failure. Texts that a
// function returns, failures included, are released by kiothi_free. What a function gives beyond that goes to its last
// argument. Texts are UTF-8 and end with a zero. Every function may be called from any thread.

// abi is raised whenever a function or a struct changes, so that a caller never meets another library than its own.
const abi = 1

var (
	sessions = bridge.NewTable[*bridge.Session]("vector")
	agents   = bridge.NewTable[*bridge.Agent]("agent")
)

// run carries out an export.
func run(do func() error) *C.char {
	if f := bridge.Guard(do); f != nil {
		return C.CString(f.JSON())
	}
	return nil
}

// slice is the memory of n values of the caller.
func slice[T any](p unsafe.Pointer, n int) []T { return unsafe.Slice((*T)(p), n) }

//export kiothi_abi
func kiothi_abi() C.int32_t { return abi }

//export kiothi_free
func kiothi_free(text *C.char) { C.free(unsafe.Pointer(text)) }

//export kiothi_games
func kiothi_games(out **C.char) *C.char {
	return run(func() error {
		*out = C.CString(bridge.Games())
		return nil
	})
}

//export kiothi_describe
func kiothi_describe(game, rules *C.char, out **C.char) *C.char {
	return run(func() error {
		text, err := bridge.Describe(C.GoString(game), C.GoString(rules))
		if err == nil {
			*out = C.CString(text)
		}
		return err
	})
}

//export kiothi_vector_new
func kiothi_vector_new(settings *C.char, b *C.kiothi_buffers, out *C.int64_t) *C.char {
	return run(func() error {
		s, err := bridge.ParseSettings([]byte(C.GoString(settings)))
		if err != nil {
			return err
		}
		rows, err := s.New()
		if err != nil {
			return err
		}
		n, observation, actions := rows.Len(), rows.ObservationSpace().Size(), rows.ActionSpace().N
		buffers := env.Buffers{
			Observations:      slice[float32](unsafe.Pointer(b.observations), n*observation),
			Masks:             slice[bool](unsafe.Pointer(b.masks), n*actions),
			Players:           slice[int32](unsafe.Pointer(b.players), n),
			Rewards:           slice[float32](unsafe.Pointer(b.rewards), n),
			BothRewards:       slice[float32](unsafe.Pointer(b.both_rewards), 2*n),
			Actors:            slice[int32](unsafe.Pointer(b.actors), n),
			Terminated:        slice[bool](unsafe.Pointer(b.terminated), n),
			Truncated:         slice[bool](unsafe.Pointer(b.truncated), n),
			FinalObservations: slice[float32](unsafe.Pointer(b.final_observations), n*observation),
			FinalPlayers:      slice[int32](unsafe.Pointer(b.final_players), n),
			Infos: env.Infos{
				Stores:   slice[int32](unsafe.Pointer(b.stores), 2*n),
				Reasons:  slice[int32](unsafe.Pointer(b.reasons), n),
				Laps:     slice[int32](unsafe.Pointer(b.laps), n),
				Captured: slice[int32](unsafe.Pointer(b.captured), 2*n),
				Cut:      slice[bool](unsafe.Pointer(b.cut), n),
				TurnOver: slice[bool](unsafe.Pointer(b.turn_over), n),
				Steps:    slice[int32](unsafe.Pointer(b.steps), n),
				Turns:    slice[int32](unsafe.Pointer(b.turns), n),
			},
		}
		*out = C.int64_t(sessions.Add(bridge.NewSession(rows, buffers, slice[int32](unsafe.Pointer(b.actions), n))))
		return nil
	})
}

//export kiothi_vector_reset
func kiothi_vector_reset(vector C.int64_t, seeds *C.uint64_t, count C.int64_t, single C.int32_t) *C.char {
	return run(func() error {
		s, err := sessions.Get(int64(vector))
		if err != nil {
			return err
		}
		return s.Reset(slice[uint64](unsafe.Pointer(seeds), int(count)), single != 0)
	})
}

//export kiothi_vector_reset_rows
func kiothi_vector_reset_rows(vector C.int64_t, wanted *C.uint8_t) *C.char {
	return run(func() error {
		s, err := sessions.Get(int64(vector))
		if err != nil {
			return err
		}
		return s.ResetRows(slice[bool](unsafe.Pointer(wanted), s.Len()))
	})
}

//export kiothi_vector_step
func kiothi_vector_step(vector C.int64_t) *C.char {
	return run(func() error {
		s, err := sessions.Get(int64(vector))
		if err != nil {
			return err
		}
		return s.Step()
	})
}

//export kiothi_vector_sample
func kiothi_vector_sample(vector C.int64_t) *C.char {
	return run(func() error {
		s, err := sessions.Get(int64(vector))
		if err != nil {
			return err
		}
		return s.SampleActions()
	})
}

//export kiothi_vector_text
func kiothi_vector_text(vector C.int64_t, what *C.char, row C.int64_t, action C.int32_t, out **C.char) *C.char {
	return run(func() error {
		s, err := sessions.Get(int64(vector))
		if err != nil {
			return err
		}
		text, err := s.Text(C.GoString(what), int(row), int32(action))
		if err == nil {
			*out = C.CString(text)
		}
		return err
	})
}

//export kiothi_vector_positions
func kiothi_vector_positions(vector C.int64_t, out **C.char) *C.char {
	return run(func() error {
		s, err := sessions.Get(int64(vector))
		if err != nil {
			return err
		}
		text, err := s.Positions()
		if err == nil {
			*out = C.CString(text)
		}
		return err
	})
}

//export kiothi_vector_close
func kiothi_vector_close(vector C.int64_t) *C.char {
	return run(func() error {
		s, err := sessions.Remove(int64(vector))
		if err == nil {
			s.Close()
		}
		return err
	})
}

//export kiothi_agent_new
func kiothi_agent_new(spec *C.char, seed C.uint64_t, out *C.int64_t) *C.char {
	return run(func() error {
		a, err := bridge.NewAgent(C.GoString(spec), uint64(seed))
		if err == nil {
			*out = C.int64_t(agents.Add(a))
		}
		return err
	})
}

// kiothi_agent_choose replaces the actions of the wanted rows of a vector, of all of them when wanted is NULL.
//
//export kiothi_agent_choose
func kiothi_agent_choose(agent, vector C.int64_t, wanted *C.uint8_t) *C.char {
	return run(func() error {
		a, err := agents.Get(int64(agent))
		if err != nil {
			return err
		}
		s, err := sessions.Get(int64(vector))
		if err != nil {
			return err
		}
		var rows []bool
		if wanted != nil {
			rows = slice[bool](unsafe.Pointer(wanted), s.Len())
		}
		return s.Choose(a, rows)
	})
}

//export kiothi_agent_close
func kiothi_agent_close(agent C.int64_t) *C.char {
	return run(func() error {
		a, err := agents.Remove(int64(agent))
		if err != nil {
			return err
		}
		return a.Close()
	})
}
