package blocks

import (
	"context"
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Op is the kind of a request as a fault rule names it.
type Op string

const (
	OpRead  Op = "read"
	OpWrite Op = "write"
	// OpTrim stands for discard and write-zeroes.
	OpTrim  Op = "trim"
	OpFlush Op = "flush"
)

// Rule slows, fails or holds the requests that match it. An empty selector matches everything.
// Delays of several matching rules add up; the first matching error wins; one stall is enough to wait.
type Rule struct {
	// ID names the rule; a rule of the same ID replaces it.
	ID string
	// VolumeID, Host and Disk select by the volume behind the disk, the host whose guest uses it, and the file name.
	VolumeID, Host, Disk string
	// Op selects one kind of request.
	Op Op
	// Delay is the time from arrival to answer. The path's own time counts as part of it.
	Delay time.Duration
	// Err is the answer. Loop devices pass EIO and ENOSPC on as such.
	Err syscall.Errno
	// Stall keeps requests waiting, without an error, until the rule goes: all paths down, no time-out yet.
	Stall bool
	// Skip lets the first matching requests through; Times limits how many are hit after that, 0 is no limit.
	Skip, Times uint64

	seen *atomic.Uint64
}

func (r *Rule) matches(d *Disk, op Op) bool {
	if r.VolumeID != "" && r.VolumeID != d.VolumeID || r.Host != "" && r.Host != d.Host {
		return false
	}
	if r.Disk != "" && r.Disk != d.Name || r.Op != "" && r.Op != op {
		return false
	}
	if r.Skip == 0 && r.Times == 0 {
		return true
	}
	n := r.seen.Add(1)
	return n > r.Skip && (r.Times == 0 || n <= r.Skip+r.Times)
}

// gate decides over every request. The table is replaced as a whole, so that a request without rules takes no lock.
type gate struct {
	mu    sync.Mutex
	table atomic.Pointer[table]
	ids   uint64
}

type table struct {
	rules []*Rule
	// changed is closed when this table is no longer the current one.
	changed chan struct{}
	closed  bool
}

func newGate() *gate {
	g := &gate{}
	g.table.Store(&table{changed: make(chan struct{})})
	return g
}

// put adds a rule, or replaces the one of the same ID, and answers the ID.
func (g *gate) put(rule Rule) (string, error) {
	if rule.Delay < 0 {
		return "", fmt.Errorf("a delay of %s is not possible: it must not be negative", rule.Delay)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if rule.ID == "" {
		g.ids++
		rule.ID = fmt.Sprintf("blocks-%d", g.ids)
	}
	rule.seen = &atomic.Uint64{}
	g.swap(append(g.without(rule.ID), &rule), false)
	return rule.ID, nil
}

// remove deletes a rule; false when there is none of that ID.
func (g *gate) remove(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	rest := g.without(id)
	if len(rest) == len(g.table.Load().rules) {
		return false
	}
	g.swap(rest, false)
	return true
}

func (g *gate) clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.swap(nil, false)
}

// close lets every waiting request fail, so that the file system can be unmounted.
func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.swap(nil, true)
}

func (g *gate) list() []Rule {
	var rules []Rule
	for _, r := range g.table.Load().rules {
		rules = append(rules, *r)
	}
	sort.Slice(rules, func(i, j int) bool { return rules[i].ID < rules[j].ID })
	return rules
}

func (g *gate) without(id string) []*Rule {
	var rest []*Rule
	for _, r := range g.table.Load().rules {
		if r.ID != id {
			rest = append(rest, r)
		}
	}
	return rest
}

func (g *gate) swap(rules []*Rule, closed bool) {
	old := g.table.Swap(&table{rules: rules, changed: make(chan struct{}), closed: closed || g.table.Load().closed})
	close(old.changed)
}

// admit answers the delay that the request must take, or the error it ends with. It blocks while a rule stalls it.
func (g *gate) admit(ctx context.Context, d *Disk, op Op) (time.Duration, syscall.Errno) {
	for {
		t := g.table.Load()
		if t.closed {
			return 0, syscall.EIO
		}
		if len(t.rules) == 0 {
			return 0, 0
		}
		delay, errno, stalled := t.judge(d, op)
		if !stalled {
			return delay, errno
		}
		select {
		case <-t.changed:
		case <-ctx.Done():
			return 0, syscall.EINTR
		}
	}
}

func (t *table) judge(d *Disk, op Op) (delay time.Duration, errno syscall.Errno, stalled bool) {
	for _, r := range t.rules {
		if !r.matches(d, op) {
			continue
		}
		delay += r.Delay
		stalled = stalled || r.Stall
		if errno == 0 {
			errno = r.Err
		}
	}
	return delay, errno, stalled
}
