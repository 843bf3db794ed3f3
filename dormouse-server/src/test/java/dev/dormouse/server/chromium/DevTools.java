package dev.dormouse.server.chromium;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The DevTools protocol: numbered calls with their responses, and events in between, as JSON over one socket. */
final class DevTools implements WebSocket.Listener {

    /** A call that the browser refused, for instance because the page has gone meanwhile. */
    @SuppressWarnings("serial")
    static final class Refused extends RuntimeException {
        Refused(String message) {
            super(message);
        }
    }

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int ANSWER_SECONDS = 30;

    private final Map<Integer, CompletableFuture<JsonNode>> open = new ConcurrentHashMap<>();
    private final List<Consumer<JsonNode>> listeners = new CopyOnWriteArrayList<>();
    private final StringBuilder received = new StringBuilder();
    private WebSocket socket;
    private int calls;

    private DevTools() {}

    static DevTools connect(URI address) {
        DevTools tools = new DevTools();
        tools.socket = HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(address, tools)
                .join();
        return tools;
    }

    void listen(Consumer<JsonNode> listener) {
        listeners.add(listener);
    }

    /** Calls a method, of a page if {@code session} is not empty, and waits for the response. */
    JsonNode call(String session, String method, Map<String, ?> parameters) {
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        synchronized (this) {
            int id = ++calls;
            open.put(id, answer);
            ObjectNode message = JSON.createObjectNode().put("id", id).put("method", method);
            message.set("params", JSON.valueToTree(parameters));
            if (!session.isEmpty()) {
                message.put("sessionId", session);
            }
            socket.sendText(message.toString(), true).join();
        }
        try {
            return answer.orTimeout(ANSWER_SECONDS, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof Refused refused) {
                throw refused;
            }
            throw new AssertionError("Expected an answer to " + method + ", but there was none.", e);
        }
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        received.append(data);
        if (last) {
            JsonNode message = JSON.readTree(received.toString());
            received.setLength(0);
            accept(message);
        }
        from.request(1);
        return null;
    }

    private void accept(JsonNode message) {
        if (!message.has("id")) {
            listeners.forEach(listener -> listener.accept(message));
            return;
        }
        CompletableFuture<JsonNode> answer = open.remove(message.get("id").asInt());
        if (message.has("error")) {
            answer.completeExceptionally(new Refused(message.get("error").toString()));
        } else {
            answer.complete(message.get("result"));
        }
    }

    void close() {
        socket.abort();
    }
}
