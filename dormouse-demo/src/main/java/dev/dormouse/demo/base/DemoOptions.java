package dev.dormouse.demo.base;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The command-line options of the demo.
 *
 * @param folder the folder for all files
 * @param postgres a URL, or {@link #EMBEDDED}; empty for SQLite
 * @param isHelp true to print the usage only
 */
public record DemoOptions(Optional<String> folder, Optional<String> postgres, boolean isHelp) {
    static final String EMBEDDED = "embedded";

    public static final String USAGE = """
            usage: ./dormouse demo [--postgres [jdbc:postgresql://…]] [--dir FOLDER]

            Twenty orders live in the terminal and in the dashboard; their worker dies of kill -9 and nothing is lost.
            On SQLite one worker process owns the file; on PostgreSQL two share the work and take over from each other.

              --postgres        starts a PostgreSQL server that the build has downloaded
              --postgres URL    uses an existing server, in a separate schema
              --dir FOLDER      keeps everything in that folder; start again with it to resume the orders
              -h, --help        prints this

            Without a terminal (CI, a pipe) it runs by itself, checks the result, and ends with exit code 0 or 1.
            """;

    /** An invalid command line. */
    public static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message);
        }
    }

    public static DemoOptions of(String... args) {
        Deque<String> rest = new ArrayDeque<>(List.of(args));
        DemoOptions options = new DemoOptions(Optional.empty(), Optional.empty(), false);
        while (!rest.isEmpty()) {
            options = options.with(rest.removeFirst(), rest);
        }
        return options;
    }

    private DemoOptions with(String option, Deque<String> rest) {
        return switch (option) {
            case "--dir" -> new DemoOptions(Optional.of(folder(rest)), postgres, isHelp);
            case "--postgres" -> new DemoOptions(folder, Optional.of(database(rest)), isHelp);
            case "--help", "-h", "help" -> new DemoOptions(folder, postgres, true);
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

    public boolean isEmbedded() {
        return postgres.equals(Optional.of(EMBEDDED));
    }
}
