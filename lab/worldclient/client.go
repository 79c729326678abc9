// Package worldclient speaks to the control port of the lab's daemon (docs/lab-protocol.md): what hosts see of the
// emulated SAN, and the guests behind virtual machines.
package worldclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// ErrNoGuests is the daemon's answer where the lab runs no guests (level D). Guest state is emulated then.
var ErrNoGuests = errors.New("this lab runs no guests")

// StatusError is any other refusal of the daemon.
type StatusError struct {
	Method, Path string
	Status       int
	// Message is the daemon's own sentence.
	Message string
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("the lab's daemon refused %s %s with status %d: %s", e.Method, e.Path, e.Status, e.Message)
}

// Client of one daemon. Safe for concurrent use.
type Client struct {
	base  string
	token string
	http  *http.Client
}

// New client for the control port at base (http://127.0.0.1:port) with the lab's bearer token.
func New(base, token string) *Client {
	return &Client{base: strings.TrimRight(base, "/"), token: token, http: &http.Client{Transport: &http.Transport{
		MaxIdleConnsPerHost: 16, IdleConnTimeout: time.Minute, Proxy: nil,
	}}}
}

// Names of what the vCenter starts with.
func (c *Client) Names(ctx context.Context) (Names, error) {
	var names Names
	return names, c.call(ctx, http.MethodGet, "/world/vcenter", nil, &names)
}

// Hosts of the world, with their adapters, in the daemon's order.
func (c *Client) Hosts(ctx context.Context) ([]Host, error) {
	var hosts []Host
	return hosts, c.call(ctx, http.MethodGet, "/world/hosts", nil, &hosts)
}

// Devices that a host sees now.
func (c *Client) Devices(ctx context.Context, host string) ([]Device, error) {
	var devices []Device
	return devices, c.call(ctx, http.MethodGet, "/world/hosts/"+url.PathEscape(host)+"/devices", nil, &devices)
}

// Nvme answers what the NVMe adapters of a host reach now.
func (c *Client) Nvme(ctx context.Context, host string) (Nvme, error) {
	var nvme Nvme
	return nvme, c.call(ctx, http.MethodGet, "/world/hosts/"+url.PathEscape(host)+"/nvme", nil, &nvme)
}

// Connect reports the controllers that a host is connected to.
func (c *Client) Connect(ctx context.Context, host string, to []Connection) error {
	return c.call(ctx, http.MethodPut, "/world/hosts/"+url.PathEscape(host)+"/controllers", to, nil)
}

// Revision waits until the world's revision is above since, at most for the given time, and answers the current one.
func (c *Client) Revision(ctx context.Context, since int64, wait time.Duration) (int64, error) {
	var answer struct {
		Revision int64 `json:"revision"`
	}
	path := fmt.Sprintf("/world/revision?since=%d&timeoutMs=%d", since, wait.Milliseconds())
	return answer.Revision, c.call(ctx, http.MethodGet, path, nil, &answer)
}

// SetVmfs writes a VMFS signature onto a volume.
func (c *Client) SetVmfs(ctx context.Context, volumeID string, signature Vmfs) error {
	return c.call(ctx, http.MethodPut, "/world/volumes/"+url.PathEscape(volumeID)+"/vmfs", signature, nil)
}

// ClearVmfs removes the VMFS signature of a volume.
func (c *Client) ClearVmfs(ctx context.Context, volumeID string) error {
	return c.call(ctx, http.MethodDelete, "/world/volumes/"+url.PathEscape(volumeID)+"/vmfs", nil, nil)
}

// PowerOn starts a guest and returns when, and where, it can be reached. ErrNoGuests where the lab has none.
func (c *Client) PowerOn(ctx context.Context, vm string, guest PowerOn) (PoweredOn, error) {
	var answer PoweredOn
	err := c.guestCall(ctx, http.MethodPost, guestPath(vm)+"/power-on", guest, &answer)
	return answer, err
}

// PowerOff stops a guest; hard is pulling the plug. It returns when its block devices are free.
func (c *Client) PowerOff(ctx context.Context, vm string, hard bool) error {
	return c.guestCall(ctx, http.MethodPost, guestPath(vm)+"/power-off", map[string]bool{"hard": hard}, nil)
}

// DeleteGuest removes the files of a guest. A guest that the daemon never had is no error.
func (c *Client) DeleteGuest(ctx context.Context, vm string) error {
	err := c.guestCall(ctx, http.MethodDelete, guestPath(vm), nil, nil)
	var refused *StatusError
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		return nil
	}
	return err
}

func guestPath(vm string) string { return "/guests/" + url.PathEscape(vm) }

func (c *Client) guestCall(ctx context.Context, method, path string, in, out any) error {
	err := c.call(ctx, method, path, in, out)
	var refused *StatusError
	if errors.As(err, &refused) && refused.Status == http.StatusNotImplemented {
		return ErrNoGuests
	}
	return err
}

func (c *Client) call(ctx context.Context, method, path string, in, out any) error {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("cannot write the request %s %s: %w", method, path, err)
		}
		body = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+c.token)
	if in != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := c.http.Do(request)
	if err != nil {
		return fmt.Errorf("the lab's daemon does not answer %s %s: %w", method, path, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 64<<20))
	if err != nil {
		return fmt.Errorf("the answer of the lab's daemon to %s %s broke off: %w", method, path, err)
	}
	if response.StatusCode >= 400 {
		return refusal(method, path, response.StatusCode, text)
	}
	if out == nil || len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	if err := json.Unmarshal(text, out); err != nil {
		return fmt.Errorf("the lab's daemon answered %s %s with something else: %w", method, path, err)
	}
	return nil
}

func refusal(method, path string, status int, text []byte) error {
	var body struct {
		Error string `json:"error"`
	}
	if json.Unmarshal(text, &body) != nil || body.Error == "" {
		body.Error = strings.TrimSpace(string(text))
	}
	return &StatusError{Method: method, Path: path, Status: status, Message: body.Error}
}
