package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/vmware/govmomi"

	"sanbed.dev/lab/worldclient/fakedaemon"
)

// runAsProgram lets the test binary be the program.
const runAsProgram = "SANBED_TEST_RUN_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(runAsProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func command(t *testing.T, daemon *fakedaemon.Daemon, token string) *exec.Cmd {
	t.Helper()
	dir := t.TempDir()
	cert, key := writeCertificate(t, dir)
	credentials := filepath.Join(dir, "vcenter.json")
	write(t, credentials, []byte(`{"user":"administrator@lab.local","password":"secret"}`))
	child := exec.Command(os.Args[0], "--control-url", daemon.URL(), "--dir", filepath.Join(dir, "lab"),
		"--cert", cert, "--key", key, "--credentials", credentials)
	child.Env = append(os.Environ(), runAsProgram+"=1", tokenVariable+"="+token)
	return child
}

func TestItServesUntilItsInputCloses(t *testing.T) {
	child := command(t, fakedaemon.Start(t, 1, 2), fakedaemon.Token)
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	var ready struct {
		Ready bool
		URL   string
	}
	line, _ := bufio.NewReader(output).ReadBytes('\n')
	if err := json.Unmarshal(line, &ready); err != nil || !ready.Ready {
		t.Fatalf("%q: %v", line, err)
	}
	u, err := url.Parse(ready.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword("administrator@lab.local", "secret")
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	client, err := govmomi.NewClient(ctx, u, true)
	if err != nil || !client.IsVC() {
		t.Fatalf("login: %v", err)
	}
	_ = input.Close()
	if err := child.Wait(); err != nil {
		t.Errorf("after its input has closed: %v", err)
	}
}

func TestItSaysWhyItDoesNotStart(t *testing.T) {
	output, err := command(t, fakedaemon.Start(t, 1, 1), "wrong").CombinedOutput()
	if err == nil || !strings.Contains(string(output), "wrong token") {
		t.Errorf("with a wrong token: %v, %s", err, output)
	}
}

func writeCertificate(t *testing.T, dir string) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write(t, cert, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(t, key, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8}))
	return cert, key
}

func write(t *testing.T, file string, text []byte) {
	t.Helper()
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
}
