package dev.dormouse.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Somebody who listens to live changes. Messages are put into its queue by one thread and written by another. */
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
     * @param workflows the ids that it wants to hear of
     * @param stays whether it is still let in
     */
    StreamClient(Set<String> workflows, BooleanSupplier stays) {
        this.workflows = workflows;
        this.stays = stays;
    }

    Set<String> workflows() {
        return workflows;
    }

    /** @param json on one line */
    void tell(String event, String json) {
        if (!queue.offer("event: " + event + "\ndata: " + json + "\n\n")) {
            drop();
        }
    }

    /** What is under way is still written. */
    void drop() {
        isDropped = true;
        queue.clear();
        queue.offer(END);
    }

    /** Returns when it was dropped, or is not let in any more. */
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
