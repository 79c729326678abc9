package vcenter

import (
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/soap"
	"github.com/vmware/govmomi/vim25/types"
)

// DetachScsiLun takes a device out of service on this host, so that it may be unmapped.
func (s *storageSystemCalls) DetachScsiLun(_ *simulator.Context, req *types.DetachScsiLun) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.DetachScsiLunBody{}
	if fault := s.v.detach(s.host(), req.LunUuid); fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	body.Res = &types.DetachScsiLunResponse{}
	return body
}

func (v *VCenter) detach(h *hostStorage, uuid string) types.BaseMethodFault {
	l := h.byUUID(uuid)
	if l == nil {
		return &types.NotFound{}
	}
	if l.isNvme() && !v.opt.NvmeDetach {
		// Assumed: clients of vSphere do not detach NVMe devices, and the user interface offers it for none.
		return &types.NotSupported{}
	}
	if l.detached {
		return &types.InvalidState{}
	}
	if d := v.mountedOn(h, l.name()); d != nil {
		return inUse("VMFS volume", d.name)
	}
	if h.dump == l.name() || v.rawMapped(h, l) {
		return inUse("ScsiLun", l.name())
	}
	l.detached, h.detached[l.name()] = true, true
	v.publish(h)
	return nil
}

// AttachScsiLun takes a device back into service.
func (s *storageSystemCalls) AttachScsiLun(_ *simulator.Context, req *types.AttachScsiLun) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.AttachScsiLunBody{}
	h := s.host()
	l := h.byUUID(req.LunUuid)
	switch {
	case l == nil:
		body.Fault_ = simulator.Fault("", &types.NotFound{})
	case !l.detached:
		body.Fault_ = simulator.Fault("", &types.InvalidState{})
	default:
		l.detached = false
		delete(h.detached, l.name())
		s.v.publish(h)
		body.Res = &types.AttachScsiLunResponse{}
	}
	return body
}

// DeleteScsiLunState lets the host forget a device that was detached. The argument is its canonical name.
func (s *storageSystemCalls) DeleteScsiLunState(_ *simulator.Context, req *types.DeleteScsiLunState) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.DeleteScsiLunStateBody{}
	h, name := s.host(), req.LunCanonicalName
	switch l := h.luns[name]; {
	case l == nil && !h.detached[name]:
		body.Fault_ = simulator.Fault("", &types.NotFound{})
		return body
	case l != nil && (!l.detached || l.alive()):
		// Still presented: the state is in use.
		body.Fault_ = simulator.Fault("", &types.InvalidState{})
		return body
	}
	delete(h.detached, name)
	delete(h.luns, name)
	s.v.publish(h)
	body.Res = &types.DeleteScsiLunStateResponse{}
	return body
}

// SetMultipathLunPolicy sets the path selection of a LUN, named by its multipath key or its uuid.
func (s *storageSystemCalls) SetMultipathLunPolicy(
	_ *simulator.Context, req *types.SetMultipathLunPolicy,
) soap.HasFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	body := &methods.SetMultipathLunPolicyBody{}
	h := s.host()
	var l *lun
	for _, known := range h.luns {
		if known.multipathKey() == req.LunId || known.uuid() == req.LunId {
			l = known
		}
	}
	if l == nil {
		body.Fault_ = simulator.Fault("", &types.NotFound{})
		return body
	}
	if l.isNvme() {
		// Policies of the native plug-in do not fit a device of the high-performance plug-in.
		body.Fault_ = simulator.Fault("", &types.NotSupported{})
		return body
	}
	preferred := ""
	if fixed, ok := req.Policy.(*types.HostMultipathInfoFixedLogicalUnitPolicy); ok {
		preferred = fixed.Prefer
	}
	if req.Policy == nil || !l.setPolicy(req.Policy.GetHostMultipathInfoLogicalUnitPolicy().Policy, preferred) {
		body.Fault_ = simulator.Fault("", &types.InvalidArgument{InvalidProperty: "policy"})
		return body
	}
	s.v.publish(h)
	body.Res = &types.SetMultipathLunPolicyResponse{}
	return body
}

// setPolicy is false for a policy that hosts do not have, or a preferred path that is none.
func (l *lun) setPolicy(policy, preferred string) bool {
	switch policy {
	case policyRoundRobin, policyRecent:
		l.policy, l.preferred = policy, ""
		return true
	case policyFixed:
		for _, p := range l.paths {
			if l.pathName(p) == preferred || preferred == "" {
				l.policy, l.preferred = policy, l.pathName(p)
				return true
			}
		}
	}
	return false
}

// EnableMultipathPath takes a path back into use.
func (s *storageSystemCalls) EnableMultipathPath(_ *simulator.Context, req *types.EnableMultipathPath) soap.HasFault {
	body := &methods.EnableMultipathPathBody{}
	if fault := s.usePath(req.PathName, true); fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	body.Res = &types.EnableMultipathPathResponse{}
	return body
}

// DisableMultipathPath takes a path out of use. The last active one of a device cannot be disabled.
func (s *storageSystemCalls) DisableMultipathPath(
	_ *simulator.Context, req *types.DisableMultipathPath,
) soap.HasFault {
	body := &methods.DisableMultipathPathBody{}
	if fault := s.usePath(req.PathName, false); fault != nil {
		body.Fault_ = simulator.Fault("", fault)
		return body
	}
	body.Res = &types.DisableMultipathPathResponse{}
	return body
}

func (s *storageSystemCalls) usePath(name string, use bool) types.BaseMethodFault {
	s.v.storage.Lock()
	defer s.v.storage.Unlock()
	h := s.host()
	for _, l := range h.luns {
		active, at := 0, -1
		for i, p := range l.paths {
			if l.pathState(p) == "active" {
				active++
			}
			if l.pathName(p) == name {
				at = i
			}
		}
		if at < 0 {
			continue
		}
		if !use && active == 1 && l.pathState(l.paths[at]) == "active" {
			return &types.HostConfigFault{VimFault: types.VimFault{MethodFault: localized("the last active path of " + l.name())}}
		}
		l.paths[at].disabled = !use
		s.v.publish(h)
		return nil
	}
	return &types.NotFound{}
}
