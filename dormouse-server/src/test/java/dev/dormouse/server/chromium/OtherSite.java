package dev.dormouse.server.chromium;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A site of somebody else, with one page: what it tries is the test's. Its name is another one to the browser. */
public final class OtherSite implements AutoCloseable {
    private final HttpServer server;
    private volatile String page = "";

    private OtherSite(HttpServer server) {
        this.server = server;
    }

    public static OtherSite start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        OtherSite site = new OtherSite(server);
        server.createContext("/", exchange -> {
            byte[] bytes = site.page.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", "text/html");
            exchange.sendResponseHeaders(200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return site;
    }

    /** Shows this page from now on. */
    public OtherSite shows(String html) {
        page = html;
        return this;
    }

    /** A page that posts a form, by itself, as soon as somebody looks at it. */
    public OtherSite postsForm(String url) {
        return shows(
                "<form method=post action='" + url + "' enctype='text/plain'><input name='{\"reason\":\"' value='\"}'>"
                        + "</form><script>document.forms[0].submit()</script>");
    }

    public String url() {
        return "http://other.example:" + server.getAddress().getPort() + "/";
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
