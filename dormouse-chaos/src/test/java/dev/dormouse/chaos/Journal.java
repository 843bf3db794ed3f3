package dev.dormouse.chaos;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The side effects of all workers of a test, in one file. Each is one line and one write to a file that is open for
 * appending: lines of several processes never mix, and what was written outlives the process that wrote it.
 */
final class Journal {
    private final Path file;

    Journal(Path file) {
        this.file = file;
    }

    /** What has been written so far. */
    List<Deed> deeds() {
        try {
            if (!Files.exists(file)) {
                return List.of();
            }
            String text = Files.readString(file);
            return text.substring(0, text.lastIndexOf('\n') + 1)
                    .lines()
                    .map(Deed::parse)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Deed> deeds(Predicate<Deed> which) {
        return deeds().stream().filter(which).toList();
    }

    List<Deed> deeds(Deed.Kind kind) {
        return deeds(deed -> deed.kind() == kind);
    }

    /** How often each step began. */
    Map<StepOfRun, Long> executions() {
        return deeds(Deed.Kind.BEGAN).stream().collect(groupingBy(Deed::step, counting()));
    }

    /** The steps that began more than once. */
    Map<StepOfRun, Long> repeated() {
        return executions().entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** The writing end, in a worker. Not a channel: that would be closed when a step is interrupted while it writes. */
    static final class Writer {
        private final FileOutputStream out;

        Writer(Path file) throws IOException {
            out = new FileOutputStream(file.toFile(), true);
        }

        void write(Deed.Kind kind, String workflowId, UUID runId, String name) {
            byte[] line = Deed.now(kind, workflowId, runId, name).line().getBytes(StandardCharsets.UTF_8);
            try {
                out.write(line);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
