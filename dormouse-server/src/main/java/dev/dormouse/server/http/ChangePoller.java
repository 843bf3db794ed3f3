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

/** Looks each second what has changed, for all listeners at once, and only while there are some. Thread-safe. */
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
    private final Set<StreamClient> listeners = new HashSet<>();

    /** What was told last; belongs to the thread that ticks, as does their number. */
    private final Map<String, String> known = new HashMap<>();

    private @Nullable ScheduledFuture<?> ticking;
    private boolean isSomebodyNew;
    private long ticks;

    ChangePoller(LiveSnapshots snapshots) {
        this.snapshots = snapshots;
    }

    synchronized void add(StreamClient listener) {
        listeners.add(listener);
        isSomebodyNew = true;
        if (ticking == null) {
            try {
                ticking = clock.scheduleWithFixedDelay(this::tick, 0, 1, TimeUnit.SECONDS);
            } catch (RejectedExecutionException closed) {
                listener.drop();
            }
        }
    }

    synchronized void remove(StreamClient listener) {
        listeners.remove(listener);
        if (listeners.isEmpty() && ticking != null) {
            ticking.cancel(false);
            ticking = null;
        }
    }

    private void tick() {
        try {
            List<StreamClient> all = snapshot();
            tell(all, "pulse", snapshots.overview());
            if (ticks++ % NODES_EVERY == 0) {
                tell(all, "nodes", snapshots.nodes());
            }
            Set<String> workflows =
                    all.stream().flatMap(one -> one.workflows().stream()).collect(Collectors.toSet());
            for (String id : workflows) {
                tell(all.stream().filter(one -> one.workflows().contains(id)).toList(), "run " + id, snapshots.run(id));
            }
        } catch (RuntimeException noAnswer) {
            if (warning.isDue()) {
                LOG.warn("Live changes cannot be told: {}", noAnswer.toString());
            }
        }
    }

    /** Who is new gets everything, and to the others that is harmless. What is told in this round is told to all of these. */
    private synchronized List<StreamClient> snapshot() {
        if (isSomebodyNew) {
            known.clear();
            ticks = 0;
            isSomebodyNew = false;
        }
        return List.copyOf(listeners);
    }

    /** @param what the kind of event; the word before the blank is its name */
    private void tell(List<StreamClient> who, String what, LiveSnapshots.@Nullable Snapshot snapshot) {
        if (snapshot != null && isNew(what, snapshot)) {
            String event = what.startsWith("run ") ? "run" : what;
            who.forEach(listener -> listener.tell(event, snapshot.json()));
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
