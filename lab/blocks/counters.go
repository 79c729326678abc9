package blocks

import (
	"sort"
	"sync/atomic"
	"time"
)

// Counters of one disk since it was attached. Times run from the arrival of a request to its answer.
type Counters struct {
	Disk     string `json:"disk"`
	VolumeID string `json:"volumeId"`
	Host     string `json:"host"`

	Reads, ReadBytes, ReadMicros    uint64
	Writes, WriteBytes, WriteMicros uint64
	Trims, TrimBytes                uint64
	Flushes                         uint64
	Errors                          uint64
	InFlight, MaxInFlight           int64
}

type meter struct {
	reads, readBytes, readNanos    atomic.Uint64
	writes, writeBytes, writeNanos atomic.Uint64
	trims, trimBytes, flushes      atomic.Uint64
	errors                         atomic.Uint64
	inFlight, maxInFlight          atomic.Int64
}

func (m *meter) begin() {
	n := m.inFlight.Add(1)
	for {
		max := m.maxInFlight.Load()
		if n <= max || m.maxInFlight.CompareAndSwap(max, n) {
			return
		}
	}
}

// end books a finished request. Failed ones count as errors only: an array counts the I/O it has served.
func (m *meter) end(op Op, bytes uint64, took time.Duration, failed bool) {
	m.inFlight.Add(-1)
	if failed {
		m.errors.Add(1)
		return
	}
	switch op {
	case OpRead:
		m.reads.Add(1)
		m.readBytes.Add(bytes)
		m.readNanos.Add(uint64(took))
	case OpWrite:
		m.writes.Add(1)
		m.writeBytes.Add(bytes)
		m.writeNanos.Add(uint64(took))
	case OpTrim:
		m.trims.Add(1)
		m.trimBytes.Add(bytes)
	case OpFlush:
		m.flushes.Add(1)
	}
}

func (m *meter) read(d *Disk) Counters {
	const nanosPerMicro = 1000
	return Counters{
		Disk: d.Name, VolumeID: d.VolumeID, Host: d.Host,
		Reads: m.reads.Load(), ReadBytes: m.readBytes.Load(), ReadMicros: m.readNanos.Load() / nanosPerMicro,
		Writes: m.writes.Load(), WriteBytes: m.writeBytes.Load(), WriteMicros: m.writeNanos.Load() / nanosPerMicro,
		Trims: m.trims.Load(), TrimBytes: m.trimBytes.Load(), Flushes: m.flushes.Load(), Errors: m.errors.Load(),
		InFlight: m.inFlight.Load(), MaxInFlight: m.maxInFlight.Load(),
	}
}

type ioKey struct{ volumeID, host string }

// add sums what an array would count.
func (c *Counters) add(other Counters) {
	c.Reads += other.Reads
	c.ReadBytes += other.ReadBytes
	c.ReadMicros += other.ReadMicros
	c.Writes += other.Writes
	c.WriteBytes += other.WriteBytes
	c.WriteMicros += other.WriteMicros
	c.Trims += other.Trims
	c.TrimBytes += other.TrimBytes
	c.Flushes += other.Flushes
	c.Errors += other.Errors
}

// remember keeps what a disk has counted beyond its end. The caller holds the lock.
func (s *Server) remember(n *node) {
	key := ioKey{n.disk.VolumeID, n.disk.Host}
	sum := s.gone[key]
	sum.add(n.meter.read(&n.disk))
	s.gone[key] = sum
}

// VolumeCounters sums the I/O of each host on each volume since the server was mounted; no disk's end takes any of it away.
func (s *Server) VolumeCounters() []Counters {
	s.mu.Lock()
	defer s.mu.Unlock()
	sums := map[ioKey]*Counters{}
	sumOf := func(key ioKey) *Counters {
		if sums[key] == nil {
			sums[key] = &Counters{VolumeID: key.volumeID, Host: key.host}
		}
		return sums[key]
	}
	for key, past := range s.gone {
		sumOf(key).add(past)
	}
	for _, n := range s.disks {
		sumOf(ioKey{n.disk.VolumeID, n.disk.Host}).add(n.meter.read(&n.disk))
	}
	all := make([]Counters, 0, len(sums))
	for _, sum := range sums {
		all = append(all, *sum)
	}
	sort.Slice(all, func(i, j int) bool {
		a, b := all[i], all[j]
		return a.VolumeID < b.VolumeID || a.VolumeID == b.VolumeID && a.Host < b.Host
	})
	return all
}
