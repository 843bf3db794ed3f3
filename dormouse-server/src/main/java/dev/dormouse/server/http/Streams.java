package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Places;
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
 * Live changes, as server-sent events, for a bounded number of listeners. One {@link Poller} looks for all of them; each
 * listener has a thread of its own that writes, and a queue before it. Who does not keep up is dropped, and connects again.
 */
final class Streams implements AutoCloseable {
    private static final int MOST_WORKFLOWS = 20;

    private final Poller poller;
    private final int most;
    private final ExecutorService writers = Executors.newCachedThreadPool(Streams::daemon);
    private final Places places;
    private final Set<Listener> listeners = new HashSet<>();
    private boolean isClosed;

    /** @param mostOfOne the number of streams that one caller may have at a time */
    Streams(Poller poller, int most, int mostOfOne) {
        this.poller = poller;
        this.most = most;
        this.places = new Places(most, mostOfOne);
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
            throw Refused.with(
                    400,
                    ErrorCode.BAD_REQUEST,
                    "Expected at most " + MOST_WORKFLOWS + " parameters 'workflow' and no others, but there are.");
        }
        Listener listener = new Listener(Set.copyOf(workflows), stays);
        Places.Place place = add(listener, caller);
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

    private void serve(Listener listener, Places.Place place, HttpServletResponse response)
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

    private synchronized Places.Place add(Listener listener, Caller caller) {
        Optional<Places.Place> place = isClosed ? Optional.empty() : places.take(caller.name());
        place.ifPresent(taken -> listeners.add(listener));
        return place.orElseThrow(this::full);
    }

    private Refused full() {
        return Refused.with(
                        429,
                        ErrorCode.TOO_MANY_REQUESTS,
                        "Expected at most " + most + " listeners, and at most " + places.mostOfOne()
                                + " of one caller, but there are as many already. Close one, or raise maxStreams.")
                .header("Retry-After", "10");
    }

    private synchronized void remove(Listener listener) {
        listeners.remove(listener);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        listeners.forEach(Listener::drop);
        poller.close();
        writers.shutdown();
    }
}
