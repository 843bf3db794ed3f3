package dev.dormouse.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** A client of the API over HTTP. */
final class ApiClient {
    static final JsonMapper MAPPER = new JsonMapper();
    static final String[] OWN = {"X-Dormouse-Csrf", "1"};

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(10))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    private final String url;
    private final ResponseListener witness;

    /** Receives all responses of a client. */
    interface ResponseListener {
        void see(String method, String path, Response answer);
    }

    ApiClient(String url) {
        this(url, (method, path, answer) -> {});
    }

    ApiClient(String url, ResponseListener witness) {
        this.url = url;
        this.witness = witness;
    }

    /** A response. */
    record Response(int status, String body, HttpResponse<String> raw) {
        JsonNode json() {
            try {
                return MAPPER.readTree(body);
            } catch (JacksonException notJson) {
                return MissingNode.getInstance();
            }
        }

        JsonNode at(String pointer) {
            return json().at(pointer);
        }

        String text(String pointer) {
            return at(pointer).asString("");
        }

        Optional<String> header(String name) {
            return raw.headers().firstValue(name);
        }
    }

    Response get(String path, String... headers) {
        return send("GET", path, null, headers);
    }

    /** Posts JSON with the header that the dashboard's pages send. */
    Response post(String path, String json) {
        return send("POST", path, json, OWN);
    }

    Response send(String method, String path, String json, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(Duration.ofSeconds(30))
                .method(
                        method,
                        json == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(json));
        if (json != null) {
            request.header("Content-Type", "application/json");
        }
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        Response answer = send(request.build());
        witness.see(method, path, answer);
        return answer;
    }

    Response send(HttpRequest request) {
        try {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            return new Response(response.statusCode(), response.body(), response);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
