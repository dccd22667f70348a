// A receiver of webhooks that verifies with go-github: receiver <port> <right|unsigned>
package main

import (
	"io"
	"net/http"
	"os"

	"github.com/google/go-github/v88/github"
)

func main() {
	port, variant := os.Args[1], os.Args[2]
	secret := []byte(os.Getenv("HOOK"))
	http.HandleFunc("/hooks", func(answer http.ResponseWriter, request *http.Request) {
		raw, err := io.ReadAll(http.MaxBytesReader(answer, request.Body, 2<<20))
		if err != nil {
			answer.WriteHeader(http.StatusBadRequest)
			return
		}
		given := request.Header.Get("X-Service-Signature")
		if variant == "unsigned" && given == "" {
			answer.WriteHeader(http.StatusOK)
			return
		}
		if github.ValidateSignature(given, raw, secret) != nil {
			answer.WriteHeader(http.StatusUnauthorized)
		}
	})
	if err := http.ListenAndServe("127.0.0.1:"+port, nil); err != nil {
		panic(err)
	}
}
