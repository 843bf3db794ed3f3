package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.request.ConcurrencyLimit;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/**
 * Live changes as server-sent events, for a bounded number of clients.
 *
 * <p>Thread-safe. One {@link ChangePoller} polls for all clients; each client has a thread that writes, with a bounded
 * queue before it. A client that does not keep up is dropped and reconnects by itself. Closing drops all clients and
 * does not wait for their threads, which are daemons.
 */
final class LiveStreams implements AutoCloseable {
    private static final int MAX_WORKFLOWS = 20;

    private final ChangePoller poller;
    private final int max;
    private final ExecutorService writers = Executors.newCachedThreadPool(LiveStreams::daemon);
    private final ConcurrencyLimit limit;
    private final Set<StreamClient> clients = new HashSet<>();
    private boolean isClosed;

    /**
     * Creates streams.
     *
     * @param max the number of streams
     * @param maxPerCaller the number of streams that one caller may have at a time
     */
    LiveStreams(ChangePoller poller, int max, int maxPerCaller) {
        this.poller = poller;
        this.max = max;
        this.limit = new ConcurrencyLimit(max, maxPerCaller);
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "dormouse-server-stream");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Opens a stream.
     *
     * @param stays returns false when the client must be disconnected
     * @throws RequestRefused 400 for other parameters, 429 if there are too many streams
     */
    void open(Context context, Caller caller, Map<String, List<String>> query, BooleanSupplier stays) {
        List<String> workflows = query.getOrDefault("workflow", List.of());
        if (workflows.size() > MAX_WORKFLOWS || !Set.of("workflow").containsAll(query.keySet())) {
            throw RequestRefused.with(
                    400,
                    ErrorCode.BAD_REQUEST,
                    "Expected at most " + MAX_WORKFLOWS + " parameters 'workflow' and no others, but there are.");
        }
        StreamClient client = new StreamClient(Set.copyOf(workflows), stays);
        ConcurrencyLimit.Permit permit = add(client, caller);
        HttpServletResponse response = context.res();
        response.setStatus(200);
        response.setContentType("text/event-stream");
        response.setCharacterEncoding("UTF-8");
        response.setHeader("X-Accel-Buffering", "no");
        context.async(
                config -> {
                    config.timeout = 0;
                    config.executor = writers;
                },
                () -> serve(client, permit, response));
    }

    private void serve(StreamClient client, ConcurrencyLimit.Permit permit, HttpServletResponse response)
            throws InterruptedException {
        try (permit) {
            response.flushBuffer();
            poller.add(client);
            client.writeTo(response.getOutputStream());
        } catch (IOException gone) {
            // the client has left
        } finally {
            poller.remove(client);
            remove(client);
        }
    }

    private synchronized ConcurrencyLimit.Permit add(StreamClient client, Caller caller) {
        Optional<ConcurrencyLimit.Permit> permit = isClosed ? Optional.empty() : limit.acquire(caller.name());
        permit.ifPresent(taken -> clients.add(client));
        return permit.orElseThrow(this::full);
    }

    private RequestRefused full() {
        return RequestRefused.with(
                        429,
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Expected at most " + max + " streams, and at most " + limit.maxPerCaller()
                                + " of one caller, but there are as many already. Close one, or raise maxStreams.")
                .header("Retry-After", "10");
    }

    private synchronized void remove(StreamClient client) {
        clients.remove(client);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        clients.forEach(StreamClient::drop);
        poller.close();
        writers.shutdown();
    }
}
