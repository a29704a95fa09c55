// Package events writes the event files of TensorBoard: scalars and histograms by step, in a folder that TensorBoard watches.
//
// A file is a sequence of records, each a length and a message with checksums:
//
//	length    8 bytes, little-endian
//	checksum  4 bytes, masked CRC-32C of the length
//	message   an Event of TensorFlow's event.proto
//	checksum  4 bytes, masked CRC-32C of the message
//
// No tag has two values at one step, through any number of stops and crashes: see Open.
package events

import (
	"math"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file is the messages: the few fields of event.proto and summary.proto that are written here.

// The fields of the message Event.
const (
	eventWallTime    = 1
	eventStep        = 2
	eventFileVersion = 3
	eventSummary     = 5
	eventSessionLog  = 7
)

// The fields of the message Summary and of what it holds.
const (
	summaryValue = 1

	valueTag       = 1
	valueScalar    = 2
	valueHistogram = 5

	histogramMin     = 1
	histogramMax     = 2
	histogramCount   = 3
	histogramSum     = 4
	histogramSquares = 5
	histogramLimits  = 6
	histogramBuckets = 7
)

const (
	sessionStatus = 1 // a field of the message SessionLog
	sessionStart  = 1 // the value START of that field
)

// fileVersion is the content of a file's first record.
const fileVersion = "brain.Event:2"

// A Value is what a tag has at a step: a scalar or a histogram.
type Value struct {
	Tag       string
	Scalar    float64    // written as a float32
	Histogram *Histogram // nil for a scalar
}

// appendEvent appends an event without content.
func appendEvent(b []byte, step int64, now time.Time) []byte {
	b = appendDouble(b, eventWallTime, float64(now.UnixMicro())/1e6)
	if step == 0 {
		return b
	}
	b = protowire.AppendTag(b, eventStep, protowire.VarintType)
	return protowire.AppendVarint(b, uint64(step))
}

// appendVersion appends the field that begins a file.
func appendVersion(b []byte) []byte {
	b = protowire.AppendTag(b, eventFileVersion, protowire.BytesType)
	return protowire.AppendString(b, fileVersion)
}

// appendSummary appends the field with the values of an event.
func appendSummary(b []byte, values []Value) []byte {
	var summary, value []byte
	for i := range values {
		value = appendValue(value[:0], &values[i])
		summary = protowire.AppendTag(summary, summaryValue, protowire.BytesType)
		summary = protowire.AppendBytes(summary, value)
	}
	b = protowire.AppendTag(b, eventSummary, protowire.BytesType)
	return protowire.AppendBytes(b, summary)
}

func appendValue(b []byte, v *Value) []byte {
	b = protowire.AppendTag(b, valueTag, protowire.BytesType)
	b = protowire.AppendString(b, v.Tag)
	if v.Histogram == nil {
		b = protowire.AppendTag(b, valueScalar, protowire.Fixed32Type)
		return protowire.AppendFixed32(b, math.Float32bits(float32(v.Scalar)))
	}
	b = protowire.AppendTag(b, valueHistogram, protowire.BytesType)
	return protowire.AppendBytes(b, v.Histogram.appendTo(nil))
}

// appendSessionStart appends the field that says: what was written for this step and later ones is void.
func appendSessionStart(b []byte) []byte {
	var session []byte
	session = protowire.AppendTag(session, sessionStatus, protowire.VarintType)
	session = protowire.AppendVarint(session, sessionStart)
	b = protowire.AppendTag(b, eventSessionLog, protowire.BytesType)
	return protowire.AppendBytes(b, session)
}

func appendDouble(b []byte, field protowire.Number, v float64) []byte {
	b = protowire.AppendTag(b, field, protowire.Fixed64Type)
	return protowire.AppendFixed64(b, math.Float64bits(v))
}
