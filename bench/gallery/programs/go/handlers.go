package main

import (
	"net/http"
	"time"

	"github.com/didip/tollbooth/v7"
	"github.com/didip/tollbooth/v7/limiter"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"
	"github.com/labstack/echo/v4"
	echomiddleware "github.com/labstack/echo/v4/middleware"
	"github.com/sethvargo/go-limiter/httplimit"
	"github.com/sethvargo/go-limiter/memorystore"
	"github.com/throttled/throttled/v2"
	throttledstore "github.com/throttled/throttled/v2/store/memstore"
	ulule "github.com/ulule/limiter/v3"
	ululehttp "github.com/ulule/limiter/v3/drivers/middleware/stdlib"
	ululestore "github.com/ulule/limiter/v3/drivers/store/memory"
	"golang.org/x/time/rate"
)

// What an in-flight request does under a limit of concurrency.
const work = 300 * time.Millisecond

var handlers = map[string]func(rule) http.Handler{
	"chi-throttle":  chiThrottle,
	"echo":          echoLimiter,
	"envoy":         envoyService,
	"go-limiter":    goLimiter,
	"httprate":      chiHTTPRate,
	"juju":          jujuLimiter,
	"redis-rate":    redisRate,
	"throttled":     throttledLimiter,
	"tollbooth":     tollboothLimiter,
	"uber":          uberLimiter,
	"ulule":         ululeLimiter,
	"x-time-rate":   timeRate,
	"slidingwindow": slidingWindow,
}

func chiHTTPRate(kept rule) http.Handler {
	key := func(request *http.Request) (string, error) { return keyOf(request), nil }
	return httprate.Limit(kept.limit, kept.window, httprate.WithKeyFuncs(key))(answer)
}

// chiThrottle lets LIMIT requests in at once, for all keys together; each takes a while.
func chiThrottle(kept rule) http.Handler {
	slow := http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		time.Sleep(work)
		answer(response, request)
	})
	return middleware.ThrottleWithOpts(middleware.ThrottleOpts{Limit: kept.limit})(slow)
}

func echoLimiter(kept rule) http.Handler {
	server := echo.New()
	store := echomiddleware.NewRateLimiterMemoryStoreWithConfig(echomiddleware.RateLimiterMemoryStoreConfig{
		Rate: rate.Limit(kept.perSecond()), Burst: kept.limit, ExpiresIn: 10 * kept.window,
	})
	server.Use(echomiddleware.RateLimiterWithConfig(echomiddleware.RateLimiterConfig{
		Store:               store,
		IdentifierExtractor: func(context echo.Context) (string, error) { return keyOf(context.Request()), nil },
		ErrorHandler:        echomiddleware.DefaultRateLimiterConfig.ErrorHandler,
		DenyHandler:         echomiddleware.DefaultRateLimiterConfig.DenyHandler,
	}))
	server.GET(path, echo.WrapHandler(answer))
	return server
}

func goLimiter(kept rule) http.Handler {
	store, err := memorystore.New(&memorystore.Config{Tokens: uint64(kept.limit), Interval: kept.window})
	must(err)
	limited, err := httplimit.NewMiddleware(store, func(request *http.Request) (string, error) { return keyOf(request), nil })
	must(err)
	return limited.Handle(answer)
}

func throttledLimiter(kept rule) http.Handler {
	store, err := throttledstore.NewCtx(1_000)
	must(err)
	quota := throttled.RateQuota{
		MaxRate:  throttled.PerDuration(kept.limit, kept.window),
		MaxBurst: kept.limit - 1,
	}
	limited, err := throttled.NewGCRARateLimiterCtx(store, quota)
	must(err)
	by := throttled.HTTPRateLimiterCtx{
		RateLimiter: limited,
		VaryBy:      &throttled.VaryBy{Headers: []string{"Authorization"}},
	}
	return by.RateLimit(answer)
}

func tollboothLimiter(kept rule) http.Handler {
	limited := tollbooth.NewLimiter(kept.perSecond(), &limiter.ExpirableOptions{DefaultExpirationTTL: time.Hour})
	limited.SetBurst(kept.limit).SetHeader("Authorization", nil).SetIPLookups([]string{"RemoteAddr"})
	return tollbooth.LimitHandler(limited, answer)
}

func ululeLimiter(kept rule) http.Handler {
	limited := ulule.New(ululestore.NewStore(), ulule.Rate{Period: kept.window, Limit: int64(kept.limit)})
	return ululehttp.NewMiddleware(limited, ululehttp.WithKeyGetter(keyOf)).Handler(answer)
}

func timeRate(kept rule) http.Handler {
	return guarded(func() func() bool {
		limited := rate.NewLimiter(rate.Limit(kept.perSecond()), kept.limit)
		return limited.Allow
	})
}
