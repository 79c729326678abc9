//go:build tools

// Package engine names the one program that is built from this module: the Pulumi engine, where it
// is neither on PATH nor to be downloaded. The wrapper is needed because the engine's own go.mod has
// replace lines, which `go install` refuses.
package engine

import _ "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi"
