package dev.dormouse.benchmarks.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The parent and the processor time of a process, as the Linux kernel reports them.
 *
 * @param ticks the time of the process itself, in hundredths of a second
 * @param ticksOfEnded the time of its children that have ended and whose end it has taken note of
 */
record ProcessStat(long parent, long ticks, long ticksOfEnded) {
    /** A process that does not exist or has ended. */
    static final ProcessStat NONE = new ProcessStat(-1, 0, 0);

    private static final Path PROCESSES = Path.of("/proc");

    // fields of /proc/PID/stat behind the name
    private static final int STATE = 0;
    private static final int PARENT = 1;
    private static final int USER = 11;
    private static final int SYSTEM = 12;
    private static final int USER_OF_ENDED = 13;
    private static final int SYSTEM_OF_ENDED = 14;

    /** The parent has already taken over the time of such a process. */
    private static final String REAPED = "X";

    /** Reads a process. Returns {@link #NONE} if it does not exist or if the system does not report it. */
    static ProcessStat of(long pid) {
        return of(PROCESSES.resolve(Long.toString(pid)));
    }

    /** Reads all processes and returns those whose parent is {@code pid}. */
    static List<ProcessStat> childrenOf(long pid) {
        List<ProcessStat> children = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                ProcessStat stat = of(process);
                if (stat.parent == pid) {
                    children.add(stat);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return children;
    }

    private static ProcessStat of(Path process) {
        String line;
        try {
            line = Files.readString(process.resolve("stat"));
        } catch (IOException ended) {
            return NONE;
        }
        // the name stands in parentheses and may contain anything
        String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ");
        return fields[STATE].equals(REAPED)
                ? NONE
                : new ProcessStat(
                        Long.parseLong(fields[PARENT]),
                        sum(fields, USER, SYSTEM),
                        sum(fields, USER_OF_ENDED, SYSTEM_OF_ENDED));
    }

    private static long sum(String[] fields, int one, int other) {
        return Long.parseLong(fields[one]) + Long.parseLong(fields[other]);
    }

    /** Returns the time of the process and of its ended children. */
    long total() {
        return ticks + ticksOfEnded;
    }
}
