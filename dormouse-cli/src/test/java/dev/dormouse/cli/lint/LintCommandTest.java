package dev.dormouse.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.serve.SampleWorkflows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dormouse lint} on folders of classes. */
class LintCommandTest {
    private static final String BAD = Bad.class.getName();

    @TempDir
    private Path folder;

    @Test
    void findingsAreLinesWithTheirPlace() throws IOException {
        copy(Bad.class);

        CliResult ran = CliResult.run("lint", folder.toString());

        assertThat(ran.out().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith(BAD + ".register(LintCommandTest.java:")
                .endsWith(
                        "): error CLOCK: java.time.Instant.now. A replay reads a different time. Use Workflow.now().");
        assertThat(ran.out()).contains("warning ENVIRONMENT: java.lang.System.getenv");
        assertThat(ran.err()).isEqualToIgnoringNewLines("Checked 1 class with workflow code: 1 error, 1 warning.");
        assertThat(ran.code()).isEqualTo(1);
    }

    @Test
    void acceptedFindingsAreLeftOut() throws IOException {
        copy(Bad.class);
        String ids = CliResult.run("lint", folder.toString(), "-o", "ids").out();
        assertThat(ids.lines()).containsExactly("CLOCK:" + BAD + ".register", "ENVIRONMENT:" + BAD + ".register");

        CliResult warnings = CliResult.run("lint", folder.toString(), "--accept", "CLOCK:" + BAD + ".register");
        assertThat(warnings.out()).contains("warning ENVIRONMENT").doesNotContain("CLOCK");
        assertThat(warnings.code()).isZero();

        CliResult none = CliResult.run(
                "lint", folder.toString(), "--accept", "CLOCK:" + BAD + ".*", "--accept", "ENVIRONMENT:*");
        assertThat(none.out()).isEmpty();
        assertThat(none.code()).isZero();
    }

    @Test
    void jsonHasEveryField() throws IOException {
        copy(Bad.class);

        assertThat(CliResult.run("lint", folder.toString(), "-o", "json").out())
                .contains(
                        "\"rule\" : \"CLOCK\"",
                        "\"severity\" : \"ERROR\"",
                        "\"class\" : \"" + BAD + "\"",
                        "\"method\" : \"register\"",
                        "\"file\" : \"LintCommandTest.java\"",
                        "\"found\" : \"java.time.Instant.now\"",
                        "\"whatToDo\" : \"Use Workflow.now().\"",
                        "\"path\" : [ \"" + BAD + ".register\" ]");
    }

    @Test
    void sampleWorkflowsHaveNoFinding() throws IOException {
        copy(SampleWorkflows.class);

        CliResult ran = CliResult.run("lint", folder.toString());

        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("Checked 1 class with workflow code: 0 errors, 0 warnings.");
        assertThat(ran.code()).isZero();
    }

    @Test
    void folderWithoutWorkflowsIsMentioned() throws IOException {
        copy(LintCommand.class);

        CliResult ran = CliResult.run("lint", folder.toString());

        assertThat(ran.err()).contains("Checked 0 classes", "Name the jars with your workflows");
        assertThat(ran.code()).isZero();
    }

    @Test
    void wrongUseIsOneSentence() throws IOException {
        Path text = Files.writeString(folder.resolve("text.jar"), "not a jar");

        assertRefused(
                "there is no such file", "lint", folder.resolve("missing.jar").toString());
        assertRefused("it cannot be read", "lint", text.toString());
        assertRefused("it contains no class file", "lint", folder.toString());
        copy(Bad.class);
        assertRefused("got 'CLOCKS:a.B.c'", "lint", folder.toString(), "--accept", "CLOCKS:a.B.c");
        assertThat(CliResult.run("lint").code()).isEqualTo(2);
    }

    private static void assertRefused(String reason, String... arguments) {
        CliResult ran = CliResult.run(arguments);
        assertThat(ran.err())
                .startsWith("dormouse: [DM1012] Expected ")
                .contains(reason)
                .doesNotContain("\tat ");
        assertThat(ran.err().lines()).hasSize(1);
        assertThat(ran.code()).isEqualTo(2);
    }

    private void copy(Class<?> type) throws IOException {
        String name = type.getName().replace('.', '/') + ".class";
        Path target = folder.resolve(name);
        Files.createDirectories(target.getParent());
        try (InputStream in = type.getResourceAsStream("/" + name)) {
            Files.copy(in, target);
        }
    }

    /** Registers a workflow with an error and a warning. */
    static final class Bad {
        private Bad() {}

        static void register(DormouseBuilder builder) {
            builder.workflow("bad", String.class, String.class, (ctx, input) -> Instant.now() + System.getenv(input));
        }
    }
}
