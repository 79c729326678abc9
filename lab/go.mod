module sanbed.dev/lab

go 1.26.6

require (
	github.com/hanwen/go-fuse/v2 v2.12.1
	github.com/vmware/govmomi v0.56.0
)

require golang.org/x/sys v0.28.0 // indirect
