package gallery;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.handler.DoSHandler;
import org.eclipse.jetty.util.Callback;

/** Serves limiters that bring no server of their own, and Jetty's. */
final class JettyServer {
  static void serve(Handler handler, int port) throws Exception {
    var server = new Server(new InetSocketAddress("127.0.0.1", port));
    server.setHandler(handler);
    server.start();
  }

  /** Asks about each request, by its key. */
  static Handler guarded(Predicate<String> admits) {
    return new Handler.Abstract() {
      @Override
      public boolean handle(Request request, Response response, Callback callback) {
        var admitted = admits.test(keyOf(request));
        response.setStatus(admitted ? HttpStatus.OK_200 : HttpStatus.TOO_MANY_REQUESTS_429);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        Content.Sink.write(response, true, admitted ? Serve.BODY : "{}", callback);
        return true;
      }
    };
  }

  /** Jetty's own, which is full at one request more than it lets in at once. */
  static Handler leakingBucket(Serve.Rule rule) {
    var perSecond = (int) Math.round(rule.perSecond());
    var trackers = new DoSHandler.LeakingBucketTrackerFactory(perSecond, rule.limit() + 1, Duration.ofHours(1));
    var refuse = new DoSHandler.StatusRejectHandler(HttpStatus.TOO_MANY_REQUESTS_429);
    return new DoSHandler(guarded(key -> true), JettyServer::keyOf, trackers, refuse, 1_000);
  }

  private static String keyOf(Request request) {
    var key = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    return key == null ? "" : key;
  }

  private JettyServer() {}
}
