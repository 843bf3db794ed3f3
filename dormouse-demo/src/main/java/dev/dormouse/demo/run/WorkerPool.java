package dev.dormouse.demo.run;

import dev.dormouse.demo.worker.PipeProtocol;
import dev.dormouse.demo.worker.WorkerSettings;
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
 * All processes of the demo: one worker on SQLite, two on PostgreSQL, and the PostgreSQL server if the demo has started
 * it. Thread-safe: another thread may close it at any time; afterwards no process is started.
 */
public final class WorkerPool implements AutoCloseable {
    private static final int FIRST_PORT = 7070;

    private final WorkerSettings settings;
    private final List<String> names;
    private final @Nullable DatabaseProcess database;
    private final Map<String, WorkerProcess> workers = new TreeMap<>();
    private final Map<String, Integer> ports = new HashMap<>();
    private final List<WorkerProcess> allWorkers = new ArrayList<>();
    private int turn;
    private boolean closed;

    public WorkerPool(WorkerSettings settings, @Nullable DatabaseProcess database) {
        this.settings = settings;
        this.database = database;
        this.names = settings.isSqlite() ? List.of("A") : List.of("A", "B");
    }

    /**
     * Starts a worker for each free slot. If there is no worker at all, starts only one: it reads the state of the
     * store before any worker changes it.
     */
    synchronized List<WorkerProcess> fill(
            BiConsumer<WorkerProcess, PipeProtocol.Message> listener, Consumer<WorkerProcess> atEnd)
            throws IOException {
        List<WorkerProcess> started = new ArrayList<>();
        boolean isAlone = workers.isEmpty();
        for (String name : isAlone ? names.subList(0, 1) : names) {
            if (!workers.containsKey(name) && !closed) {
                int port = ports.getOrDefault(name, FIRST_PORT + names.indexOf(name));
                WorkerProcess worker = WorkerProcess.start(settings.named(name, port), isAlone, listener, atEnd);
                workers.put(name, worker);
                allWorkers.add(worker);
                started.add(worker);
            }
        }
        return started;
    }

    public WorkerSettings settings() {
        return settings;
    }

    public synchronized List<WorkerProcess> workers() {
        return List.copyOf(workers.values());
    }

    /** Returns true if this worker was not removed, even if its process has ended. */
    synchronized boolean has(WorkerProcess worker) {
        return workers.get(worker.name()) == worker;
    }

    /** Removes a worker. Its successor serves the dashboard on the same port, where open pages expect it. */
    synchronized void remove(WorkerProcess worker) {
        workers.remove(worker.name(), worker);
        worker.port().ifPresent(port -> ports.put(worker.name(), port));
    }

    /** Returns the ready workers in turn. */
    synchronized Optional<WorkerProcess> next() {
        List<WorkerProcess> ready = ready();
        return ready.isEmpty() ? Optional.empty() : Optional.of(ready.get(turn++ % ready.size()));
    }

    synchronized Optional<WorkerProcess> busiest() {
        return ready().stream()
                .max(Comparator.comparing(worker -> worker.report().executing().size()));
    }

    /** Returns true if all workers are ready. */
    public synchronized boolean isComplete() {
        return ready().size() == names.size();
    }

    private List<WorkerProcess> ready() {
        return workers.values().stream().filter(WorkerProcess::isReady).toList();
    }

    /** Stops all workers gracefully, in parallel. */
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
        allWorkers.stream().filter(WorkerProcess::isAlive).forEach(WorkerProcess::kill);
        if (database != null) {
            database.end();
        }
    }
}
