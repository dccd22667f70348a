package gallery;

import java.time.Duration;

/**
 * Serves one limiter on loopback: Serve NAME LIMIT SECONDS PORT REDIS-PORT. Each limits GET /v1/media for each Authorization
 * header.
 */
final class Serve {
  static final String BODY = "{\"success\":true,\"data\":{}}";

  /** What a limiter keeps, and the Redis that it may keep it in. */
  record Rule(int limit, Duration window, int redisPort) {
    double perSecond() {
      return limit * 1_000.0 / window.toMillis();
    }
  }

  public static void main(String[] args) throws Exception {
    if (args.length != 5) throw new IllegalArgumentException("usage: Serve NAME LIMIT SECONDS PORT REDIS-PORT");
    var rule = new Rule(Integer.parseInt(args[1]), Duration.ofSeconds(Long.parseLong(args[2])), Integer.parseInt(args[4]));
    var port = Integer.parseInt(args[3]);
    switch (args[0]) {
      case "tomcat" -> TomcatServer.serve(rule, "org.apache.catalina.util.FastRateLimiter", port);
      case "tomcat-exact" -> TomcatServer.serve(rule, "org.apache.catalina.util.ExactRateLimiter", port);
      case "jetty" -> JettyServer.serve(JettyServer.leakingBucket(rule), port);
      default -> JettyServer.serve(JettyServer.guarded(Limiters.of(args[0], rule)), port);
    }
  }

  private Serve() {}
}
