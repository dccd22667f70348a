-- The sliding log of limiters/sliding-log.ts, in Redis and by Redis's own clock.
-- KEYS[1]  a list: the moments at which the admitted requests leave the window, oldest first
-- ARGV[1]  the limit
-- ARGV[2]  the length of the window
-- Returns whether the request is admitted (1 or 0), how many more would be, when the oldest leaves, and the moment of
-- the decision. All times are whole microseconds, since the Unix epoch where they are moments.
local key, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2])

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
-- The clock is the wall's. Where it has been set back, the log waits until it has caught up: moments never go back.
local newest = tonumber(redis.call('LINDEX', key, -1))
if newest then now = math.max(now, newest - window) end

-- Amortised, one request leaves for each that was admitted.
local oldest = tonumber(redis.call('LINDEX', key, 0))
while oldest and oldest <= now do
  redis.call('LPOP', key)
  oldest = tonumber(redis.call('LINDEX', key, 0))
end

local count = redis.call('LLEN', key)
local admitted = count < limit
if admitted then
  local leaves = now + window
  redis.call('RPUSH', key, string.format('%.0f', leaves))
  -- Rounded up: a log that is forgotten early would give places back early.
  redis.call('PEXPIREAT', key, string.format('%.0f', math.ceil(leaves / 1000)))
  count = count + 1
  oldest = oldest or leaves
end
return { admitted and 1 or 0, limit - count, oldest, now }
