package events

import (
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file is the histogram.

// buckets is the number of a histogram's buckets, which is what TensorBoard shows.
const buckets = 30

// A Histogram counts values in buckets of equal width between the least and the greatest of them.
type Histogram struct {
	min, max     float64
	count        float64
	sum, squares float64
	counts       [buckets]float64
}

// NewHistogram returns the histogram of some values. Those that are not finite are left out.
func NewHistogram[F float32 | float64](values []F) *Histogram {
	h := &Histogram{min: math.Inf(1), max: math.Inf(-1)}
	for _, value := range values {
		v := float64(value)
		if !finite(v) {
			continue
		}
		h.min, h.max = min(h.min, v), max(h.max, v)
		h.count++
		h.sum += v
		h.squares += v * v
	}
	if h.count == 0 {
		h.min, h.max = 0, 0
		return h
	}
	width := h.max/2 - h.min/2 // by halves, which never overflow
	for _, value := range values {
		if v := float64(value); finite(v) {
			bucket := buckets - 1 // where TensorFlow puts values that are all the same
			if width > 0 {
				bucket = min(int((v/2-h.min/2)/width*buckets), bucket)
			}
			h.counts[bucket]++
		}
	}
	return h
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// limit returns the upper end of a bucket.
func (h *Histogram) limit(i int) float64 {
	if i == buckets-1 {
		return h.max // exactly, whatever the rounding
	}
	share := float64(i+1) / buckets
	return h.min*(1-share) + h.max*share
}

// appendTo appends the message HistogramProto.
func (h *Histogram) appendTo(b []byte) []byte {
	b = appendDouble(b, histogramMin, h.min)
	b = appendDouble(b, histogramMax, h.max)
	b = appendDouble(b, histogramCount, h.count)
	b = appendDouble(b, histogramSum, h.sum)
	b = appendDouble(b, histogramSquares, h.squares)
	b = appendPacked(b, histogramLimits, h.limit)
	return appendPacked(b, histogramBuckets, func(i int) float64 { return h.counts[i] })
}

// appendPacked appends a number for each bucket.
func appendPacked(b []byte, field protowire.Number, number func(bucket int) float64) []byte {
	b = protowire.AppendTag(b, field, protowire.BytesType)
	b = protowire.AppendVarint(b, 8*buckets)
	for i := range buckets {
		b = protowire.AppendFixed64(b, math.Float64bits(number(i)))
	}
	return b
}
