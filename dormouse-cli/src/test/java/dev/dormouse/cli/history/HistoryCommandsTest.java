package dev.dormouse.cli.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.cli.ApprovalWorkflows;
import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.LiveServerTest;
import dev.dormouse.plugin.WorkflowModule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The {@code history} commands against a live node. */
class HistoryCommandsTest extends LiveServerTest {

    @Test
    void historyIsExportedAndReplayed() throws IOException {
        startApproval("h-1");
        Path file = folder().resolve("h-1.json");
        assertThat(ok("history", "export", "h-1", file.toString())).startsWith("Wrote ");
        CliResult good = CliResult.run(
                "history",
                "replay",
                file.toString(),
                "--classpath",
                folder().toString(),
                "--module",
                ApprovalWorkflows.class.getName());
        assertThat(good.err()).isEmpty();
        assertThat(good.out()).contains("the code fits");
        Path services = Files.createDirectories(folder().resolve("classes/META-INF/services"));
        Files.writeString(services.resolve("dev.dormouse.plugin.WorkflowModule"), ApprovalWorkflows.class.getName());
        CliResult named = CliResult.run(
                "history",
                "replay",
                file.toString(),
                "-c",
                folder().resolve("classes").toString());
        assertThat(named.out()).contains("the code fits");
        CliResult other = CliResult.run(
                "history",
                "replay",
                file.toString(),
                "--classpath",
                folder().toString(),
                "--module",
                OtherModule.class.getName());
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err()).contains("[DM").doesNotContain("\tat ");
    }

    /** A module without the workflow of the exported history. */
    public static final class OtherModule implements WorkflowModule {
        @Override
        public void register(DormouseBuilder builder) {
            builder.workflow("other", String.class, String.class, (ctx, input) -> input);
        }
    }
}
