package blocks

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

const inNamespace = "SANBED_BLOCKS_TEST_NAMESPACE"

// The tests mount. They run again inside a mount namespace of their own, so that nothing stays mounted however they end.
func TestMain(m *testing.M) {
	if os.Geteuid() != 0 || os.Getenv(inNamespace) != "" {
		os.Exit(m.Run())
	}
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...)
	cmd.Env = append(os.Environ(), inNamespace+"=1")
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL}
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil:
		os.Exit(0)
	case errors.As(err, &exit):
		os.Exit(exit.ExitCode())
	case errors.Is(err, syscall.EPERM):
		// Root without CAP_SYS_ADMIN, as in a container: only the tests that need no mount.
		os.Exit(m.Run())
	default:
		fmt.Fprintln(os.Stderr, "cannot run the tests in a mount namespace:", err)
		os.Exit(1)
	}
}
