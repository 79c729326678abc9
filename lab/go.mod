module sanbed.dev/lab

go 1.26.6

require (
	github.com/google/uuid v1.6.0
	github.com/hanwen/go-fuse/v2 v2.12.1
	github.com/vmware/govmomi v0.56.0
)

require (
	golang.org/x/sys v0.28.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	gopkg.in/yaml.v3 v3.0.1 // indirect
)
