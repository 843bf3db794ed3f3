package dev.dormouse.benchmarks.database;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The main process of a PostgreSQL server on this machine, with all its child processes. Thread-safe.
 *
 * <p>When a child ends, the kernel moves its processor time to the main process. A child that ends while the processes
 * are read can be missing in a reading, but is never counted twice, because the main process is read first. The main
 * process is also read again at the end: if it has taken over the time of a child meanwhile, all processes are read
 * again. If children end faster than they can be read, the reading lacks the last of them, and the next reading
 * contains them. Readings never decrease.
 */
final class ServerProcess {
    private static final int ATTEMPTS = 20;
    private static final long TICK_MILLIS = 10;

    private final Supplier<ProcessStat> main;
    private final Supplier<List<ProcessStat>> children;
    private long latest;

    /** Creates a server process of which each reading calls {@code main}, {@code children} and {@code main} again. */
    ServerProcess(Supplier<ProcessStat> main, Supplier<List<ProcessStat>> children) {
        this.main = main;
        this.children = children;
    }

    /** Finds the main process of a server that runs on this machine; empty if the system does not report its time. */
    static Optional<ServerProcess> of(ServerUrl url) {
        // not the parent of a session's process: that process may have ended before its parent is read
        long pid = Long.parseLong(SingleStatements.value(
                url.of("postgres"), "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)"));
        return ProcessStat.of(pid).equals(ProcessStat.NONE)
                ? Optional.empty()
                : Optional.of(new ServerProcess(() -> ProcessStat.of(pid), () -> ProcessStat.childrenOf(pid)));
    }

    /** Returns the processor time so far of the main process and of its children, living and ended. */
    synchronized Duration processorTime() {
        boolean isComplete = false;
        for (int attempt = 0; attempt < ATTEMPTS && !isComplete; attempt++) {
            ProcessStat before = main.get();
            long living = children.get().stream().mapToLong(ProcessStat::total).sum();
            latest = Math.max(latest, before.total() + living);
            isComplete = main.get().ticksOfEnded() == before.ticksOfEnded();
        }
        return Duration.ofMillis(latest * TICK_MILLIS);
    }
}
