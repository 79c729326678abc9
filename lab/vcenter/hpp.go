package vcenter

import (
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// Path selection schemes of the high-performance plug-in (vSphere Storage, "High Performance Plug-In and Path Selection
// Schemes").
const (
	schemeRoundRobin = "LB-RR"
	schemeFixed      = "FIXED"
	schemeIops       = "LB-IOPS"
	schemeBytes      = "LB-BYTES"
	schemeLatency    = "LB-Latency"
)

// hppPolicy holds the settings of a device that the high-performance plug-in owns, with the limits of the API reference.
type hppPolicy struct {
	iops, bytes, latencyMs, samples int64
	path                            string
	useANO                          bool
}

func defaultHpp() hppPolicy {
	return hppPolicy{iops: 1000, bytes: 10 << 20, latencyMs: 30_000, samples: 16}
}

func (p hppPolicy) info(base types.HostMultipathInfoLogicalUnitPolicy) *types.HostMultipathInfoHppLogicalUnitPolicy {
	return &types.HostMultipathInfoHppLogicalUnitPolicy{
		HostMultipathInfoLogicalUnitPolicy: base, Bytes: p.bytes, Iops: p.iops, Path: p.path, LatencyEvalTime: p.latencyMs,
		SamplingIosPerPath: p.samples,
	}
}

// UpdateHppMultipathLunPolicy sets the path selection of a device that the high-performance plug-in owns.
func (s *storageSystemCalls) UpdateHppMultipathLunPolicy(
	_ *simulator.Context, req *types.UpdateHppMultipathLunPolicy,
) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.UpdateHppMultipathLunPolicyBody{}
	h := s.host()
	var l *lun
	for _, known := range h.luns {
		if known.multipathKey() == req.LunId || known.uuid() == req.LunId {
			l = known
		}
	}
	switch {
	case l == nil:
		body.Fault_ = simulator.Fault("", &types.NotFound{})
	case !l.isNvme():
		body.Fault_ = simulator.Fault("", &types.NotSupported{})
	case !l.setScheme(req.Policy):
		body.Fault_ = simulator.Fault("", &types.InvalidArgument{InvalidProperty: "policy"})
	default:
		s.v.publish(h)
		body.Res = &types.UpdateHppMultipathLunPolicyResponse{}
	}
	return body
}

// setScheme is false for a scheme that hosts do not have, a value out of range, or a path that is none. What is not given
// stays.
func (l *lun) setScheme(policy types.HostMultipathInfoHppLogicalUnitPolicy) bool {
	next := l.hpp
	for _, setting := range []struct {
		given       int64
		to          *int64
		least, most int64
	}{
		{policy.Iops, &next.iops, 1, 10_000},
		{policy.Bytes, &next.bytes, 1, 100 << 20},
		{policy.LatencyEvalTime, &next.latencyMs, 10_000, 300_000},
		{policy.SamplingIosPerPath, &next.samples, 16, 160},
	} {
		if setting.given == 0 {
			continue
		}
		if setting.given < setting.least || setting.given > setting.most {
			return false
		}
		*setting.to = setting.given
	}
	switch policy.Policy {
	case schemeRoundRobin, schemeIops, schemeBytes, schemeLatency:
		next.path = ""
	case schemeFixed:
		known := policy.Path == ""
		for _, p := range l.paths {
			known = known || l.pathName(p) == policy.Path
		}
		if !known {
			return false
		}
		next.path = policy.Path
	default:
		return false
	}
	l.policy, l.hpp = policy.Policy, next
	return true
}
