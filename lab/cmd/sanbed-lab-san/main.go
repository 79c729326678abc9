// Command sanbed-lab-san is the SAN process of the lab: the vCenter and, at level A, the block devices of guests. The
// lab's daemon starts it; it ends when its standard input closes.
package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"sanbed.dev/lab/vcenter"
	"sanbed.dev/lab/worldclient"
)

// tokenVariable carries the lab's token: arguments are visible to everyone on the machine.
const tokenVariable = "SANBED_LAB_TOKEN"

type settings struct {
	controlURL, listen, dir, cert, key, credentials string
	blocks, noGuests, noAutoMount, nvmeDetach       bool
}

func main() {
	s := readFlags()
	if err := run(s); err != nil {
		fmt.Fprintln(os.Stderr, "sanbed-lab-san:", err)
		os.Exit(1)
	}
}

func readFlags() settings {
	var s settings
	flag.StringVar(&s.controlURL, "control-url", "", "control port of the lab's daemon, http://127.0.0.1:port")
	flag.StringVar(&s.listen, "listen", "127.0.0.1:0", "loopback address of the vCenter")
	flag.StringVar(&s.dir, "dir", "", "lab folder")
	flag.StringVar(&s.cert, "cert", "", "TLS certificate, PEM")
	flag.StringVar(&s.key, "key", "", "private key of the certificate, PEM")
	flag.StringVar(&s.credentials, "credentials", "", `file with {"user": "...", "password": "..."} of the vCenter`)
	flag.BoolVar(&s.blocks, "blocks", false, "serve disks of guests as block device files (level A)")
	flag.BoolVar(&s.noGuests, "no-guests", false, "emulate the state of guests without asking the daemon")
	flag.BoolVar(&s.noAutoMount, "no-auto-mount", false, "do not mount a new datastore on the other hosts")
	flag.BoolVar(&s.nvmeDetach, "nvme-detach", false, "let hosts detach NVMe devices")
	flag.Parse()
	return s
}

func run(s settings) error {
	for name, value := range map[string]string{
		"control-url": s.controlURL, "dir": s.dir, "cert": s.cert, "key": s.key, "credentials": s.credentials,
	} {
		if value == "" {
			return fmt.Errorf("--%s is needed", name)
		}
	}
	token := os.Getenv(tokenVariable)
	if token == "" {
		return fmt.Errorf("the environment variable %s is not set", tokenVariable)
	}
	if err := prepare(s.dir); err != nil {
		return err
	}
	certificate, err := tls.LoadX509KeyPair(s.cert, s.key)
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	user, password, err := readCredentials(s.credentials)
	if err != nil {
		return err
	}
	out := &noting{}
	logger := log.New(out, "", log.LstdFlags|log.Lmicroseconds)
	log.SetOutput(out)
	client := worldclient.New(s.controlURL, token)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	names, err := client.Names(ctx)
	if err != nil {
		return err
	}
	preset := vcenter.DefaultPreset()
	preset.Datacenter, preset.SiteDatastore, preset.Network = names.Datacenter, names.Datastore, names.Network
	preset.Templates = names.Templates
	options := vcenter.Options{
		World: client, Dir: filepath.Join(s.dir, "vcenter"), Listen: s.listen, Certificate: certificate, User: user,
		Password: password, Token: token, Preset: preset, NoAutoMount: s.noAutoMount, NvmeDetach: s.nvmeDetach, Release: names.Release, Log: logger,
	}
	if !s.noGuests {
		options.Guests = client
	}
	disks, err := mountBlocks(s)
	if err != nil {
		return err
	}
	if disks != nil {
		options.Blocks = disks
	}
	v, err := vcenter.Start(ctx, options)
	if err != nil {
		return errors.Join(err, closeBlocks(disks))
	}
	out.note.Store(&noteFunc{v.NoteLog})
	if disks != nil {
		disks.register(v.Control())
	}
	ready, _ := json.Marshal(map[string]any{"ready": true, "url": v.URL().String(), "pid": os.Getpid()})
	fmt.Println(string(ready))
	waitForEnd()
	return errors.Join(v.Close(), closeBlocks(disks))
}

// prepare keeps temporary files in the lab folder, and a panic of any goroutine in its logs.
func prepare(dir string) error {
	for _, sub := range []string{"tmp", "logs", "vcenter"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			return err
		}
	}
	if err := os.Setenv("TMPDIR", filepath.Join(dir, "tmp")); err != nil {
		return err
	}
	crash, err := os.Create(filepath.Join(dir, "logs", "san-crash.txt"))
	if err != nil {
		return err
	}
	defer crash.Close()
	return debug.SetCrashOutput(crash, debug.CrashOptions{})
}

func readCredentials(file string) (user, password string, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", "", fmt.Errorf("credentials: %w", err)
	}
	var c struct{ User, Password string }
	if err := json.Unmarshal(text, &c); err != nil || c.User == "" || c.Password == "" {
		return "", "", fmt.Errorf(`credentials: %s must hold {"user": "...", "password": "..."}`, file)
	}
	return c.User, c.Password, nil
}

// waitForEnd returns when the parent closes standard input, or on a signal.
func waitForEnd() {
	end := make(chan struct{}, 1)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		end <- struct{}{}
	}()
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	select {
	case <-end:
	case <-signals:
	}
}

// noting writes log lines to standard error and shows them to the vCenter, which counts unimplemented calls.
type noting struct{ note atomic.Pointer[noteFunc] }

type noteFunc struct{ to func(string) }

func (n *noting) Write(line []byte) (int, error) {
	if f := n.note.Load(); f != nil {
		f.to(string(line))
	}
	return os.Stderr.Write(line)
}
