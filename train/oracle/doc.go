// Package oracle asks agents what they would do in end games whose results are known, and counts how often that keeps the
// best result.
package oracle
