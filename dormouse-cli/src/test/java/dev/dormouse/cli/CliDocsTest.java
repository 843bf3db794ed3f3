package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.serve.SampleWorkflows;
import dev.dormouse.dag.Dags;
import dev.dormouse.server.DormouseServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the examples in docs/cli.md in order, on the sample workflows of {@code dormouse dev}. */
class CliDocsTest {
    private static final Path PAGE = Path.of("..", "docs", "cli.md");
    private static final Pattern END = Pattern.compile("\\s+# exit code (\\d)$");
    private static final Pattern WORD = Pattern.compile("'([^']*)'|\"([^\"]*)\"|(\\S+)");

    @TempDir
    private Path folder;

    @Test
    void examplesEndWithTheDocumentedExitCode() throws IOException {
        SampleWorkflows samples = new SampleWorkflows();
        Dags dags = Dags.of();
        DormouseBuilder builder = Dormouse.builder().store("sqlite:" + folder.resolve("dormouse-dev.db"));
        samples.register(builder);
        writeJar(folder.resolve("app.jar"));
        try (Dormouse dormouse = builder.plugin(dags).open();
                DormouseServer server = DormouseServer.builder()
                        .dormouse(dormouse)
                        .dags(dags)
                        .port(0)
                        .start()) {
            samples.opened(dormouse);
            List<String> examples = examples();
            assertThat(examples).hasSizeGreaterThan(25);
            examples.forEach(example -> check(example, Map.of("DORMOUSE_URL", server.url())));
        }
    }

    /** Writes a jar with the sample workflows. */
    private static void writeJar(Path jar) throws IOException {
        String name = SampleWorkflows.class.getName().replace('.', '/') + ".class";
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(jar));
                InputStream in = SampleWorkflows.class.getResourceAsStream("/" + name)) {
            zip.putNextEntry(new ZipEntry(name));
            in.transferTo(zip);
        }
    }

    private static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        boolean isConsole = false;
        for (String line : Files.readAllLines(PAGE)) {
            isConsole = line.startsWith("```") ? line.equals("```console") : isConsole;
            if (isConsole && line.startsWith("$ ")) {
                examples.add(line.substring(2));
            }
        }
        return examples;
    }

    private void check(String example, Map<String, String> variables) {
        Matcher end = END.matcher(example);
        int expected = end.find() ? Integer.parseInt(end.group(1)) : 0;
        String input = "";
        for (String command : END.matcher(example).replaceFirst("").split(" \\| ")) {
            List<String> words = words(command);
            if (words.get(0).equals("echo")) {
                input = words.get(1);
                continue;
            }
            String[] arguments = words.subList(1, words.size()).toArray(String[]::new);
            String read = input;
            Supplier<CliResult> run =
                    () -> CliResult.runIn(CliResult.environment(InstantSource.system(), variables, read), arguments);
            CliResult ran = command.contains(" move ") ? retry(run) : run.get();
            assertThat(ran.code()).as("%s: %s%s", example, ran.out(), ran.err()).isEqualTo(expected);
            input = ran.out();
        }
    }

    /** Retries a command: a run that has just been started may not wait yet. */
    private static CliResult retry(Supplier<CliResult> run) {
        return Awaitility.await().atMost(Duration.ofSeconds(20)).until(run::get, ran -> ran.code() == 0);
    }

    /** Splits a command like a shell. Files are in the test's folder. */
    private List<String> words(String command) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(command);
        while (matcher.find()) {
            String word = matcher.group(1) != null
                    ? matcher.group(1)
                    : matcher.group(2) != null ? matcher.group(2) : matcher.group(3);
            words.add(word.replaceFirst("^(sqlite:)?(\\w[\\w-]*\\.(?:json|jar|db))$", "$1" + folder + "/$2"));
        }
        return words;
    }

    @Test
    void exitCodesMatchTheCode() throws IOException {
        String page = Files.readString(PAGE);
        for (ExitCode code : ExitCode.values()) {
            assertThat(page).contains("| " + code.number() + " | " + code.meaning() + " |");
        }
    }
}
