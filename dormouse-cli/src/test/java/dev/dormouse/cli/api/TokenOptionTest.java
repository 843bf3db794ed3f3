package dev.dormouse.cli.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.cli.ApprovalWorkflows;
import dev.dormouse.cli.CliResult;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.api.Role;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands against a server that needs a token. */
class TokenOptionTest {
    @TempDir
    private Path folder;

    @Test
    void roleOfTheTokenDeterminesWhatIsAllowed() throws IOException {
        ApprovalWorkflows desk = new ApprovalWorkflows();
        DormouseBuilder builder = Dormouse.builder().store("sqlite:" + folder.resolve("tokens.db"));
        desk.register(builder);
        String reader = DormouseServer.newToken();
        Path file = Files.writeString(folder.resolve("token"), reader + "\n");
        try (Dormouse dormouse = builder.open();
                DormouseServer server = DormouseServer.builder()
                        .dormouse(dormouse)
                        .port(0)
                        .token("ada", Role.READER, reader)
                        .start()) {
            CliResult withoutToken = CliResult.run("workflow", "list", "--url", server.url());
            assertThat(withoutToken.code()).isEqualTo(6);
            assertThat(withoutToken.err()).contains("[DM6005]");
            CliResult changeWithoutToken =
                    CliResult.run("workflow", "start", "greeting", "\"x\"", "--url", server.url());
            assertThat(changeWithoutToken.code()).as(changeWithoutToken.err()).isEqualTo(6);
            assertThat(changeWithoutToken.err()).contains("[DM6005]");
            String[] as = {"--url", server.url(), "--token-file", file.toString()};
            assertThat(CliResult.run("workflow", "list", as[0], as[1], as[2], as[3])
                            .code())
                    .isZero();
            CliResult change = CliResult.run("workflow", "start", "greeting", "\"x\"", as[0], as[1], as[2], as[3]);
            assertThat(change.code()).isEqualTo(6);
            assertThat(change.err()).contains("[DM6006]").doesNotContain(reader);
            assertThat(CliResult.run(
                                    "workflow",
                                    "start",
                                    "greeting",
                                    "\"x\"",
                                    "--store",
                                    "sqlite:" + folder.resolve("tokens.db"))
                            .code())
                    .as("the owner of the file uses the token beside it")
                    .isZero();
        }
    }
}
