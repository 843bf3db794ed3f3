package dev.dormouse.benchmarks.database;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The process of a PostgreSQL server on this machine, with all its child processes. */
record ServerProcess(long pid) {
    private static final int PARENT = 1;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int USER_OF_ENDED = 13;
    private static final int SYSTEM_OF_ENDED = 14;
    private static final long TICK_MILLIS = 10;

    /** Finds the server process: the parent of the process that answers a query. */
    static ServerProcess of(ServerUrl url) {
        String backend = SingleStatements.value(url.of("postgres"), "select pg_backend_pid()");
        return new ServerProcess(number(Path.of("/proc/" + backend + "/stat"), PARENT));
    }

    /** Returns zero if the system does not report it. */
    Duration processorTime() {
        Path own = Path.of("/proc/" + pid);
        if (!Files.exists(own)) {
            return Duration.ZERO;
        }
        long ended = number(own.resolve("stat"), USER_OF_ENDED) + number(own.resolve("stat"), SYSTEM_OF_ENDED);
        long living = LongStream.concat(
                        LongStream.of(pid),
                        ProcessHandle.of(pid).stream()
                                .flatMap(ProcessHandle::children)
                                .mapToLong(ProcessHandle::pid))
                .map(each -> number(Path.of("/proc/" + each + "/stat"), USER)
                        + number(Path.of("/proc/" + each + "/stat"), SYSTEM))
                .sum();
        return Duration.ofMillis((ended + living) * TICK_MILLIS);
    }

    /** Returns one of the fields behind the name; 0 for a process that has just ended. */
    private static long number(Path stat, int place) {
        try (Stream<String> lines = Files.lines(stat)) {
            String line = lines.findFirst().orElse(") ");
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
            return place < fields.length ? Long.parseLong(fields[place]) : 0;
        } catch (IOException ended) {
            return 0;
        }
    }
}
