package dev.dormouse.server.http;

import dev.dormouse.error.ErrorCode;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    private final Set<Listener> listeners = new HashSet<>();
    private boolean isClosed;

    Streams(Poller poller, int most) {
        this.poller = poller;
        this.most = most;
    }

    /** Whoever has closed the server does not wait for them to end. */
    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "dormouse-server-stream");
        thread.setDaemon(true);
        return thread;
    }

    /** @param stays whether the listener is still let in */
    void open(Context context, Map<String, List<String>> query, BooleanSupplier stays) {
        List<String> workflows = query.getOrDefault("workflow", List.of());
        if (workflows.size() > MOST_WORKFLOWS || !Set.of("workflow").containsAll(query.keySet())) {
            throw Refused.with(
                    400,
                    ErrorCode.BAD_REQUEST,
                    "Expected at most " + MOST_WORKFLOWS + " parameters 'workflow' and no others, but there are.");
        }
        Listener listener = new Listener(Set.copyOf(workflows), stays);
        add(listener);
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
                () -> serve(listener, response));
    }

    private void serve(Listener listener, HttpServletResponse response) throws InterruptedException {
        try {
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

    private synchronized void add(Listener listener) {
        if (listeners.size() >= most || isClosed) {
            throw Refused.with(
                            429,
                            ErrorCode.TOO_MANY_REQUESTS,
                            "Expected at most " + most
                                    + " listeners, but there are so many already. Close one, or raise " + "maxStreams.")
                    .header("Retry-After", "10");
        }
        listeners.add(listener);
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
