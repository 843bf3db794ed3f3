package dev.dormouse.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** An HTTP server that returns prepared responses and records the requests it receives. */
public final class FakeServer implements AutoCloseable {
    private record Canned(int status, String body) {}

    /** A received request. */
    public record Request(String line, String body, Map<String, List<String>> headers) {}

    private final HttpServer server;
    private final Map<String, Canned> answers = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    public FakeServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    /**
     * Prepares a response.
     *
     * @param request such as {@code GET /workflows}; without query parameters it matches any
     */
    public FakeServer on(String request, int status, String body) {
        answers.put(request.replaceFirst(" ", " /api/v1"), new Canned(status, body));
        return this;
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the requests received so far, in order. */
    public List<Request> requests() {
        return List.copyOf(requests);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        requests.add(new Request(request, body, Map.copyOf(exchange.getRequestHeaders())));
        Canned nothing = new Canned(404, "<html>unknown</html>");
        Canned canned = answers.getOrDefault(request, answers.getOrDefault(request.replaceFirst("\\?.*", ""), nothing));
        byte[] bytes = canned.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(canned.status(), bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
