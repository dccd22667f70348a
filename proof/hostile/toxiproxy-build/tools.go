//go:build tools

// Package tools pins the Toxiproxy that stands between the suite and a service in `npm run hostile`. From this folder:
//
//	CGO_ENABLED=0 go build -mod=readonly -trimpath -o toxiproxy github.com/Shopify/toxiproxy/v2/cmd/server
package tools

import _ "github.com/Shopify/toxiproxy/v2/cmd/server"
