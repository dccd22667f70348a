//go:build tools

// Package tools pins the k6 that this project runs. go.sum holds its checksums. From this folder:
//
//	CGO_ENABLED=0 go build -mod=readonly -trimpath -o k6 go.k6.io/k6/v2
package tools

import _ "go.k6.io/k6/v2"
