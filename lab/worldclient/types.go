package worldclient

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Bytes travel as decimal strings, as every 64-bit value on the control port.
type Bytes int64

// UnmarshalJSON reads a decimal string.
func (b *Bytes) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("bytes must be a decimal string, not %s", text)
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("%q is no number of bytes", s)
	}
	*b = Bytes(n)
	return nil
}

// MarshalJSON writes a decimal string.
func (b Bytes) MarshalJSON() ([]byte, error) {
	return []byte(`"` + strconv.FormatInt(int64(b), 10) + `"`), nil
}

// Adapter is a Fibre Channel port of a host.
type Adapter struct {
	// Device is the name on the host, vmhba2.
	Device string `json:"device"`
	// NvmeDevice is the NVMe adapter on the same port, vmhba65; empty for none.
	NvmeDevice string `json:"nvmeDevice"`
	Wwpn       string `json:"wwpn"`
	Wwnn       string `json:"wwnn"`
	Fabric     string `json:"fabric"`
	Model      string `json:"model"`
	Online     bool   `json:"online"`
	// SpeedGbps of the link, 32 for 32 Gbit/s.
	SpeedGbps int64 `json:"speedGbps"`
}

// Host is a hypervisor host.
type Host struct {
	Name    string `json:"name"`
	Cluster string `json:"cluster"`
	// Nqn is the NVMe qualified name; empty for a host without NVMe.
	Nqn  string    `json:"nqn"`
	Hbas []Adapter `json:"hbas"`
}

// Vmfs is the signature of a VMFS volume.
type Vmfs struct {
	UUID  string `json:"uuid"`
	Label string `json:"label"`
}

// Path from an adapter to a target port.
type Path struct {
	Adapter     string `json:"adapter"`
	AdapterWwpn string `json:"adapterWwpn"`
	TargetWwpn  string `json:"targetWwpn"`
	TargetWwnn  string `json:"targetWwnn"`
	// Optimized is true through the controller that owns the volume.
	Optimized bool `json:"optimized"`
}

// Device is a volume as one host sees it.
type Device struct {
	// Name is the canonical name, naa.600a0980... or uuid....
	Name string `json:"name"`
	// Protocol is scsi or nvme.
	Protocol string `json:"protocol"`
	// Lun, or the number of a namespace.
	Lun           int32 `json:"lun"`
	CapacityBytes Bytes `json:"capacityBytes"`
	// BlockBytes is the size of a block; hosts use 512 only.
	BlockBytes int32 `json:"blockBytes"`
	// SubsystemNqn of a namespace.
	SubsystemNqn string `json:"subsystemNqn"`
	Vendor       string `json:"vendor"`
	Model        string `json:"model"`
	Revision     string `json:"revision"`
	Serial       string `json:"serial"`
	Array        string `json:"array"`
	VolumeID     string `json:"volumeId"`
	// ContentDir holds the content of the volume: one sparse file per virtual disk.
	ContentDir string `json:"contentDir"`
	Vmfs       *Vmfs  `json:"vmfs,omitempty"`
	Paths      []Path `json:"paths"`
}

// GuestDisk is a virtual disk that a guest finds as a block device.
type GuestDisk struct {
	Label string `json:"label"`
	// Unit on the SCSI adapter: 1 is /dev/sdb, 2 /dev/sdc in the guest; 0 (the boot disk) is not sent, 7 is the adapter.
	Unit      int    `json:"unit"`
	SizeBytes Bytes  `json:"sizeBytes"`
	File      string `json:"file"`
}

// PowerOn says what guest to start.
type PowerOn struct {
	UUID     string `json:"uuid"`
	Hostname string `json:"hostname"`
	// Address from the customization of the machine; the daemon chooses one where it is empty.
	Address   string      `json:"address,omitempty"`
	MemoryMiB int64       `json:"memoryMiB"`
	Cpus      int32       `json:"cpus"`
	Template  string      `json:"template"`
	Host      string      `json:"host"`
	Disks     []GuestDisk `json:"disks"`
}

// PoweredOn says where a started guest is.
type PoweredOn struct {
	Address string `json:"address"`
}

// Names of what a vCenter starts with.
type Names struct {
	Datacenter string `json:"datacenter"`
	// Datastore of the site, for boot disks.
	Datastore string   `json:"datastore"`
	Network   string   `json:"network"`
	Templates []string `json:"templates"`
	// Release of vSphere, 7.0; empty for the newest.
	Release string `json:"release"`
}

// ParseWwn reads 50:0a:09:80:... (colons optional) into the signed 64-bit form of the vSphere API.
func ParseWwn(text string) (int64, error) {
	hex := strings.ReplaceAll(text, ":", "")
	n, err := strconv.ParseUint(hex, 16, 64)
	if err != nil || len(hex) != 16 {
		return 0, fmt.Errorf("%q is no world wide name: 16 hex digits are expected", text)
	}
	return int64(n), nil
}

// FormatWwn writes the 16 hex digits of a world wide name without colons.
func FormatWwn(wwn int64) string { return fmt.Sprintf("%016x", uint64(wwn)) }

// Nvme is what the NVMe adapters of a host can reach.
type Nvme struct {
	// Ports serve discovery.
	Ports []NvmePort `json:"ports"`
	// Controllers belong to subsystems that know the host.
	Controllers []Controller `json:"controllers"`
}

// NvmePort is a port of an array that serves NVMe, as an adapter reaches it.
type NvmePort struct {
	Adapter    string `json:"adapter"`
	TargetWwpn string `json:"targetWwpn"`
	TargetWwnn string `json:"targetWwnn"`
}

// Controller that a host can connect to.
type Controller struct {
	NvmePort
	AdapterWwpn  string `json:"adapterWwpn"`
	SubsystemNqn string `json:"subsystemNqn"`
	Serial       string `json:"serial"`
	Model        string `json:"model"`
	Firmware     string `json:"firmware"`
}

// Connection of a host to a controller.
type Connection struct {
	AdapterWwpn  string `json:"adapterWwpn"`
	TargetWwpn   string `json:"targetWwpn"`
	SubsystemNqn string `json:"subsystemNqn"`
}
