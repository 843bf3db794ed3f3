package dev.dormouse.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file that {@code server --tokens} reads. */
@Timeout(30)
class ServerTokenFileTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {"", "\n", "  \n\t\n", "# nothing yet\n", "# ada admin 0123456789abcdef0123456789abcdef\n#\n"})
    void fileWithoutTokensIsRefused(String content) throws IOException {
        Path tokens = Files.writeString(folder.resolve("tokens.txt"), content);
        Path store = folder.resolve("shop.db");
        CliResult ran =
                CliResult.run("server", "--port", "0", "--store", "sqlite:" + store, "--tokens", tokens.toString());
        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .contains("[DM6001] Expected at least one token in " + tokens)
                .contains("'ada operator sha256:…'")
                .hasLineCount(1);
        assertThat(ran.out()).isEmpty();
        assertThat(store).doesNotExist();
    }
}
