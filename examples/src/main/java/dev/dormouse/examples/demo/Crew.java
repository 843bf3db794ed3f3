package dev.dormouse.examples.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All processes of the demo: one worker on SQLite, two on PostgreSQL, and that PostgreSQL if the demo has started it. May be
 * closed by another thread, at any moment: then nobody is started any more.
 */
final class Crew implements AutoCloseable {
    private static final int FIRST_PORT = 7070;

    private final Settings settings;
    private final List<String> names;
    private final @Nullable DatabaseProcess database;
    private final Map<String, WorkerProcess> workers = new TreeMap<>();
    private final Map<String, Integer> ports = new HashMap<>();
    private final List<WorkerProcess> everybody = new ArrayList<>();
    private int turn;
    private boolean closed;

    Crew(Settings settings, @Nullable DatabaseProcess database) {
        this.settings = settings;
        this.database = database;
        this.names = settings.isSqlite() ? List.of("A") : List.of("A", "B");
    }

    /**
     * Starts a worker for each place that has none; but only one where there is nobody: that looks first at what has become
     * of things, before anybody changes them.
     */
    synchronized List<WorkerProcess> fill(
            BiConsumer<WorkerProcess, Wire.Message> listener, Consumer<WorkerProcess> atEnd) throws IOException {
        List<WorkerProcess> hired = new ArrayList<>();
        boolean isAlone = workers.isEmpty();
        for (String name : isAlone ? names.subList(0, 1) : names) {
            if (!workers.containsKey(name) && !closed) {
                int port = ports.getOrDefault(name, FIRST_PORT + names.indexOf(name));
                WorkerProcess worker = WorkerProcess.start(settings.named(name, port), isAlone, listener, atEnd);
                workers.put(name, worker);
                everybody.add(worker);
                hired.add(worker);
            }
        }
        return hired;
    }

    Settings settings() {
        return settings;
    }

    synchronized List<WorkerProcess> workers() {
        return List.copyOf(workers.values());
    }

    /** Whether it has not been let go, whatever became of its process. */
    synchronized boolean has(WorkerProcess worker) {
        return workers.get(worker.name()) == worker;
    }

    /** Who comes after it serves the dashboard at the same place, where pages that are open look for it. */
    synchronized void remove(WorkerProcess worker) {
        workers.remove(worker.name(), worker);
        worker.port().ifPresent(port -> ports.put(worker.name(), port));
    }

    /** Those that are ready take turns. */
    synchronized Optional<WorkerProcess> next() {
        List<WorkerProcess> ready = ready();
        return ready.isEmpty() ? Optional.empty() : Optional.of(ready.get(turn++ % ready.size()));
    }

    synchronized Optional<WorkerProcess> busiest() {
        return ready().stream()
                .max(Comparator.comparing(worker -> worker.report().executing().size()));
    }

    /** Whether everybody is there and ready. */
    synchronized boolean isComplete() {
        return ready().size() == names.size();
    }

    private List<WorkerProcess> ready() {
        return workers.values().stream().filter(WorkerProcess::isReady).toList();
    }

    /** All workers end in good order, side by side. */
    void stop() {
        List<WorkerProcess> leaving = workers();
        leaving.forEach(this::remove);
        leaving.parallelStream().forEach(WorkerProcess::stop);
    }

    synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public synchronized void close() {
        closed = true;
        everybody.stream().filter(WorkerProcess::isAlive).forEach(WorkerProcess::kill);
        if (database != null) {
            database.end();
        }
    }
}
