package main

import (
	"github.com/gofiber/fiber/v3"
	"github.com/gofiber/fiber/v3/middleware/limiter"
)

// serveFiber serves on its own: fiber is built on another HTTP server than net/http.
func serveFiber(kept rule, isSliding bool, address string) error {
	app := fiber.New()
	var algorithm limiter.Handler = limiter.FixedWindow{}
	if isSliding {
		algorithm = limiter.SlidingWindow{}
	}
	app.Use(limiter.New(limiter.Config{
		Max:               kept.limit,
		Expiration:        kept.window,
		KeyGenerator:      func(context fiber.Ctx) string { return context.Get("Authorization") },
		LimiterMiddleware: algorithm,
	}))
	app.Get(path, func(context fiber.Ctx) error {
		return context.JSON(map[string]any{"success": true, "data": map[string]any{}})
	})
	return app.Listen(address, fiber.ListenConfig{DisableStartupMessage: true})
}
