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
 * Live changes, as server-sent events, for a bounded number of listeners. One {@link ChangePoller} looks for all of them; each
 * listener has a thread of its own that writes, and a queue before it. Who does not keep up is dropped, and connects again.
 */
final class LiveStreams implements AutoCloseable {
    private static final int MOST_WORKFLOWS = 20;

    private final ChangePoller poller;
    private final int most;
    private final ExecutorService writers = Executors.newCachedThreadPool(LiveStreams::daemon);
    private final ConcurrencyLimit places;
    private final Set<StreamClient> listeners = new HashSet<>();
    private boolean isClosed;

    /** @param mostOfOne the number of streams that one caller may have at a time */
    LiveStreams(ChangePoller poller, int most, int mostOfOne) {
        this.poller = poller;
        this.most = most;
        this.places = new ConcurrencyLimit(most, mostOfOne);
    }

    /** Whoever has closed the server does not wait for them to end. */
    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "dormouse-server-stream");
        thread.setDaemon(true);
        return thread;
    }

    /** @param stays whether the listener is still let in */
    void open(Context context, Caller caller, Map<String, List<String>> query, BooleanSupplier stays) {
        List<String> workflows = query.getOrDefault("workflow", List.of());
        if (workflows.size() > MOST_WORKFLOWS || !Set.of("workflow").containsAll(query.keySet())) {
            throw RequestRefused.with(
                    400,
                    ErrorCode.BAD_REQUEST,
                    "Expected at most " + MOST_WORKFLOWS + " parameters 'workflow' and no others, but there are.");
        }
        StreamClient listener = new StreamClient(Set.copyOf(workflows), stays);
        ConcurrencyLimit.Permit place = add(listener, caller);
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
                () -> serve(listener, place, response));
    }

    private void serve(StreamClient listener, ConcurrencyLimit.Permit place, HttpServletResponse response)
            throws InterruptedException {
        try (place) {
            response.flushBuffer();
            poller.add(listener);
            listener.writeTo(response.getOutputStream());
        } catch (IOException gone) {
            // the listener has left
        } finally {
            poller.remove(listener);
            remove(listener);
        }
    }

    private synchronized ConcurrencyLimit.Permit add(StreamClient listener, Caller caller) {
        Optional<ConcurrencyLimit.Permit> place = isClosed ? Optional.empty() : places.take(caller.name());
        place.ifPresent(taken -> listeners.add(listener));
        return place.orElseThrow(this::full);
    }

    private RequestRefused full() {
        return RequestRefused.with(
                        429,
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Expected at most " + most + " listeners, and at most " + places.mostOfOne()
                                + " of one caller, but there are as many already. Close one, or raise maxStreams.")
                .header("Retry-After", "10");
    }

    private synchronized void remove(StreamClient listener) {
        listeners.remove(listener);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        listeners.forEach(StreamClient::drop);
        poller.close();
        writers.shutdown();
    }
}
