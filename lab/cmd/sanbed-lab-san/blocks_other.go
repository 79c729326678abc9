//go:build !linux

package main

import (
	"errors"
	"net/http"
)

// disks do not exist here: block devices need Linux.
type disks struct{}

func mountBlocks(s settings) (*disks, error) {
	if s.blocks {
		return nil, errors.New("--blocks needs Linux")
	}
	return nil, nil
}

func closeBlocks(*disks) error { return nil }

func (*disks) register(*http.ServeMux) {}

func (*disks) Attach(string, string, int64, string, string) (string, error) {
	return "", errors.New("block devices need Linux")
}

func (*disks) Detach(string) error { return nil }

func (*disks) SetLost(string, string, bool) error { return nil }
