// Serves one limiter on loopback: gallery NAME LIMIT SECONDS PORT [REDIS PORT].
// Each limits GET /v1/media for each Authorization header.
package main

import (
	"fmt"
	"log"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"time"
)

type rule struct {
	limit  int
	window time.Duration
	redis  string
}

// perSecond is the rule as a rate.
func (r rule) perSecond() float64 { return float64(r.limit) / r.window.Seconds() }

const path = "/v1/media"

func main() {
	if len(os.Args) < 5 {
		log.Fatal("usage: gallery NAME LIMIT SECONDS PORT [REDIS PORT]")
	}
	kept := rule{limit: number(os.Args[2]), window: time.Duration(number(os.Args[3])) * time.Second}
	if len(os.Args) > 5 {
		kept.redis = "127.0.0.1:" + os.Args[5]
	}
	address := "127.0.0.1:" + os.Args[4]
	if os.Args[1] == "fiber-fixed" || os.Args[1] == "fiber-sliding" {
		log.Fatal(serveFiber(kept, os.Args[1] == "fiber-sliding", address))
	}
	make, found := handlers[os.Args[1]]
	if !found {
		log.Fatalf("%q is none of %v", os.Args[1], slices.Sorted(maps.Keys(handlers)))
	}
	log.Fatal(http.ListenAndServe(address, make(kept)))
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func keyOf(request *http.Request) string { return request.Header.Get("Authorization") }

var answer = http.HandlerFunc(func(response http.ResponseWriter, _ *http.Request) {
	response.Header().Set("Content-Type", "application/json")
	fmt.Fprint(response, `{"success":true,"data":{}}`)
})
