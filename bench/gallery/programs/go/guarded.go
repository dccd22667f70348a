package main

import (
	"context"
	"log"
	"net/http"
	"sync"
	"time"

	"github.com/RussellLuo/slidingwindow"
	"github.com/go-redis/redis_rate/v10"
	"github.com/juju/ratelimit"
	"github.com/redis/go-redis/v9"
	uber "go.uber.org/ratelimit"
)

// guarded answers 200 where the limiter of the key admits the request, else the barest 429.
// These limiters decide and leave keys and answers to their user.
func guarded(make func() (admits func() bool)) http.Handler {
	var known sync.Map
	var lock sync.Mutex
	return http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		lock.Lock()
		admits, found := known.Load(keyOf(request))
		if !found {
			admits = make()
			known.Store(keyOf(request), admits)
		}
		lock.Unlock()
		respond(response, request, admits.(func() bool)())
	})
}

func respond(response http.ResponseWriter, request *http.Request, isAdmitted bool) {
	if isAdmitted {
		answer(response, request)
	} else {
		response.WriteHeader(http.StatusTooManyRequests)
	}
}

// jujuLimiter refills a bucket by a sixth of the limit, six times a window.
func jujuLimiter(kept rule) http.Handler {
	return guarded(func() func() bool {
		bucket := ratelimit.NewBucketWithQuantum(kept.window/6, int64(kept.limit), int64(kept.limit/6))
		return func() bool { return bucket.TakeAvailable(1) == 1 }
	})
}

// uberLimiter holds each request back until its turn, and refuses none.
func uberLimiter(kept rule) http.Handler {
	return guarded(func() func() bool {
		limited := uber.New(kept.limit, uber.Per(kept.window), uber.WithoutSlack)
		return func() bool {
			limited.Take()
			return true
		}
	})
}

func slidingWindow(kept rule) http.Handler {
	return guarded(func() func() bool {
		limited, _ := slidingwindow.NewLimiter(kept.window, int64(kept.limit),
			func() (slidingwindow.Window, slidingwindow.StopFunc) { return slidingwindow.NewLocalWindow() })
		return func() bool { return limited.AllowN(time.Now(), 1) }
	})
}

func redisRate(kept rule) http.Handler {
	limited := redis_rate.NewLimiter(redis.NewClient(&redis.Options{Addr: kept.redis}))
	limit := redis_rate.Limit{Rate: kept.limit, Burst: kept.limit, Period: kept.window}
	return http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		result, err := limited.Allow(context.Background(), keyOf(request), limit)
		must(err)
		respond(response, request, result.Allowed > 0)
	})
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
