//go:build tools

// Package host names the Node language host. Its own module cannot be had from a module proxy;
// sdk/v3 v3.68.0 is the last version that still contains it.
package host

import _ "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs"
