// Command blocksd serves virtual disks without a lab around them, for tests and measurements:
//
//	blocksd MOUNTPOINT NAME:FILE:BYTES:VOLUME:HOST ...
//
// It prints {"address": "127.0.0.1:PORT"} of its control port (faults and counters, docs/lab-protocol.md) when the disks
// are there, and ends when its standard input closes.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"

	"sanbed.dev/lab/blocks"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "blocksd:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: blocksd MOUNTPOINT NAME:FILE:BYTES:VOLUME:HOST ...")
	}
	server, err := blocks.Mount(args[0])
	if err != nil {
		return err
	}
	for _, arg := range args[1:] {
		disk, err := parse(arg)
		if err == nil {
			err = server.Attach(disk)
		}
		if err != nil {
			return err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	server.Register(mux)
	go http.Serve(listener, mux)
	if err := json.NewEncoder(os.Stdout).Encode(map[string]string{"address": listener.Addr().String()}); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	return server.Close()
}

func parse(arg string) (blocks.Disk, error) {
	fields := strings.Split(arg, ":")
	if len(fields) != 5 {
		return blocks.Disk{}, fmt.Errorf("%q is not NAME:FILE:BYTES:VOLUME:HOST", arg)
	}
	size, err := strconv.ParseInt(fields[2], 10, 64)
	if err != nil {
		return blocks.Disk{}, fmt.Errorf("%q: %w", arg, err)
	}
	return blocks.Disk{Name: fields[0], File: fields[1], SizeBytes: size, VolumeID: fields[3], Host: fields[4]}, nil
}
