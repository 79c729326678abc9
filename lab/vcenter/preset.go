package vcenter

import (
	"fmt"

	"github.com/google/uuid"
	"github.com/vmware/govmomi/object"
	"github.com/vmware/govmomi/simulator"
	"github.com/vmware/govmomi/vim25/methods"
	"github.com/vmware/govmomi/vim25/types"
)

const gib = 1 << 30

// presetMachine is a machine that is there from the start.
type presetMachine struct {
	name, annotation string
	guestID          types.VirtualMachineGuestOsIdentifier
	bootBytes        int64
	memoryMiB        int64
	template, on     bool
}

// buildMachines makes the templates, and a folder with machines of other people.
func (v *VCenter) buildMachines() error {
	root := v.registry.Get(v.datacenter().VmFolder).(*simulator.Folder)
	templates, err := v.subfolder(root, "templates")
	if err != nil {
		return err
	}
	for _, name := range v.opt.Preset.Templates {
		if err := v.buildMachine(templates, presetMachine{
			name: name, annotation: "Template of the site", guestID: v.release.template,
			bootBytes: 16 * gib, memoryMiB: 1024, template: true,
		}); err != nil {
			return err
		}
	}
	if !v.opt.Preset.Foreign {
		return nil
	}
	others, err := v.subfolder(root, "other-team")
	if err != nil {
		return err
	}
	for i, name := range []string{"build-agent-01", "wiki"} {
		if err := v.buildMachine(others, presetMachine{
			name: name, annotation: "Owner: other team. Do not touch.", on: i == 0,
			guestID:   types.VirtualMachineGuestOsIdentifierRhel9_64Guest,
			bootBytes: 40 * gib, memoryMiB: 4096,
		}); err != nil {
			return err
		}
	}
	return nil
}

func (v *VCenter) subfolder(parent *simulator.Folder, name string) (*simulator.Folder, error) {
	body := parent.CreateFolder(v.context(), &types.CreateFolder{This: parent.Self, Name: name})
	if fault := faultOf(body); fault != nil {
		return nil, fmt.Errorf("folder %s: %s", name, faultText(fault))
	}
	ref := body.(*methods.CreateFolderBody).Res.Returnval
	return v.registry.Get(ref).(*simulator.Folder), nil
}

func (v *VCenter) buildMachine(folder *simulator.Folder, p presetMachine) error {
	_, err := v.buildMachineOn(folder, v.sortedHosts()[0], v.opt.Preset.SiteDatastore, p)
	return err
}

func (v *VCenter) buildMachineOn(
	folder *simulator.Folder, h *hostStorage, store string, p presetMachine,
) (*simulator.VirtualMachine, error) {
	spec, err := v.presetSpec(p, store)
	if err != nil {
		return nil, err
	}
	request := &types.CreateVM_Task{This: folder.Self, Config: spec, Pool: *v.poolOf(h), Host: &h.ref}
	result, fault := v.createMachine(v.context(), folder, request)
	if fault != nil {
		return nil, fmt.Errorf("machine %s: %s", p.name, faultText(fault))
	}
	vm := v.vm(result.(types.ManagedObjectReference))
	m := v.machines.get(vm.Self)
	m.foreign = !p.template
	if p.template {
		m.template = guestKind(p.name)
		vm.MarkAsTemplate(&types.MarkAsTemplate{This: vm.Self})
	}
	if p.on {
		if fault := v.powerOn(v.context(), vm); fault != nil {
			return nil, fmt.Errorf("machine %s: %s", p.name, faultText(fault))
		}
	}
	return vm, nil
}

// presetSpec is a machine with one thin boot disk on LSI Logic SAS and one vmxnet3 card, as the beds clone it.
func (v *VCenter) presetSpec(p presetMachine, store string) (types.VirtualMachineConfigSpec, error) {
	cores := int32(1)
	spec := types.VirtualMachineConfigSpec{
		Name: p.name, GuestId: string(p.guestID), Annotation: p.annotation, NumCPUs: 1, NumCoresPerSocket: &cores,
		MemoryMB: p.memoryMiB, Version: v.release.hardware.String(), Firmware: string(types.GuestOsDescriptorFirmwareTypeEfi),
		Files: &types.VirtualMachineFileInfo{VmPathName: "[" + store + "]"},
		// The same at every start, so that inventories compare.
		Uuid:         uuid.NewSHA1(uuid.NameSpaceOID, []byte("sanbed lab bios "+p.name)).String(),
		InstanceUuid: uuid.NewSHA1(uuid.NameSpaceOID, []byte("sanbed lab instance "+p.name)).String(),
	}
	var devices object.VirtualDeviceList
	scsi, err := devices.CreateSCSIController("lsilogic-sas")
	if err != nil {
		return spec, err
	}
	devices = append(devices, scsi)
	disk := devices.CreateDisk(scsi.(types.BaseVirtualController), types.ManagedObjectReference{}, "")
	disk.CapacityInBytes, disk.CapacityInKB = p.bootBytes, p.bootBytes>>10
	backing := disk.Backing.(*types.VirtualDiskFlatVer2BackingInfo)
	backing.ThinProvisioned, backing.Datastore = types.NewBool(true), nil
	card, err := devices.CreateEthernetCard("vmxnet3", &types.VirtualEthernetCardNetworkBackingInfo{
		VirtualDeviceDeviceBackingInfo: types.VirtualDeviceDeviceBackingInfo{DeviceName: v.opt.Preset.Network},
	})
	if err != nil {
		return spec, err
	}
	devices = append(devices, disk, card)
	spec.DeviceChange, err = devices.ConfigSpec(types.VirtualDeviceConfigSpecOperationAdd)
	return spec, err
}
