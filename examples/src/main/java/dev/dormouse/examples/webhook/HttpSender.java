package dev.dormouse.examples.webhook;

import dev.dormouse.Activity;
import dev.dormouse.error.ActivityFailedException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * A sender that decides by the status of the response: 2xx is a delivery, 429 asks for a pause, 4xx is final, the rest
 * is retried.
 */
public final class HttpSender implements Sender {
    private final Http http;

    /** Creates a sender that uses the network. */
    public HttpSender() {
        this(new NetworkHttp(HttpClient.newHttpClient()));
    }

    HttpSender(Http http) {
        this.http = http;
    }

    /** The part that a test replaces. */
    interface Http {
        Answer post(URI receiver, String key, String body) throws IOException, InterruptedException;
    }

    /** @param retryAfter the pause that the receiver asks for, in seconds; 0 if it does not */
    record Answer(int status, int retryAfter) {}

    @Override
    public void post(URI receiver, String event) {
        Answer answer;
        try {
            answer = http.post(receiver, Activity.idempotencyKey(), event);
        } catch (IOException | InterruptedException problem) {
            throw new IllegalStateException("No answer from " + receiver, problem);
        }
        if (answer.retryAfter() > 0) {
            throw ActivityFailedException.retryAfter(Duration.ofSeconds(answer.retryAfter()));
        } else if (answer.status() >= 400 && answer.status() < 500) {
            throw ActivityFailedException.nonRetryable("status " + answer.status());
        } else if (answer.status() >= 300) {
            throw new IllegalStateException("status " + answer.status());
        }
    }

    private record NetworkHttp(HttpClient client) implements Http {
        @Override
        public Answer post(URI receiver, String key, String body) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(receiver)
                    .header("Idempotency-Key", key)
                    .POST(BodyPublishers.ofString(body))
                    .build();
            var response = client.send(request, BodyHandlers.discarding());
            return new Answer(response.statusCode(), (int)
                    response.headers().firstValueAsLong("Retry-After").orElse(0));
        }
    }
}
