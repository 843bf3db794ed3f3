package dev.dormouse.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A client that receives live changes.
 *
 * <p>Thread-safe: one thread puts messages into the bounded queue, another writes them. If the queue is full, the
 * client is dropped; it reconnects and gets the full state.
 */
final class StreamClient {
    private static final int QUEUE = 100;
    private static final long HEARTBEAT_SECONDS = 15;
    private static final String HEARTBEAT = ":\n\n";
    private static final String END = "";

    private final Set<String> workflows;
    private final BooleanSupplier stays;
    private final BlockingQueue<String> queue = new ArrayBlockingQueue<>(QUEUE);
    private volatile boolean isDropped;

    /**
     * Creates a client.
     *
     * @param workflows the workflow ids that it watches
     * @param stays returns false when it must be disconnected
     */
    StreamClient(Set<String> workflows, BooleanSupplier stays) {
        this.workflows = workflows;
        this.stays = stays;
    }

    Set<String> workflows() {
        return workflows;
    }

    /**
     * Queues a message, or drops the client if the queue is full.
     *
     * @param json on one line
     */
    void send(String event, String json) {
        if (!queue.offer("event: " + event + "\ndata: " + json + "\n\n")) {
            drop();
        }
    }

    /** Disconnects the client. A message that is being written is still written. */
    void drop() {
        isDropped = true;
        queue.clear();
        queue.offer(END);
    }

    /** Writes messages until the client is dropped or loses access. */
    void writeTo(OutputStream out) throws IOException, InterruptedException {
        out.write(HEARTBEAT.getBytes(StandardCharsets.UTF_8));
        out.flush();
        while (!isDropped) {
            String message = queue.poll(HEARTBEAT_SECONDS, TimeUnit.SECONDS);
            if (!stays.getAsBoolean()) {
                return;
            } else if (!isDropped) {
                out.write((message == null ? HEARTBEAT : message).getBytes(StandardCharsets.UTF_8));
                out.flush();
            }
        }
    }
}
