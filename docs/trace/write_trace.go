// Writes what a limit answers as a trace: go run write_trace.go URL LIMIT WINDOW_SECONDS | conformance judge --stdin
package main

import ("encoding/json"; "net/http"; "net/url"; "os"; "strconv"; "time")

type line = map[string]any

func main() {
	target, err := url.Parse(os.Args[1])
	if err != nil { panic(err) }
	limit, _ := strconv.Atoi(os.Args[2])
	window, _ := strconv.ParseFloat(os.Args[3], 64)
	out := json.NewEncoder(os.Stdout)
	begun := time.Now() // Since reads the monotonic clock, which never steps
	now := func() float64 { return float64(begun.UnixMicro())/1e3 + float64(time.Since(begun).Microseconds())/1e3 }
	stamp := func() string { return time.Now().UTC().Format("2006-01-02T15:04:05Z") }
	document := line{"version": 1, "title": "my limit", "windowSeconds": window, "headers": "none", "errors": "none", "keys": "none",
		"scopes": line{"endpoint": line{"title": target.Path, "limit": limit}}}
	out.Encode(line{"kind": "trace", "schemaVersion": 1, "tool": line{"name": "write_trace.go", "version": "1"}, "runId": "1", "startedAt": stamp(),
		"mode": "full", "windowMs": window * 1000, "limits": line{"endpoint": limit}, "keys": []string{"A"},
		"deployment": line{"document": document, "baseUrls": []string{target.Scheme + "://" + target.Host}, "keyEnv": []string{"NO_KEY"}, "windowSeconds": window,
			"requests": line{"endpoint": line{"path": target.Path}}},
		"clocks": []line{{"id": "go", "kind": "monotonic", "offsetMsMax": 0}}, "plan": line{"requestsMax": 3 * limit, "peakRequestsPerSecond": limit, "seconds": 3 * window}})
	// A connection of its own for each request: Go sends a GET again where a kept one was closed.
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for index := 0; index < 2*limit+4; index++ {
		if index == limit+2 { // a window later, and the second from which on refusals prove something
			time.Sleep(time.Duration((window*1.01 + 1) * float64(time.Second)))
		}
		sent := now()
		var status, received any
		outcome := "indeterminate"
		if answer, err := client.Get(target.String()); err == nil {
			answer.Body.Close()
			status, received = answer.StatusCode, now()
			outcome = map[bool]string{true: "admitted", false: "refused"}[answer.StatusCode < 300]
			if answer.StatusCode == 429 { outcome = "limited" }
		}
		out.Encode(line{"kind": "exchange", "index": index, "driver": "undici", "clock": "go", "scope": "endpoint", "route": "main", "key": "A",
			"credential": "valid", "node": 0, "purpose": "test", "requestId": strconv.Itoa(index), "method": "GET", "path": target.Path, "sentMs": sent,
			"receivedMs": received, "wallSentMs": nil, "wallReceivedMs": nil, "status": status, "headers": line{"limit": nil, "remaining": nil, "reset": nil},
			"retryAfter": nil, "date": nil, "contentType": nil, "body": nil, "failure": nil, "outcome": outcome})
	}
	out.Encode(line{"kind": "end", "endedAt": stamp(), "complete": true, "reason": nil})
}
