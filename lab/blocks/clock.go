package blocks

import (
	"sync/atomic"
	"time"
)

// sleeper waits for absolute points in time. Timers fire late (about 0.1 ms on an idle two-core machine, more under
// load); summed over every request that would show as latency that nobody asked for. The lateness is measured on the
// way and taken off the next wait.
type sleeper struct {
	biasNanos atomic.Int64
}

const (
	// maxBias bounds the correction, so that one descheduled moment does not make later answers come early.
	maxBias = 500 * time.Microsecond
	// biasWeight is the share of a new measurement in the moving mean, 1/biasWeight.
	biasWeight = 16
)

// until returns at due, or at once when due has passed.
func (s *sleeper) until(due time.Time) {
	wait := time.Until(due) - time.Duration(s.biasNanos.Load())
	if wait <= 0 {
		return
	}
	aim := time.Now().Add(wait)
	time.Sleep(wait)
	late := time.Since(aim)
	if late > maxBias {
		late = maxBias
	}
	bias := s.biasNanos.Load()
	s.biasNanos.Store(bias + (int64(late)-bias)/biasWeight)
}
