// Package webserver serves pages and interfaces that are meant for the user of this machine: it listens where it is told to,
// answers only under names of this machine, serves files that are in the program, and ends in good order.
package webserver
