// Package release finds the released bots that a program carries along, so that a
// bare binary can play. Those that a program wants to carry it takes by
//
//	import _ "kiothi/models"
//
// A name such as "kiothi-quick" then means the release wherever a path of a model
// is wanted and there is no such path on the disk.
package release
