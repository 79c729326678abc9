package blocks

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

const testDiskBytes = 8 << 20

func mounted(t *testing.T) *Server {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root: mounts a file system")
	}
	if os.Getenv(inNamespace) == "" {
		t.Skip("needs a mount namespace: unshare is not permitted here")
	}
	if _, err := os.Stat("/dev/fuse"); err != nil {
		t.Skip("needs /dev/fuse")
	}
	s, err := Mount(filepath.Join(t.TempDir(), "blocks"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func attach(t *testing.T, s *Server, name, volume string) Disk {
	t.Helper()
	d := Disk{Name: name, File: filepath.Join(t.TempDir(), volume, name), SizeBytes: testDiskBytes, VolumeID: volume, Host: "esx01"}
	if err := s.Attach(d); err != nil {
		t.Fatal(err)
	}
	return d
}

// open answers a plain descriptor. Cleaned up before the server is closed.
func open(t *testing.T, path string, flags int) int {
	t.Helper()
	fd, err := syscall.Open(path, flags|syscall.O_CLOEXEC, 0)
	if err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	return fd
}

func aligned(size int) []byte {
	buffer := make([]byte, size+4096)
	skip := 4096 - int(uintptr(unsafe.Pointer(&buffer[0]))%4096)
	return buffer[skip : skip+size]
}

// loop sets a loop device up as the guest supervisor does, and answers its path.
func loop(t *testing.T, file string) string {
	t.Helper()
	out, err := exec.Command("losetup", "--find", "--show", "--direct-io=on", file).Output()
	if err != nil {
		t.Skipf("needs loop devices: %v", err)
	}
	device := strings.TrimSpace(string(out))
	t.Cleanup(func() { exec.Command("losetup", "--detach", device).Run() })
	return device
}

func TestContentSurvivesDetachAndAttach(t *testing.T) {
	s := mounted(t)
	d := attach(t, s, "web01-disk1", "v1")
	fd, err := syscall.Open(s.Path(d.Name), syscall.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat([]byte("sanbed!\n"), 512)
	if _, err := syscall.Pwrite(fd, want, 12288); err != nil {
		t.Fatal(err)
	}
	if err := s.Detach(d.Name); !errors.Is(err, ErrBusy) {
		t.Errorf("detach of an open disk: %v, want ErrBusy", err)
	}
	syscall.Close(fd)
	waitUntilFree(t, s, d.Name)
	if err := s.Detach(d.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.Path(d.Name)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a detached disk is still there: %v", err)
	}
	if left := s.VolumeCounters(); len(left) != 1 || left[0].VolumeID != "v1" || left[0].WriteBytes != 4096 {
		t.Errorf("counters after the detach: %+v", left)
	}
	if err := s.Attach(d); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(want))
	if _, err := syscall.Pread(open(t, s.Path(d.Name), syscall.O_RDONLY), got, 12288); err != nil || !bytes.Equal(got, want) {
		t.Errorf("content changed over detach and attach (%v)", err)
	}
}

// waitUntilFree: the kernel sends RELEASE after close has returned.
func waitUntilFree(t *testing.T, s *Server, name string) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); s.InUse(name); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s is still in use 5 s after its last close", name)
		}
	}
}

func TestSizeIsFixed(t *testing.T) {
	s := mounted(t)
	d := attach(t, s, "a", "v1")
	fd := open(t, s.Path("a"), syscall.O_RDWR)
	if _, err := syscall.Pwrite(fd, make([]byte, 4096), testDiskBytes); err != syscall.ENOSPC {
		t.Errorf("write past the end: %v, want ENOSPC", err)
	}
	if err := syscall.Ftruncate(fd, testDiskBytes*2); err != syscall.EPERM {
		t.Errorf("truncate: %v, want EPERM", err)
	}
	d.SizeBytes *= 2
	if err := s.Attach(d); err == nil {
		t.Error("a second disk of the same name and another size was accepted")
	}
	for _, bad := range []Disk{
		{Name: "../up", File: d.File, SizeBytes: 512}, {Name: "odd", File: d.File, SizeBytes: 513}, {Name: "none", File: d.File},
		{Name: "shrunk", File: d.File, SizeBytes: 512},
	} {
		if err := s.Attach(bad); err == nil {
			t.Errorf("accepted %+v", bad)
		}
	}
}

func TestErrorRuleReachesTheReader(t *testing.T) {
	s := mounted(t)
	attach(t, s, "a", "v1")
	attach(t, s, "b", "v2")
	a, b := open(t, s.Path("a"), syscall.O_RDWR), open(t, s.Path("b"), syscall.O_RDWR)
	buffer := make([]byte, 4096)
	id, err := s.Put(Rule{VolumeID: "v1", Err: syscall.EIO})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := syscall.Pread(a, buffer, 0); err != syscall.EIO {
		t.Errorf("read of the failed volume: %v, want EIO", err)
	}
	if _, err := syscall.Pread(b, buffer, 0); err != nil {
		t.Errorf("read of another volume: %v", err)
	}
	s.Remove(id)
	if _, err := syscall.Pread(a, buffer, 0); err != nil {
		t.Errorf("read after the rule went: %v", err)
	}
	if _, err := s.Put(Rule{Op: OpWrite, Err: syscall.ENOSPC, Skip: 1, Times: 1}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []error{nil, syscall.ENOSPC, nil} {
		if _, err := syscall.Pwrite(a, buffer, 0); err != nil && err != want || err == nil && want != nil {
			t.Errorf("write %d: %v, want %v", i, err, want)
		}
	}
	if c := s.Counters()[0]; c.Errors != 2 || c.Reads != 1 || c.Writes != 2 || c.WriteBytes != 8192 {
		t.Errorf("counters of the failed disk: %+v", c)
	}
}

func TestDelayIsFeltAndNotPaddedMuch(t *testing.T) {
	s := mounted(t)
	attach(t, s, "a", "v1")
	fd := open(t, s.Path("a"), syscall.O_RDWR)
	const delay, reads = 3 * time.Millisecond, 100
	if _, err := s.Put(Rule{Host: "esx01", Delay: delay}); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 4096)
	for range reads {
		start := time.Now()
		if _, err := syscall.Pread(fd, buffer, 0); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start); took < delay-maxBias {
			t.Fatalf("a read took %s, the rule says %s", took, delay)
		}
	}
	c := s.Counters()[0]
	if mean := time.Duration(c.ReadMicros/reads) * time.Microsecond; mean < delay-delay/10 {
		t.Errorf("mean latency at the disk %s, the rule says %s", mean, delay)
	}
}

func TestStalledVolumeDoesNotStopAnother(t *testing.T) {
	s := mounted(t)
	attach(t, s, "a", "v1")
	attach(t, s, "b", "v2")
	a := open(t, loop(t, s.Path("a")), syscall.O_RDWR|syscall.O_DIRECT)
	b := open(t, loop(t, s.Path("b")), syscall.O_RDWR|syscall.O_DIRECT)
	if _, err := s.Put(Rule{ID: "apd", VolumeID: "v1", Stall: true}); err != nil {
		t.Fatal(err)
	}
	const waiting = 64
	done := make(chan error, waiting)
	for i := range waiting {
		go func() {
			_, err := syscall.Pread(a, aligned(4096), int64(i)*4096)
			done <- err
		}()
	}
	for end := time.Now().Add(10 * time.Second); s.Counters()[0].InFlight < 16; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("only %d requests of the loop device are in flight at once", s.Counters()[0].InFlight)
		}
	}
	if _, err := syscall.Pread(b, aligned(4096), 0); err != nil {
		t.Errorf("read of the other volume: %v", err)
	}
	select {
	case err := <-done:
		t.Errorf("a read of the stalled volume ended: %v", err)
	default:
	}
	s.Remove("apd")
	for range waiting {
		if err := <-done; err != nil {
			t.Errorf("a read failed after the stall: %v", err)
		}
	}
}

func TestTrimGivesSpaceBack(t *testing.T) {
	s := mounted(t)
	d := attach(t, s, "a", "v1")
	device := loop(t, s.Path("a"))
	fd := open(t, device, syscall.O_RDWR|syscall.O_DIRECT)
	block := aligned(1 << 20)
	for i := range block {
		block[i] = 0xa5
	}
	for off := int64(0); off < testDiskBytes; off += int64(len(block)) {
		if _, err := syscall.Pwrite(fd, block, off); err != nil {
			t.Fatal(err)
		}
	}
	before := allocated(t, d.File)
	if out, err := exec.Command("blkdiscard", device).CombinedOutput(); err != nil {
		t.Fatalf("blkdiscard: %v: %s", err, out)
	}
	if after := allocated(t, d.File); before < testDiskBytes || after >= before/2 {
		t.Errorf("%d bytes allocated before the discard, %d after it", before, after)
	}
	if c := s.Counters()[0]; c.Trims == 0 || c.TrimBytes != testDiskBytes {
		t.Errorf("counters after a discard of the whole disk: %+v", c)
	}
}

func allocated(t *testing.T, file string) int64 {
	t.Helper()
	var st syscall.Stat_t
	if err := syscall.Stat(file, &st); err != nil {
		t.Fatal(err)
	}
	return st.Blocks * 512
}

func TestCloseFailsWhatIsWaiting(t *testing.T) {
	s := mounted(t)
	attach(t, s, "a", "v1")
	fd, err := syscall.Open(s.Path("a"), syscall.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(Rule{Stall: true}); err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		_, err := syscall.Pread(fd, make([]byte, 4096), 0)
		done <- err
	}()
	for s.Counters()[0].InFlight == 0 {
		time.Sleep(time.Millisecond)
	}
	s.gate.close()
	if err := <-done; err != syscall.EIO {
		t.Errorf("a waiting read ended with %v, want EIO", err)
	}
	syscall.Close(fd)
	waitUntilFree(t, s, "a")
}

func TestRuleForOneHostSparesTheOthers(t *testing.T) {
	s := mounted(t)
	attach(t, s, "a", "v1")
	fd := open(t, s.Path("a"), syscall.O_RDWR)
	buffer := make([]byte, 4096)
	for _, step := range []struct {
		host string
		want error
	}{{"esx02", nil}, {"esx01", syscall.EIO}} {
		if _, err := s.Put(Rule{ID: "lost", VolumeID: "v1", Host: step.host, Err: syscall.EIO}); err != nil {
			t.Fatal(err)
		}
		if _, err := syscall.Pread(fd, buffer, 0); err != nil && err != step.want || err == nil && step.want != nil {
			t.Errorf("%s lost the volume, a guest of esx01 reads: %v, want %v", step.host, err, step.want)
		}
	}
}
