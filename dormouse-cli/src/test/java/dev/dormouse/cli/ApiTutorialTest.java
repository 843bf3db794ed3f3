package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in the Javadoc of {@code dev.dormouse}: they compile. */
class ApiTutorialTest {
    private static final Path PAGE = Path.of("../dormouse-core/src/main/java/dev/dormouse/package-info.java");
    private static final Pattern EXAMPLE = Pattern.compile("<pre>\\{@code\n(.*?)\n \\* }</pre>", Pattern.DOTALL);

    /** The names that the examples use and do not declare. */
    private static final String FRAME = """
            import dev.dormouse.*;
            import dev.dormouse.error.*;
            import dev.dormouse.testing.*;
            import java.sql.PreparedStatement;
            import java.time.Duration;
            import java.util.List;

            class Tutorial {
                static String chargeCard(String user, int euros) {
                    return user + euros;
                }

                static void remind(String user) {}

                static class SmtpMail implements Mail {
                    public void welcome(String user) {}

                    public void trialIsOver(String user) {}
                }

            """;

    @TempDir
    private Path folder;

    @Test
    void examplesCompile() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(8);
        assertThat(compile(program(examples()))).isEmpty();
    }

    @Test
    void exampleWithAMistakeIsFound() throws IOException {
        assertThat(compile(program(examples()).replace("Workflow.sleep(", "Workflow.nap(")))
                .contains("cannot find symbol", "nap");
    }

    private static List<String> examples() throws IOException {
        List<String> examples = new ArrayList<>();
        Matcher matcher = EXAMPLE.matcher(Files.readString(PAGE));
        while (matcher.find()) {
            examples.add(matcher.group(1).replaceAll("(?m)^ \\* ?", ""));
        }
        return examples;
    }

    /** Returns a class that has the declarations of the examples as members, and each other example as a method. */
    private static String program(List<String> examples) {
        StringBuilder program = new StringBuilder(FRAME);
        int number = 0;
        for (String example : examples) {
            boolean declares = example.startsWith("@");
            program.append(declares ? "" : "void example" + ++number + "(Dormouse dormouse) throws Exception {\n")
                    .append(example)
                    .append(declares ? "\n\n" : "\n}\n\n");
        }
        return program.append("}\n").toString();
    }

    /** Returns what the compiler reports. */
    private String compile(String program) throws IOException {
        Path source = folder.resolve("Tutorial.java");
        Files.writeString(source, program);
        StringWriter report = new StringWriter();
        PrintWriter writer = new PrintWriter(report);
        ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        writer,
                        writer,
                        "-proc:none",
                        "-d",
                        folder.toString(),
                        "-classpath",
                        System.getProperty("java.class.path"),
                        source.toString());
        return report.toString();
    }
}
