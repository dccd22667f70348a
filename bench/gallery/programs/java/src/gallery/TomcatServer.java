package gallery;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.filters.RateLimitFilter;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** Serves Tomcat's filter, which counts by the address that a request came from. */
final class TomcatServer {
  private static final String PATH = "/v1/media";

  static void serve(Serve.Rule rule, String limiter, int port) throws Exception {
    var tomcat = new Tomcat();
    tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(port);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", null);
    addFilter(context, "key", new KeyAsAddress());
    var limits = new RateLimitFilter();
    limits.setBucketRequests(rule.limit());
    limits.setBucketDuration((int) rule.window().toSeconds());
    limits.setRateLimitClassName(limiter);
    limits.setExposeHeaders(true);
    addFilter(context, "limits", limits);
    Tomcat.addServlet(context, "answer", new Answer());
    context.addServletMappingDecoded(PATH, "answer");
    tomcat.start();
    tomcat.getServer().await();
  }

  private static void addFilter(Context context, String name, Filter filter) {
    var definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    context.addFilterDef(definition);
    var map = new FilterMap();
    map.setFilterName(name);
    map.addURLPattern(PATH);
    context.addFilterMap(map);
  }

  /** All requests come from one address here: the key takes its place. */
  private static final class KeyAsAddress extends HttpFilter {
    @Override
    protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      chain.doFilter(
          new HttpServletRequestWrapper(request) {
            @Override
            public String getRemoteAddr() {
              return String.valueOf(getHeader("Authorization"));
            }
          },
          response);
    }
  }

  private static final class Answer extends HttpServlet {
    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.setContentType("application/json");
      response.getWriter().write(Serve.BODY);
    }
  }

  private TomcatServer() {}
}
