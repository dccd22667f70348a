package gallery;

import com.alibaba.csp.sentinel.SphO;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRule;
import com.alibaba.csp.sentinel.slots.block.flow.FlowRuleManager;
import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderBuildStage;
import io.github.bucket4j.BandwidthBuilder.BandwidthBuilderRefillStage;
import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.smallrye.faulttolerance.api.Guard;
import io.smallrye.faulttolerance.api.RateLimitException;
import io.smallrye.faulttolerance.api.RateLimitType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.redisson.Redisson;
import org.redisson.api.RScript;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;

/** Limiters that an application asks itself. */
final class Limiters {
  /** The limiter of this name, under a rule: whether a request of a key is admitted. */
  static Predicate<String> of(String name, Serve.Rule rule) {
    return switch (name) {
      case "bucket4j-greedy" -> bucket4j(rule, capacity -> capacity.refillGreedy(rule.limit(), rule.window()));
      case "bucket4j-intervally" -> bucket4j(rule, capacity -> capacity.refillIntervally(rule.limit(), rule.window()));
      case "bucket4j-aligned" ->
          bucket4j(rule, capacity -> capacity.refillIntervallyAligned(rule.limit(), rule.window(), nextWindow(rule.window())));
      case "failsafe-bursty" -> forEach(key -> dev.failsafe.RateLimiter.burstyBuilder(rule.limit(), rule.window()).build()::tryAcquirePermit);
      case "failsafe-smooth" -> forEach(key -> dev.failsafe.RateLimiter.smoothBuilder(rule.limit(), rule.window()).build()::tryAcquirePermit);
      case "guava" -> forEach(key -> RateLimiter.create(rule.perSecond())::tryAcquire);
      case "redisson" -> redisson(rule);
      case "resilience4j" -> resilience4j(rule);
      case "sentinel" -> sentinel(rule);
      case "smallrye-fixed" -> smallrye(rule, RateLimitType.FIXED);
      case "smallrye-rolling" -> smallrye(rule, RateLimitType.ROLLING);
      case "smallrye-smooth" -> smallrye(rule, RateLimitType.SMOOTH);
      case "spring-cloud-gateway" -> springCloudGateway(rule);
      default -> throw new IllegalArgumentException("no limiter is called " + name);
    };
  }

  /** A limiter of its own for each key, made when it is first asked for. */
  private static Predicate<String> forEach(Function<String, BooleanSupplier> make) {
    var limiters = new ConcurrentHashMap<String, BooleanSupplier>();
    return key -> limiters.computeIfAbsent(key, make).getAsBoolean();
  }

  private static Predicate<String> bucket4j(
      Serve.Rule rule, Function<BandwidthBuilderRefillStage, BandwidthBuilderBuildStage> refill) {
    return forEach(
        key -> {
          var limit = refill.apply(Bandwidth.builder().capacity(rule.limit())).build();
          Bucket bucket = Bucket.builder().addLimit(limit).build();
          return () -> bucket.tryConsume(1);
        });
  }

  private static Instant nextWindow(Duration window) {
    var lengthMs = window.toMillis();
    return Instant.ofEpochMilli((System.currentTimeMillis() / lengthMs + 1) * lengthMs);
  }

  private static Predicate<String> resilience4j(Serve.Rule rule) {
    var config =
        RateLimiterConfig.custom()
            .limitForPeriod(rule.limit())
            .limitRefreshPeriod(rule.window())
            .timeoutDuration(Duration.ZERO)
            .build();
    return forEach(key -> io.github.resilience4j.ratelimiter.RateLimiter.of(key, config)::acquirePermission);
  }

  private static Predicate<String> smallrye(Serve.Rule rule, RateLimitType type) {
    return forEach(
        key -> {
          var guard =
              Guard.create()
                  .withRateLimit()
                  .limit(rule.limit())
                  .window(rule.window().toSeconds(), ChronoUnit.SECONDS)
                  .type(type)
                  .done()
                  .build();
          return () -> {
            try {
              return guard.call(() -> true, Boolean.class);
            } catch (RateLimitException refused) {
              return false;
            } catch (Exception error) {
              throw new IllegalStateException(error);
            }
          };
        });
  }

  /** Its window is always a second; the rule's is not asked for. */
  private static Predicate<String> sentinel(Serve.Rule rule) {
    // Else it logs into the user's home.
    System.setProperty("csp.sentinel.log.dir", System.getProperty("java.io.tmpdir"));
    var rules = new ConcurrentHashMap<String, FlowRule>();
    return key -> {
      if (rules.putIfAbsent(key, new FlowRule(key).setCount(rule.limit())) == null) load(rules);
      if (!SphO.entry(key)) return false;
      SphO.exit();
      return true;
    };
  }

  private static synchronized void load(Map<String, FlowRule> rules) {
    FlowRuleManager.loadRules(new ArrayList<>(rules.values()));
  }

  private static Predicate<String> redisson(Serve.Rule rule) {
    var redis = redis(rule);
    return forEach(
        key -> {
          var limiter = redis.getRateLimiter(key);
          limiter.trySetRate(RateType.OVERALL, rule.limit(), rule.window());
          return limiter::tryAcquire;
        });
  }

  /** The script that its RedisRateLimiter sends, with the arguments that it gives: a rate of whole tokens a second. */
  private static Predicate<String> springCloudGateway(Serve.Rule rule) {
    var redis = redis(rule).getScript(StringCodec.INSTANCE);
    var script = resource("/META-INF/scripts/request_rate_limiter.lua");
    var rate = String.valueOf(Math.round(rule.perSecond()));
    var burst = String.valueOf(rule.limit());
    return key -> {
      var id = "request_rate_limiter.{" + key + "}.";
      List<Object> keys = List.of(id + "tokens", id + "timestamp");
      List<Object> answer = redis.eval(RScript.Mode.READ_WRITE, script, RScript.ReturnType.LIST, keys, rate, burst, "", "1");
      return answer.get(0).equals(1L);
    };
  }

  private static RedissonClient redis(Serve.Rule rule) {
    var config = new Config();
    config.useSingleServer().setAddress("redis://127.0.0.1:" + rule.redisPort()).setConnectionMinimumIdleSize(4);
    return Redisson.create(config);
  }

  private static String resource(String path) {
    try (var stream = Limiters.class.getResourceAsStream(path)) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private Limiters() {}
}
