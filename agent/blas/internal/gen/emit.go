// This file is the little that all emitters share: a buffer of assembly text.

package main

import (
	"fmt"
	"strings"
)

// text collects lines of Go assembly.
type text struct{ strings.Builder }

// op writes one instruction; the operands are in the assembler's order, destination last.
func (t *text) op(name string, operands ...string) {
	t.WriteString("\t" + name)
	if len(operands) > 0 {
		t.WriteString(" " + strings.Join(operands, ", "))
	}
	t.WriteString("\n")
}

// line writes one line that is not an instruction: a label, a directive, a comment.
func (t *text) line(format string, values ...any) {
	fmt.Fprintf(t, format+"\n", values...)
}

// at returns the operand `offset` bytes past an address such as "(R8)(R9*2)".
func at(offset int, address string) string {
	if offset == 0 {
		return address
	}
	return fmt.Sprint(offset, address)
}

// eightRows returns the addresses of eight rows, from a base, the base plus four rows, the row's stride in bytes and
// three times that stride. Four registers address all eight, so that a loop over k has one or two pointers to move.
func eightRows(base, base4, stride, stride3 string) [8]string {
	var rows [8]string
	for i := range rows {
		b := base
		if i >= 4 {
			b = base4
		}
		rows[i] = "(" + b + ")" + [4]string{"", "(" + stride + "*1)", "(" + stride + "*2)", "(" + stride3 + "*1)"}[i%4]
	}
	return rows
}
