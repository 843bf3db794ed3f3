package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No command prints the password of a store's URL, even in errors. */
@Timeout(60)
class PasswordsTest {
    private static final String SECRET = "hunter-2-hunter";

    /** A URL with port 1, where nothing listens. */
    private static final String URL = "jdbc:postgresql://127.0.0.1:1/app?user=app&password=" + SECRET;

    private static final List<List<String>> COMMANDS = List.of(
            List.of("dev", "--port", "0", "--store", URL),
            List.of("server", "--port", "0", "--store", URL),
            List.of("server", "--port", "0", "--store", URL, "--verbose"),
            List.of("doctor", "--store", URL),
            List.of("doctor", "--store", URL, "-o", "json"),
            List.of("migrate", "--store", URL),
            List.of("timers", "--store", URL),
            List.of("workflow", "list", "--store", URL),
            List.of("workflow", "list", "--store", URL, "--verbose"),
            List.of("doctor", URL),
            List.of("migrate", URL),
            List.of("workflow", "list", "--url", URL),
            List.of("dev", "--port", URL),
            List.of("dev", "--port", "0", "--stroe=" + URL),
            List.of("workflow", "list", "--url", "http://app:" + SECRET + "@127.0.0.1:1"),
            List.of("doctor", "--url", "http://app:" + SECRET + "@127.0.0.1:1"),
            List.of("doctor", "--store", "postgres://app:" + SECRET + "@127.0.0.1:1/app"));

    @Test
    void noCommandPrintsThePassword() {
        PrintStream logged = System.err;
        ByteArrayOutputStream log = new ByteArrayOutputStream();
        System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
        try {
            for (List<String> command : COMMANDS) {
                assertHidden(command, CliResult.run(command.toArray(String[]::new)));
            }
            assertHidden(
                    List.of("doctor", "with a variable"),
                    CliResult.runIn(
                            CliResult.environment(InstantSource.system(), Map.of("DORMOUSE_STORE", URL), ""),
                            "doctor"));
        } finally {
            System.setErr(logged);
        }
        assertThat(log.toString(StandardCharsets.UTF_8)).doesNotContain(SECRET);
    }

    private static void assertHidden(List<String> command, CliResult ran) {
        assertThat(ran.code()).as(command.toString()).isNotZero();
        assertThat(ran.out() + ran.err()).as(command.toString()).isNotEmpty().doesNotContain(SECRET);
    }
}
