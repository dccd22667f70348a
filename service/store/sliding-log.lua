-- The sliding log of limiters/sliding-log.ts, in Redis and by Redis's own clock: one decision for each of the keys, in
-- their order, all of them at the same moment. A key may come several times.
-- KEYS     lists: the moments at which the admitted requests leave the window, oldest first
-- ARGV     for each key, the limit, the length of its window, and how many places the request takes
-- Returns, for each key, whether the request is admitted (1 or 0), how many places are left, when the oldest leaves, when
-- another such request would be admitted, and the moment of the decision. All times are whole microseconds, since the Unix
-- epoch where they are moments.
-- Commands get texts: Redis writes a number as one, which takes longer than most of them.
local call, format, floor = redis.call, string.format, math.floor
local million = 1000000
local time = redis.call('TIME')
local clock = time[1] * million + time[2]
local answers = {}

for at, key in ipairs(KEYS) do
  local limit, window, cost = tonumber(ARGV[3 * at - 2]), tonumber(ARGV[3 * at - 1]), tonumber(ARGV[3 * at])
  local now = clock
  -- The clock is the wall's. Where it has been set back, the log waits until it has caught up: moments never go back.
  local newest = tonumber(call('LINDEX', key, '-1'))
  if newest and newest - window > now then now = newest - window end

  -- Amortised, one request leaves for each that was admitted.
  local oldest = newest and tonumber(call('LINDEX', key, '0'))
  while oldest and oldest <= now do
    call('LPOP', key)
    oldest = tonumber(call('LINDEX', key, '0'))
  end

  local count = oldest and call('LLEN', key) or 0
  local admitted = count + cost <= limit
  if admitted then
    local leaves = now + window
    -- In two parts, since an integer of Lua has as few as 32 bits. As one floating-point number it takes five times as long.
    local moment = format('%d%06d', leaves / million, leaves % million)
    for _ = 1, cost do call('RPUSH', key, moment) end
    -- Until the second next boundary of its windows, so that it is said once in each of them. A log that is forgotten early
    -- would give places back early.
    local span = floor(leaves / window)
    if not oldest or span > floor(newest / window) then
      call('PEXPIREAT', key, format('%.0f', math.ceil((span + 1) * window / 1000)))
    end
    count = count + cost
    oldest = oldest or leaves
  end
  oldest = oldest or now
  local missing = cost - (limit - count)
  local enough = now
  if missing == 1 then enough = oldest end
  if missing > 1 then enough = tonumber(call('LINDEX', key, missing - 1) or oldest) end
  local last = 5 * at
  answers[last - 4], answers[last - 3], answers[last - 2] = admitted and 1 or 0, limit - count, oldest
  answers[last - 1], answers[last] = enough, now
end
return answers
