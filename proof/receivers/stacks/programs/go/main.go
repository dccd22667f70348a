// A receiver of webhooks on net/http of Go: receiver <port> <right|parsed|unsigned>
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"os"
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
		if variant == "parsed" {
			var event any
			if json.Unmarshal(raw, &event) == nil {
				raw, _ = json.Marshal(event)
			}
		}
		mac := hmac.New(sha256.New, secret)
		mac.Write(raw)
		if hmac.Equal([]byte(given), []byte("sha256="+hex.EncodeToString(mac.Sum(nil)))) {
			answer.WriteHeader(http.StatusOK)
		} else {
			answer.WriteHeader(http.StatusUnauthorized)
		}
	})
	if err := http.ListenAndServe("127.0.0.1:"+port, nil); err != nil {
		panic(err)
	}
}
