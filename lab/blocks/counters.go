package blocks

import (
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
