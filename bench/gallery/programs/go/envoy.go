package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/envoyproxy/ratelimit/src/service_cmd/runner"
	"github.com/envoyproxy/ratelimit/src/settings"
)

// Envoy's rate limit service counts in these, s.
var units = map[int]string{1: "second", 60: "minute", 3600: "hour"}

// envoyService runs the service of Envoy and asks it about each request, as a proxy before an API does.
func envoyService(kept rule) http.Handler {
	unit, found := units[int(kept.window.Seconds())]
	if !found {
		log.Fatalf("Envoy's rate limit service has no unit of %v", kept.window)
	}
	folder, err := os.MkdirTemp("", "envoy-ratelimit-")
	must(err)
	configuration := fmt.Sprintf("domain: gallery\ndescriptors:\n  - key: key\n    rate_limit: { unit: %s, requests_per_unit: %d }\n", unit, kept.limit)
	must(os.MkdirAll(filepath.Join(folder, "config"), 0o700))
	must(os.WriteFile(filepath.Join(folder, "config", "gallery.yaml"), []byte(configuration), 0o600))
	go removeAtTheEnd(folder)
	port := freePort()
	for name, value := range map[string]string{
		"HOST": "127.0.0.1", "PORT": port,
		"GRPC_HOST": "127.0.0.1", "GRPC_PORT": freePort(),
		"DEBUG_HOST": "127.0.0.1", "DEBUG_PORT": freePort(),
		"REDIS_SOCKET_TYPE": "tcp", "REDIS_URL": kept.redis,
		"RUNTIME_ROOT": folder, "RUNTIME_SUBDIRECTORY": ".", "RUNTIME_WATCH_ROOT": "false",
		"USE_STATSD": "false", "LOG_LEVEL": "error",
	} {
		must(os.Setenv(name, value))
	}
	service := runner.NewRunner(settings.NewSettings())
	go service.Run()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	return http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		descriptors := fmt.Sprintf(`{"domain":"gallery","descriptors":[{"entries":[{"key":"key","value":%q}]}]}`, keyOf(request))
		asked, err := client.Post("http://127.0.0.1:"+port+"/json", "application/json", strings.NewReader(descriptors))
		must(err)
		asked.Body.Close()
		respond(response, request, asked.StatusCode == http.StatusOK)
	})
}

// removeAtTheEnd removes a folder when the program is told to end.
func removeAtTheEnd(folder string) {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	<-ended
	must(os.RemoveAll(folder))
	os.Exit(0)
}

func freePort() string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}
