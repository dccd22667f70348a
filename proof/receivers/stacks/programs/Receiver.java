// A receiver of webhooks on the HttpServer of the JDK: java Receiver.java <port> <right|unsigned>
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Receiver {
  public static void main(String[] args) throws Exception {
    int port = Integer.parseInt(args[0]);
    String variant = args[1];
    byte[] secret = System.getenv("HOOK").getBytes(StandardCharsets.UTF_8);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/hooks", exchange -> {
      try (exchange) {
        byte[] raw = exchange.getRequestBody().readAllBytes();
        String given = exchange.getRequestHeaders().getFirst("X-Service-Signature");
        int status = variant.equals("unsigned") && given == null || isSigned(secret, raw, given) ? 200 : 401;
        exchange.sendResponseHeaders(status, -1);
      }
    });
    server.start();
  }

  private static boolean isSigned(byte[] secret, byte[] raw, String given) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      String right = "sha256=" + HexFormat.of().formatHex(mac.doFinal(raw));
      return given != null
          && MessageDigest.isEqual(right.getBytes(StandardCharsets.UTF_8), given.getBytes(StandardCharsets.UTF_8));
    } catch (java.security.GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }
}
