package worldclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"sanbed.dev/lab/worldclient"
	"sanbed.dev/lab/worldclient/fakedaemon"
)

func TestRevisionWaitsForAChange(t *testing.T) {
	daemon := fakedaemon.Start(t, 1, 1)
	client := daemon.Client()
	first, err := client.Revision(context.Background(), -1, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if same, err := client.Revision(context.Background(), first, 100*time.Millisecond); err != nil || same != first {
		t.Errorf("without a change: %d, %v", same, err)
	}
	if time.Since(start) < 100*time.Millisecond {
		t.Error("the answer came before the time-out")
	}
	go daemon.AddVolume(1, 1<<30)
	if next, err := client.Revision(context.Background(), first, 10*time.Second); err != nil || next <= first {
		t.Errorf("after a change: %d, %v", next, err)
	}
}

func TestRefusalsAreTold(t *testing.T) {
	daemon := fakedaemon.Start(t, 1, 1)
	_, err := worldclient.New(daemon.URL(), "wrong").Hosts(context.Background())
	var refused *worldclient.StatusError
	if !errors.As(err, &refused) || refused.Status != 401 || !strings.Contains(err.Error(), "wrong token") {
		t.Errorf("with a wrong token: %v", err)
	}
	client := daemon.Client()
	if err := client.DeleteGuest(context.Background(), "nobody"); err != nil {
		t.Errorf("a guest that is not there: %v", err)
	}
	daemon.SetLevel("D")
	if _, err := client.PowerOn(context.Background(), "vm", worldclient.PowerOn{}); !errors.Is(err, worldclient.ErrNoGuests) {
		t.Errorf("power-on at level D: %v", err)
	}
	if err := client.SetVmfs(context.Background(), "no-volume", worldclient.Vmfs{UUID: "u", Label: "l"}); err == nil {
		t.Error("a signature on a volume that is not there")
	}
}

func TestNumbersTravelAsText(t *testing.T) {
	text, err := json.Marshal(worldclient.GuestDisk{SizeBytes: 1 << 62})
	if err != nil || !strings.Contains(string(text), `"sizeBytes":"4611686018427387904"`) {
		t.Errorf("%s %v", text, err)
	}
	for _, wrong := range []string{`{"capacityBytes":1}`, `{"capacityBytes":"-1"}`, `{"capacityBytes":"1e3"}`} {
		var device worldclient.Device
		if json.Unmarshal([]byte(wrong), &device) == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
}

func TestWorldWideNames(t *testing.T) {
	// Above the largest signed number: the API shows it negative.
	n, err := worldclient.ParseWwn("c0:50:76:00:00:00:00:01")
	if err != nil || n >= 0 || worldclient.FormatWwn(n) != "c050760000000001" {
		t.Errorf("%d %v", n, err)
	}
	for _, wrong := range []string{"", "50:0a:09", "500a09828d530dzz", "0500a09828d530d00"} {
		if _, err := worldclient.ParseWwn(wrong); err == nil {
			t.Errorf("%q is accepted", wrong)
		}
	}
}
