package dev.dormouse.chaos.workload;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The recorded actions of all workers of a test, in one file. Each is one line, written with one call to a file open
 * for appending: lines of several processes never mix, and written lines outlive the process that wrote them.
 */
public final class WorkerJournal {
    private final Path file;
    private final List<JournalEntry> known = new ArrayList<>();
    private long position;

    public WorkerJournal(Path file) {
        this.file = file;
    }

    /** Returns all complete lines so far. Tests ask often while the file grows, so each line is read and parsed once. */
    public synchronized List<JournalEntry> entries() {
        try {
            if (Files.exists(file)) {
                readOn();
            }
            return List.copyOf(known);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void readOn() throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            in.skipNBytes(position);
            byte[] bytes = in.readAllBytes();
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            new String(bytes, 0, end, StandardCharsets.UTF_8)
                    .lines()
                    .map(JournalEntry::parse)
                    .forEach(known::add);
            position += end;
        }
    }

    public List<JournalEntry> entries(Predicate<JournalEntry> which) {
        return entries().stream().filter(which).toList();
    }

    public List<JournalEntry> entries(JournalEntry.Kind kind) {
        return entries(entry -> entry.kind() == kind);
    }

    /** Returns how often each step began. */
    public Map<RunStep, Long> executions() {
        return entries(JournalEntry.Kind.BEGAN).stream().collect(groupingBy(JournalEntry::step, counting()));
    }

    /** Returns the steps that began more than once. */
    public Map<RunStep, Long> repeated() {
        return executions().entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * The writing end in a worker. Not a channel, which would be closed when a step is interrupted while it writes.
     */
    public static final class Writer {
        private final FileOutputStream out;

        public Writer(Path file) throws IOException {
            out = new FileOutputStream(file.toFile(), true);
        }

        public void write(JournalEntry.Kind kind, String workflowId, UUID runId, String name) {
            byte[] line = JournalEntry.now(kind, workflowId, runId, name).line().getBytes(StandardCharsets.UTF_8);
            try {
                out.write(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
