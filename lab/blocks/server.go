// Package blocks serves the virtual disks of the lab's guests as files of a FUSE file system, one file per disk. A loop
// device on such a file is the disk that the guest sees, so every read and write of a guest is a request here, where it
// can be delayed, refused, held, and counted.
package blocks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"sync"
	"syscall"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

const sectorBytes = 512

// maxBackground is how many asynchronous requests the kernel sends before it holds further ones back. The limit is one
// for the whole mount, not per file: with a small one a stalled volume would stop the disks of all others. A loop
// device keeps at most 128 requests in flight, so this is enough for 256 disks (the field of the protocol has 16 bits).
const maxBackground = 32768

var diskName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$`)

// ErrBusy says that a disk is still open: a loop device lies on it.
var ErrBusy = errors.New("the disk is in use")

// Server is a mounted file system.
type Server struct {
	mountPoint string
	fuse       *fuse.Server
	root       *fs.Inode
	gate       *gate
	sleeper    sleeper

	mu    sync.Mutex
	disks map[string]*node
	// gone sums, by volume and host, what was counted on disks that are detached.
	gone map[ioKey]Counters
}

type rootNode struct{ fs.Inode }

// Mount mounts the file system on an existing or new folder. It needs CAP_SYS_ADMIN and /dev/fuse, and should run in
// a mount namespace of its own: then nothing stays mounted when the process is killed.
func Mount(mountPoint string) (*Server, error) {
	if err := os.MkdirAll(mountPoint, 0o700); err != nil {
		return nil, fmt.Errorf("blocks: cannot make the mount point: %w", err)
	}
	root := &rootNode{}
	server, err := fs.Mount(mountPoint, root, &fs.Options{MountOptions: fuse.MountOptions{
		Name: "sanbed-blocks", FsName: "sanbed-blocks",
		// The host may have no fusermount.
		DirectMountStrict: true,
		MaxBackground:     maxBackground, CongestionThreshold: maxBackground,
		MaxWrite: 1 << 20,
		// Without this the kernel sends one request of a loop device at a time.
		ExtraCapabilities: fuse.CAP_ASYNC_DIO,
		DisableXAttrs:     true,
	}})
	if err != nil {
		return nil, fmt.Errorf("blocks: cannot mount %s: %w (needs root, /dev/fuse and a mount namespace)", mountPoint, err)
	}
	return &Server{
		mountPoint: mountPoint, fuse: server, root: root.EmbeddedInode(), gate: newGate(), disks: map[string]*node{},
		gone: map[ioKey]Counters{},
	}, nil
}

// Path of a disk's file, as a loop device is set up on it.
func (s *Server) Path(name string) string { return filepath.Join(s.mountPoint, name) }

// Attach makes a disk's file appear. Attaching the same disk again changes nothing; another disk of that name is an error.
func (s *Server) Attach(disk Disk) error {
	if !diskName.MatchString(disk.Name) {
		return fmt.Errorf("blocks: %q cannot be a disk name: use letters, digits, '.', '_' and '-'", disk.Name)
	}
	if disk.SizeBytes <= 0 || disk.SizeBytes%sectorBytes != 0 {
		return fmt.Errorf("blocks: disk %s: a size of %d bytes is not a positive multiple of %d", disk.Name, disk.SizeBytes, sectorBytes)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.disks[disk.Name]; ok {
		if old.disk == disk {
			return nil
		}
		return fmt.Errorf("blocks: another disk named %s is attached (%s)", disk.Name, old.disk.File)
	}
	backing, err := openBacking(disk)
	if err != nil {
		return err
	}
	n := &node{disk: disk, backing: backing, gate: s.gate, sleeper: &s.sleeper}
	s.root.AddChild(disk.Name, s.root.NewPersistentInode(context.Background(), n, fs.StableAttr{Mode: syscall.S_IFREG}), false)
	s.disks[disk.Name] = n
	return nil
}

// Detach makes a disk's file disappear; its content stays. ErrBusy while it is open. Absent is success.
func (s *Server) Detach(name string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.disks[name]
	if !ok {
		return nil
	}
	if n.opens.Load() > 0 {
		return fmt.Errorf("blocks: cannot detach %s: %w", name, ErrBusy)
	}
	s.remember(n)
	delete(s.disks, name)
	s.root.RmChild(name)
	// The kernel asks again at the next look-up, as entries are not cached.
	return n.backing.Close()
}

// InUse is true while something has the disk open.
func (s *Server) InUse(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.disks[name]
	return ok && n.opens.Load() > 0
}

// Put adds or replaces a rule and answers its ID.
func (s *Server) Put(rule Rule) (string, error) { return s.gate.put(rule) }

// Remove deletes a rule; false when there is none of that ID.
func (s *Server) Remove(id string) bool { return s.gate.remove(id) }

// Clear deletes all rules and lets stalled requests go on.
func (s *Server) Clear() { s.gate.clear() }

// Rules in force, sorted by ID.
func (s *Server) Rules() []Rule { return s.gate.list() }

// Counters of all attached disks, sorted by name.
func (s *Server) Counters() []Counters {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Counters, 0, len(s.disks))
	for _, n := range s.disks {
		all = append(all, n.meter.read(&n.disk))
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Disk < all[j].Disk })
	return all
}

// Close fails what is waiting and unmounts. Loop devices that are still set up make it answer "busy".
func (s *Server) Close() error {
	s.gate.close()
	if err := s.fuse.Unmount(); err != nil {
		return fmt.Errorf("blocks: cannot unmount %s: %w", s.mountPoint, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, n := range s.disks {
		n.backing.Close()
		delete(s.disks, name)
	}
	return nil
}

func openBacking(disk Disk) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(disk.File), 0o700); err != nil {
		return nil, fmt.Errorf("blocks: disk %s: %w", disk.Name, err)
	}
	backing, err := os.OpenFile(disk.File, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("blocks: disk %s: %w", disk.Name, err)
	}
	info, err := backing.Stat()
	if err == nil && info.Size() > disk.SizeBytes {
		err = fmt.Errorf("%s holds %d bytes, the disk has %d: disks do not shrink", disk.File, info.Size(), disk.SizeBytes)
	}
	if err == nil && info.Size() < disk.SizeBytes {
		err = backing.Truncate(disk.SizeBytes)
	}
	if err != nil {
		backing.Close()
		return nil, fmt.Errorf("blocks: disk %s: %w", disk.Name, err)
	}
	return backing, nil
}
