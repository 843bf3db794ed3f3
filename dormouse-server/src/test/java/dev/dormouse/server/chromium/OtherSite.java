package dev.dormouse.server.chromium;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A foreign site with one page, whose content the test provides. To the browser it is another origin. */
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

    /** Serves this page from now on. */
    public OtherSite shows(String html) {
        page = html;
        return this;
    }

    /** Serves a page that posts a form as soon as it is opened. */
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
