package dev.dormouse.examples.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * What the demo was asked for.
 *
 * @param folder where to keep everything
 * @param postgres a URL, or {@link #EMBEDDED}; empty for SQLite
 * @param isHelp only to say what else there is
 */
record Options(Optional<String> folder, Optional<String> postgres, boolean isHelp) {
    static final String EMBEDDED = "embedded";

    static final String USAGE = """
            usage: ./dormouse demo [--postgres [jdbc:postgresql://…]] [--dir FOLDER]

            Twenty orders live in the terminal and in the dashboard; their worker dies of kill -9 and nothing is lost.
            On SQLite one worker process owns the file; on PostgreSQL two share the work and take over from each other.

              --postgres        starts a PostgreSQL that the build has brought along
              --postgres URL    uses one that is there, in a schema of its own
              --dir FOLDER      keeps everything in that folder; start again with it, and the orders go on
              -h, --help        prints this

            Without a terminal (CI, a pipe) it plays by itself, checks what came of it, and ends with exit code 0 or 1.
            """;

    /** What was typed makes no sense. */
    static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }
    }

    static Options of(String... args) {
        Deque<String> rest = new ArrayDeque<>(List.of(args));
        Options options = new Options(Optional.empty(), Optional.empty(), false);
        while (!rest.isEmpty()) {
            options = options.with(rest.removeFirst(), rest);
        }
        return options;
    }

    private Options with(String option, Deque<String> rest) {
        return switch (option) {
            case "--dir" -> new Options(Optional.of(folder(rest)), postgres, isHelp);
            case "--postgres" -> new Options(folder, Optional.of(database(rest)), isHelp);
            case "--help", "-h", "help" -> new Options(folder, postgres, true);
            default -> throw new Wrong("Expected --postgres, --dir or --help, but got '" + option + "'. Leave it out.");
        };
    }

    private static String folder(Deque<String> rest) {
        if (rest.isEmpty() || rest.getFirst().isBlank() || rest.getFirst().startsWith("-")) {
            throw new Wrong("Expected a folder after --dir, but there is none. Name one.");
        }
        return rest.removeFirst();
    }

    private static String database(Deque<String> rest) {
        if (rest.isEmpty() || rest.getFirst().startsWith("-")) {
            return EMBEDDED;
        }
        String url = rest.removeFirst();
        if (!url.startsWith("jdbc:postgresql:")) {
            throw new Wrong(
                    "Expected a URL such as jdbc:postgresql://localhost/orders after --postgres, but got another"
                            + " kind of text. Correct it, or leave it out for a PostgreSQL that the demo starts by itself.");
        }
        return url;
    }

    boolean isEmbedded() {
        return postgres.equals(Optional.of(EMBEDDED));
    }
}
