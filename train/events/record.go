package events

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
)

// This file is the records, written and read back. Of a message that is read only what Open asks for is taken.

const (
	headSize  = 12      // length and checksum
	tailSize  = 4       // checksum
	maxRecord = 1 << 26 // bytes of a message; a record of this package has some kilobytes
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// checksum returns the CRC-32C, masked as TensorFlow does: a sum over data that holds its own sum says little.
func checksum(data []byte) uint32 {
	const delta = 0xa282ead8
	sum := crc32.Checksum(data, castagnoli)
	return (sum>>15 | sum<<17) + delta
}

// appendRecord appends the record of a message.
func appendRecord(b, message []byte) []byte {
	start := len(b)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(message)))
	b = binary.LittleEndian.AppendUint32(b, checksum(b[start:]))
	b = append(b, message...)
	return binary.LittleEndian.AppendUint32(b, checksum(message))
}

// errTorn says that a file ends in the middle of a record, or holds something else than a record.
var errTorn = errors.New("expected a record of TensorBoard")

// readRecord reads the message of the next record, io.EOF after the last.
func readRecord(r io.Reader) ([]byte, error) {
	var head [headSize]byte
	if _, err := io.ReadFull(r, head[:]); err == io.EOF {
		return nil, io.EOF
	} else if err != nil {
		return nil, torn(err)
	}
	size := binary.LittleEndian.Uint64(head[:8])
	if checksum(head[:8]) != binary.LittleEndian.Uint32(head[8:]) || size > maxRecord {
		return nil, errTorn
	}
	message := make([]byte, size+tailSize)
	if _, err := io.ReadFull(r, message); err != nil {
		return nil, torn(err)
	}
	message, sum := message[:size], message[size:]
	if checksum(message) != binary.LittleEndian.Uint32(sum) {
		return nil, errTorn
	}
	return message, nil
}

// torn tells a file that ends too soon from one that cannot be read.
func torn(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return errTorn
	}
	return err
}

// inspect returns the step of an event and the tags of its values.
func inspect(message []byte) (step int64, tags []string, err error) {
	err = eachField(message, func(field protowire.Number, number uint64, content []byte) error {
		switch field {
		case eventStep:
			step = int64(number)
		case eventSummary:
			return eachField(content, func(field protowire.Number, _ uint64, value []byte) error {
				return eachField(value, func(field protowire.Number, _ uint64, content []byte) error {
					if field == valueTag {
						tags = append(tags, string(content))
					}
					return nil
				})
			})
		}
		return nil
	})
	return step, tags, err
}

// eachField calls f with each field of a message: number is the value of a varint, content that of bytes.
func eachField(message []byte, f func(field protowire.Number, number uint64, content []byte) error) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", errTorn, protowire.ParseError(n))
		}
		message = message[n:]
		var number uint64
		var content []byte
		switch kind {
		case protowire.VarintType:
			number, n = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			content, n = protowire.ConsumeBytes(message)
		default:
			n = protowire.ConsumeFieldValue(field, kind, message)
		}
		if n < 0 {
			return fmt.Errorf("%w: %w", errTorn, protowire.ParseError(n))
		}
		message = message[n:]
		if err := f(field, number, content); err != nil {
			return err
		}
	}
	return nil
}
