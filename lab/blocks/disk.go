package blocks

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

// Disk is one virtual disk: a file of the file system, backed by a sparse file in the folder of the array volume it lies on.
type Disk struct {
	// Name of the file below the mount point: letters, digits, dot, underscore, hyphen.
	Name string
	// File is the backing file. It is made, and extended to SizeBytes, when the disk is attached.
	File string
	// SizeBytes is a multiple of 512.
	SizeBytes int64
	// VolumeID is the array volume the content lies on; Host the ESXi host through which it is read and written.
	VolumeID, Host string
}

// node is the file of a disk.
type node struct {
	fs.Inode
	disk    Disk
	backing *os.File
	gate    *gate
	sleeper *sleeper
	meter   meter
	opens   atomic.Int64
}

var (
	_ fs.NodeOpener    = (*node)(nil)
	_ fs.NodeReader    = (*node)(nil)
	_ fs.NodeWriter    = (*node)(nil)
	_ fs.NodeFsyncer   = (*node)(nil)
	_ fs.NodeAllocater = (*node)(nil)
	_ fs.NodeGetattrer = (*node)(nil)
	_ fs.NodeSetattrer = (*node)(nil)
	_ fs.NodeReleaser  = (*node)(nil)
)

// handle has no content; go-fuse reports the release of a file only for opens that gave one.
type handle struct{}

// Open answers flags for direct I/O: without them the kernel would cache pages, and neither latency nor loss of a path
// would be felt.
func (n *node) Open(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	n.opens.Add(1)
	return handle{}, fuse.FOPEN_DIRECT_IO | fuse.FOPEN_PARALLEL_DIRECT_WRITES, 0
}

func (n *node) Release(context.Context, fs.FileHandle) syscall.Errno {
	n.opens.Add(-1)
	return 0
}

func (n *node) Getattr(_ context.Context, _ fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	out.Mode = syscall.S_IFREG | 0o600
	out.Size = uint64(n.disk.SizeBytes)
	out.Nlink = 1
	return 0
}

// Setattr accepts times and refuses another size: virtual disks are resized by the vCenter, not by whoever has them open.
func (n *node) Setattr(ctx context.Context, f fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if size, ok := in.GetSize(); ok && size != uint64(n.disk.SizeBytes) {
		return syscall.EPERM
	}
	return n.Getattr(ctx, f, out)
}

func (n *node) Read(ctx context.Context, _ fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	if off >= n.disk.SizeBytes {
		return fuse.ReadResultData(nil), 0
	}
	if left := n.disk.SizeBytes - off; int64(len(dest)) > left {
		dest = dest[:left]
	}
	errno := n.request(ctx, OpRead, uint64(len(dest)), func() error {
		_, err := n.backing.ReadAt(dest, off)
		return err
	})
	if errno != 0 {
		return nil, errno
	}
	return fuse.ReadResultData(dest), 0
}

func (n *node) Write(ctx context.Context, _ fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	if off+int64(len(data)) > n.disk.SizeBytes {
		return 0, syscall.ENOSPC
	}
	errno := n.request(ctx, OpWrite, uint64(len(data)), func() error {
		_, err := n.backing.WriteAt(data, off)
		return err
	})
	if errno != 0 {
		return 0, errno
	}
	return uint32(len(data)), 0
}

// Fsync does not flush the backing file. A flash array acknowledges from battery-backed memory; here the page cache of
// the machine that runs the lab stands for it. It survives the death of every process of the lab, not a loss of power.
func (n *node) Fsync(ctx context.Context, _ fs.FileHandle, _ uint32) syscall.Errno {
	return n.request(ctx, OpFlush, 0, func() error { return nil })
}

// Allocate serves the loop device's discard (punch hole) and write-zeroes (zero range).
func (n *node) Allocate(ctx context.Context, _ fs.FileHandle, off, size uint64, mode uint32) syscall.Errno {
	if off+size > uint64(n.disk.SizeBytes) {
		return syscall.ENOSPC
	}
	return n.request(ctx, OpTrim, size, func() error {
		return syscall.Fallocate(int(n.backing.Fd()), mode, int64(off), int64(size))
	})
}

// request runs one request through the gate and books it. The answer is due `delay` after arrival, whatever the
// backing file needed.
func (n *node) request(ctx context.Context, op Op, bytes uint64, serve func() error) syscall.Errno {
	arrived := time.Now()
	n.meter.begin()
	delay, errno := n.gate.admit(ctx, &n.disk, op)
	if errno == 0 {
		errno = backingErrno(serve())
	}
	if delay > 0 {
		n.sleeper.until(arrived.Add(delay))
	}
	n.meter.end(op, bytes, time.Since(arrived), errno != 0)
	return errno
}

// backingErrno keeps what the system said, for instance ENOSPC; anything else, such as a backing file cut short, is a
// medium error.
func backingErrno(err error) syscall.Errno {
	var errno syscall.Errno
	switch {
	case err == nil:
		return 0
	case errors.As(err, &errno):
		return errno
	default:
		return syscall.EIO
	}
}
