package nnue

// This file evaluates the network in plain Go, several numbers in a word at a time.

// lanes holds parameters in words, for arithmetic on all lanes of a word at once.
type lanes struct {
	// tables [rows, hidden/4] holds four numbers of a row in a word: the sum of number k shifted by 16k bits. A negative
	// number borrows from the lanes above it. So words are added like numbers, and the sum of the numbers of lane k stands
	// in lane k once excess is added, which gives back what was borrowed.
	tables []uint64
	// dense [Buckets, hidden, Dense/2] holds the weights from one hidden unit to dense units 2i and 2i+1 in the halves of a
	// word, each with denseExcess added, so that none is negative and a product with an activation stays in its half.
	dense []uint64
}

const (
	excess      = 0x8000_8000_8000_8000
	denseExcess = 128
)

// newLanes returns the network's parameters in words.
func (n *Network) newLanes() *lanes {
	l := &lanes{make([]uint64, len(n.tables)/4), make([]uint64, len(n.dense)/2)}
	for i, w := range n.tables {
		l.tables[i/4] += uint64(int64(w)) << (i % 4 * 16)
	}
	for b := range Buckets {
		for j := range n.hidden {
			for i := range Dense {
				w := uint64(int(n.dense[denseIndex(n.hidden, b, j, i)]) + denseExcess)
				l.dense[((b*n.hidden+j)*Dense+i)/2] |= w << (i % 2 * 32)
			}
		}
	}
	return l
}

// evaluateGo is evaluate in plain Go.
func (n *Network) evaluateGo(rows []int32, bucket int) int32 {
	const pairs = Dense / 2
	words := n.hidden / 4
	var sums [MaxHidden / 4]uint64
	sum := sums[:words]
	for _, r := range rows {
		row := n.lanes.tables[int(r)*words:][:words]
		for i, w := range row {
			sum[i] += w
		}
	}
	var dense [pairs]uint64
	var total uint64 // of the activations
	weights := n.lanes.dense[bucket*n.hidden*pairs:][:n.hidden*pairs]
	for _, w := range sum {
		w += excess
		for range 4 {
			// Half of the activations are 0, but to skip them costs more: no processor can guess which.
			x := uint64(min(max((int32(w&0xffff)-0x8000)>>n.shift, 0), maxHidden))
			w >>= 16
			total += x
			group := (*[pairs]uint64)(weights)
			dense[0] += x * group[0]
			dense[1] += x * group[1]
			dense[2] += x * group[2]
			dense[3] += x * group[3]
			dense[4] += x * group[4]
			dense[5] += x * group[5]
			dense[6] += x * group[6]
			dense[7] += x * group[7]
			weights = weights[pairs:]
		}
	}
	out := n.last[bucket]
	bias, output := (*[Dense]int32)(n.bias[bucket*Dense:]), (*[Dense]int16)(n.output[bucket*Dense:])
	for i, x := range dense {
		low := int32(uint32(x)-uint32(total)*denseExcess) + bias[2*i]
		high := int32(uint32(x>>32)-uint32(total)*denseExcess) + bias[2*i+1]
		out += min(max(low>>denseShift, 0), maxDense) * int32(output[2*i])
		out += min(max(high>>denseShift, 0), maxDense) * int32(output[2*i+1])
	}
	return out >> logitShift
}
