package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"syscall"

	"sanbed.dev/lab/blocks"
)

// disks adapts the block device server to what the vCenter needs.
type disks struct{ server *blocks.Server }

func mountBlocks(s settings) (*disks, error) {
	if !s.blocks {
		return nil, nil
	}
	server, err := blocks.Mount(filepath.Join(s.dir, "blocks"))
	if err != nil {
		return nil, err
	}
	return &disks{server}, nil
}

func closeBlocks(d *disks) error {
	if d == nil {
		return nil
	}
	return d.server.Close()
}

func (d *disks) register(mux *http.ServeMux) { d.server.Register(mux) }

func (d *disks) Attach(name, file string, sizeBytes int64, volumeID, host string) (string, error) {
	err := d.server.Attach(blocks.Disk{Name: name, File: file, SizeBytes: sizeBytes, VolumeID: volumeID, Host: host})
	return d.server.Path(name), err
}

func (d *disks) Detach(name string) error { return d.server.Detach(name) }

// SetLost keeps one rule per volume and host: a LUN without any path answers with an error, as a permanent device loss.
func (d *disks) SetLost(volumeID, host string, lost bool) error {
	id := fmt.Sprintf("lost-%s-%s", volumeID, host)
	if !lost {
		d.server.Remove(id)
		return nil
	}
	_, err := d.server.Put(blocks.Rule{ID: id, VolumeID: volumeID, Host: host, Err: syscall.EIO})
	return err
}
