package dev.dormouse.demo.order;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A log of the steps that all workers have really executed, in a file that is independent of Dormouse, so that repeated
 * steps can be counted from outside. Each line is appended with one write, even by a process that is about to die.
 */
public final class StepLog {
    public enum What {
        BEGAN,
        FAILED,
        DONE
    }

    /** One line. */
    public record Entry(Instant at, long pid, int order, String step, What what) {
        private static Entry of(String line) {
            String[] fields = line.split(" ", -1);
            return new Entry(
                    Instant.parse(fields[0]),
                    Long.parseLong(fields[1]),
                    Integer.parseInt(fields[2]),
                    fields[3],
                    What.valueOf(fields[4]));
        }

        private String line() {
            return String.join(" ", at.toString(), Long.toString(pid), Integer.toString(order), step, what.name())
                    + "\n";
        }
    }

    private final Path file;

    public StepLog(Path folder) {
        file = folder.resolve("steps.log");
    }

    void add(int order, String step, What what) {
        Entry entry = new Entry(Instant.now(), ProcessHandle.current().pid(), order, step, what);
        try {
            Files.writeString(file, entry.line(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<Entry> entries() {
        try {
            String text = Files.exists(file) ? Files.readString(file) : "";
            String whole = text.substring(0, text.lastIndexOf('\n') + 1); // another process may be writing
            return whole.lines().map(Entry::of).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns steps begun by a process and begun again by others, although the process did not record that they failed.
     */
    public List<Entry> repeatsOf(long pid) {
        Map<String, Entry> latest = new HashMap<>();
        List<Entry> repeats = new ArrayList<>();
        for (Entry entry : entries()) {
            Entry before = latest.put(entry.order + " " + entry.step, entry);
            if (before != null && before.pid == pid && entry.pid != pid && before.what != What.FAILED) {
                repeats.add(entry);
            }
        }
        return repeats;
    }
}
