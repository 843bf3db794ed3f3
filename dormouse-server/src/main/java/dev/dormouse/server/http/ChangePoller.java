package dev.dormouse.server.http;

import dev.dormouse.server.request.OncePerMinute;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A poller for changes, every second, once for all clients and only while there are clients.
 *
 * <p>Thread-safe. Clients may be added and removed at any time; {@code known} and {@code ticks} belong to the polling
 * thread. A client that is added during a poll gets the full state with the next one, which the other clients then get
 * again; that is harmless.
 */
final class ChangePoller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangePoller.class);
    private static final int NODES_EVERY = 5;

    private final LiveSnapshots snapshots;
    private final OncePerMinute warning = new OncePerMinute(System::nanoTime);
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "dormouse-server-poller");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<StreamClient> clients = new HashSet<>();

    /** The state that was sent last, by kind. Used by the polling thread only, as is {@code ticks}. */
    private final Map<String, String> known = new HashMap<>();

    private @Nullable ScheduledFuture<?> ticking;
    private boolean isClientNew;
    private long ticks;

    ChangePoller(LiveSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    synchronized void add(StreamClient client) {
        clients.add(client);
        isClientNew = true;
        if (ticking == null) {
            try {
                ticking = clock.scheduleWithFixedDelay(this::tick, 0, 1, TimeUnit.SECONDS);
            } catch (RejectedExecutionException closed) {
                client.drop();
            }
        }
    }

    synchronized void remove(StreamClient client) {
        clients.remove(client);
        if (clients.isEmpty() && ticking != null) {
            ticking.cancel(false);
            ticking = null;
        }
    }

    private void tick() {
        try {
            List<StreamClient> all = clients();
            send(all, "pulse", snapshots.overview());
            if (ticks++ % NODES_EVERY == 0) {
                send(all, "nodes", snapshots.nodes());
            }
            Set<String> workflows =
                    all.stream().flatMap(one -> one.workflows().stream()).collect(Collectors.toSet());
            for (String id : workflows) {
                send(all.stream().filter(one -> one.workflows().contains(id)).toList(), "run " + id, snapshots.run(id));
            }
        } catch (RuntimeException noAnswer) {
            if (warning.isDue()) {
                LOG.warn("Live changes cannot be sent: {}", noAnswer.toString());
            }
        }
    }

    /** Returns the clients of this poll. After a client was added, everything is sent again to all of them. */
    private synchronized List<StreamClient> clients() {
        if (isClientNew) {
            known.clear();
            ticks = 0;
            isClientNew = false;
        }
        return List.copyOf(clients);
    }

    /**
     * Sends a snapshot if it has changed.
     *
     * @param what the kind of event, {@code run} with a workflow id after a blank; {@code run} alone is the event's
     *     name
     */
    private void send(List<StreamClient> receivers, String what, LiveSnapshots.@Nullable Snapshot snapshot) {
        if (snapshot != null && isNew(what, snapshot)) {
            String event = what.startsWith("run ") ? "run" : what;
            receivers.forEach(client -> client.send(event, snapshot.json()));
        }
    }

    private boolean isNew(String what, LiveSnapshots.Snapshot snapshot) {
        return !Objects.equals(known.put(what, snapshot.state()), snapshot.state());
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
