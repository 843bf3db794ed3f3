package dev.dormouse.server.http;

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
final class Poller implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Poller.class);
    private static final int NODES_EVERY = 5;

    private final Glances glances;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "dormouse-server-poller");
        thread.setDaemon(true);
        return thread;
    });
    private final Set<Listener> listeners = new HashSet<>();

    /** What was told last; belongs to the thread that ticks, as do their number and whether the last tick failed. */
    private final Map<String, String> known = new HashMap<>();

    private @Nullable ScheduledFuture<?> ticking;
    private boolean isSomebodyNew;
    private long ticks;
    private boolean isSilent;

    Poller(Glances glances) {
        this.glances = glances;
    }

    synchronized void add(Listener listener) {
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

    synchronized void remove(Listener listener) {
        listeners.remove(listener);
        if (listeners.isEmpty() && ticking != null) {
            ticking.cancel(false);
            ticking = null;
        }
    }

    private void tick() {
        try {
            List<Listener> all = snapshot();
            tell(all, "pulse", glances.overview());
            if (ticks++ % NODES_EVERY == 0) {
                tell(all, "nodes", glances.nodes());
            }
            Set<String> workflows =
                    all.stream().flatMap(one -> one.workflows().stream()).collect(Collectors.toSet());
            for (String id : workflows) {
                tell(all.stream().filter(one -> one.workflows().contains(id)).toList(), "run " + id, glances.run(id));
            }
            isSilent = false;
        } catch (RuntimeException noAnswer) {
            if (!isSilent) {
                LOG.warn("Open pages are told of no changes until the store answers: {}", noAnswer.getMessage());
            }
            isSilent = true;
        }
    }

    /** Who is new gets everything, and to the others that is harmless. What is told in this round is told to all of these. */
    private synchronized List<Listener> snapshot() {
        if (isSomebodyNew) {
            known.clear();
            ticks = 0;
            isSomebodyNew = false;
        }
        return List.copyOf(listeners);
    }

    /** @param what the kind of event; the word before the blank is its name */
    private void tell(List<Listener> who, String what, @Nullable Glance glance) {
        if (glance != null && isNew(what, glance)) {
            String event = what.startsWith("run ") ? "run" : what;
            who.forEach(listener -> listener.tell(event, glance.json()));
        }
    }

    private boolean isNew(String what, Glance glance) {
        return !Objects.equals(known.put(what, glance.state()), glance.state());
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
