package dev.dormouse.cli;

import dev.dormouse.cli.process.Environment;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A command that runs typical commands, so that the launcher can archive the classes that they load. */
@Command(name = "warm-up", hidden = true, description = "Loads classes.")
final class WarmUpCommand implements Callable<Integer> {

    @Override
    public Integer call() throws IOException {
        Path folder = Files.createTempDirectory("dormouse");
        try {
            run(folder.resolve("warm.db").toString());
        } finally {
            delete(folder);
        }
        return 0;
    }

    private static void run(String file) {
        String store = "sqlite:" + file;
        for (List<String> arguments : List.of(
                List.of("migrate", "--store", store),
                List.of("workflow", "start", "warm", "{}", "--id", "warm", "--store", store),
                List.of("workflow", "list", "--store", store),
                List.of("workflow", "show", "warm", "--store", store),
                List.of("workflow", "trace", "warm", "--store", store),
                List.of("timer", "list", "--store", store, "-o", "json"),
                List.of("workflow", "list", "--url", "http://127.0.0.1:1"),
                List.of("explain", "DM1001"))) {
            String[] words = arguments.toArray(String[]::new);
            quiet(words).execute(words);
        }
    }

    private static CommandLine quiet(String... words) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        Environment environment = new Environment(
                Map.of(), InputStream.nullInputStream(), InstantSource.system(), ZoneOffset.UTC, true, 80);
        return Main.commandLine(environment, words).setOut(nowhere).setErr(nowhere);
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
