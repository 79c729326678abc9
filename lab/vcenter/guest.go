package vcenter

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"time"

	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/vim25/types"

	"sanbed.dev/lab/worldclient"
)

const (
	// guestStart bounds the time that the daemon may take until a guest can be reached.
	guestStart = 3 * time.Minute
	guestStop  = 3 * time.Minute
	// detachWait bounds the time that the kernel may take to let go of a block device of a stopped guest.
	detachWait = 10 * time.Second
)

// startGuest starts the guest of a machine at the daemon and answers its address. There is none to start, and its state
// is emulated (empty address), for a machine without a known system, for one of other people, and in a lab without guests.
func (v *VCenter) startGuest(m *machine, g glance, nics []nicSetting, hostname string) (string, error) {
	if v.opt.Guests == nil || m.foreign || m.template == "" || v.guestless() {
		return "", nil
	}
	disks, err := v.attachDisks(m, g)
	if err != nil {
		return "", err
	}
	request := worldclient.PowerOn{
		UUID: g.uuid, Hostname: hostname, Address: firstAddress(nics), MemoryMiB: g.memoryMiB, Cpus: g.cpus,
		Template: m.template, Host: v.hostName(g.host), Disks: disks,
	}
	v.machines.set(func() { m.known = true })
	ctx, cancel := context.WithTimeout(context.Background(), guestStart)
	defer cancel()
	answer, err := v.opt.Guests.PowerOn(ctx, m.key, request)
	if err == nil {
		v.machines.set(func() { m.running = true })
		return answer.Address, nil
	}
	if errors.Is(err, worldclient.ErrNoGuests) {
		v.machines.set(func() { v.machines.noGuests, m.known = true, false })
		return "", v.detachDisks(m)
	}
	// Whatever has been started of it must not outlive the failure.
	stop, stopped := context.WithTimeout(context.Background(), guestStop)
	defer stopped()
	_ = v.opt.Guests.PowerOff(stop, m.key, true)
	return "", errors.Join(err, v.detachDisks(m))
}

func (v *VCenter) guestless() bool {
	v.machines.mu.Lock()
	defer v.machines.mu.Unlock()
	return v.machines.noGuests
}

// stopGuest stops the guest at the daemon, if one runs, and frees its disks.
func (v *VCenter) stopGuest(m *machine, hard bool) error {
	running := false
	v.machines.set(func() { running = m.running })
	if running {
		ctx, cancel := context.WithTimeout(context.Background(), guestStop)
		defer cancel()
		if err := v.opt.Guests.PowerOff(ctx, m.key, hard); err != nil && !errors.Is(err, worldclient.ErrNoGuests) {
			return err
		}
		v.machines.set(func() { m.running = false })
	}
	return v.detachDisks(m)
}

// deleteGuest removes the daemon's files of a guest.
func (v *VCenter) deleteGuest(m *machine) error {
	known := false
	v.machines.set(func() { known = m.known })
	if !known {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), guestStop)
	defer cancel()
	if err := v.opt.Guests.DeleteGuest(ctx, m.key); err != nil && !errors.Is(err, worldclient.ErrNoGuests) {
		return err
	}
	v.machines.set(func() { m.known = false })
	return nil
}

// attachDisks offers the data disks of a machine as block device files (level A) or as plain files.
func (v *VCenter) attachDisks(m *machine, g glance) ([]worldclient.GuestDisk, error) {
	disks := []worldclient.GuestDisk{}
	for _, f := range v.dataDisks(g) {
		disk := worldclient.GuestDisk{Label: f.label, Unit: f.unit, SizeBytes: worldclient.Bytes(f.size), File: f.file}
		if v.opt.Blocks != nil {
			name := m.key + "-" + f.label
			file, err := v.opt.Blocks.Attach(name, f.file, f.size, v.volumeOf(f.datastore), v.hostName(g.host))
			if err != nil {
				return nil, errors.Join(err, v.detachDisks(m))
			}
			v.machines.set(func() { m.attached = append(m.attached, name) })
			disk.File = file
		}
		disks = append(disks, disk)
	}
	return disks, nil
}

// dataDisks of a machine, by unit.
func (v *VCenter) dataDisks(g glance) []flat {
	v.machines.mu.Lock()
	defer v.machines.mu.Unlock()
	var disks []flat
	for _, device := range object.VirtualDeviceList(g.devices).SelectByType((*types.VirtualDisk)(nil)) {
		backing, _ := backingOf(device.(*types.VirtualDisk))
		if f := v.machines.flats[backing]; f != nil && f.file != "" {
			disks = append(disks, *f)
		}
	}
	sort.Slice(disks, func(i, j int) bool { return disks[i].unit < disks[j].unit })
	return disks
}

func (v *VCenter) detachDisks(m *machine) error {
	var names []string
	v.machines.set(func() { names = append(names, m.attached...) })
	deadline := time.Now().Add(detachWait)
	for _, name := range names {
		for {
			err := v.opt.Blocks.Detach(name)
			if err == nil {
				break
			}
			if time.Now().After(deadline) {
				return fmt.Errorf("a guest has stopped, its disk is still held: %w", err)
			}
			time.Sleep(50 * time.Millisecond)
		}
		v.machines.set(func() {
			for i, n := range m.attached {
				if n == name {
					m.attached = append(m.attached[:i:i], m.attached[i+1:]...)
					break
				}
			}
		})
	}
	return nil
}

func (v *VCenter) hostName(ref types.ManagedObjectReference) string {
	v.storage.RLock()
	defer v.storage.RUnlock()
	if h := v.hosts[ref]; h != nil {
		return h.name
	}
	return ""
}

func (v *VCenter) volumeOf(ref types.ManagedObjectReference) string {
	v.storage.RLock()
	defer v.storage.RUnlock()
	if d := v.datastores[ref]; d != nil {
		return d.volumeID
	}
	return ""
}
