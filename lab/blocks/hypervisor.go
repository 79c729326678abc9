package blocks

import "syscall"

// Hypervisor is the block server as the vCenter uses it: attach and detach virtual disks, and let a host lose a volume.
type Hypervisor struct{ *Server }

// Attach makes a virtual disk's file appear and answers the path to set a loop device up on.
func (h Hypervisor) Attach(name, file string, sizeBytes int64, volumeID, host string) (string, error) {
	disk := Disk{Name: name, File: file, SizeBytes: sizeBytes, VolumeID: volumeID, Host: host}
	if err := h.Server.Attach(disk); err != nil {
		return "", err
	}
	return h.Path(name), nil
}

// SetLost lets all I/O of a host on a volume fail, as after a permanent device loss, or pass again.
func (h Hypervisor) SetLost(volumeID, host string, lost bool) error {
	id := "lost:" + host + ":" + volumeID
	if !lost {
		h.Remove(id)
		return nil
	}
	_, err := h.Put(Rule{ID: id, VolumeID: volumeID, Host: host, Err: syscall.EIO})
	return err
}
