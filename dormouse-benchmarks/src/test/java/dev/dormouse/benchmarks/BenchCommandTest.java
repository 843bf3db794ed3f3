package dev.dormouse.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command line as a user sees it. */
class BenchCommandTest {

    /** The output and the exit code of a command. */
    private record Ran(int code, String out, String err) {
        static Ran of(String... arguments) {
            StringWriter out = new StringWriter();
            StringWriter err = new StringWriter();
            CommandLine line = Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
            int code = line.execute(arguments);
            return new Ran(code, out.toString(), err.toString());
        }
    }

    @Test
    void helpListsEverything() {
        Ran help = Ran.of("--help");
        assertThat(help.code).isZero();
        assertThat(help.out)
                .contains("--against", "--quick", "--json", "--svg", "--jmh", "under 20 minutes", "NAME-server-cpu");
    }

    @Test
    void mistakesAreExplainedInOneLine() {
        Map<List<String>, String> mistakes = Map.of(
                List.of("--against", "dboss"),
                "Expected --against to name some of dbos, db-scheduler, jobrunr, or none, but got 'dboss'.",
                List.of("--store", "mysql"),
                "Expected --store postgres or sqlite, but got 'mysql'.",
                List.of("--scenario", "wf2@2"),
                "but got 'wf2@2'.",
                List.of("--rounds", "0"),
                "Expected --rounds 1 or more, but got 0.",
                List.of("--rounds", "many"),
                "'many' is not an int",
                List.of("--store", "sqlite", "--against", "dbos"),
                "on sqlite Dormouse is measured alone",
                List.of("--store", "sqlite", "--scenario", "takeover"),
                "takeover takes a server",
                List.of("--url", "postgres://x"),
                "Expected --url jdbc:postgresql://HOST/DATABASE?user=ROLE",
                List.of("--json", "no/such/directory/figures.json"),
                "in a directory that exists",
                List.of("--quik"),
                "Unknown option: '--quik'");
        mistakes.forEach((arguments, sentence) -> {
            Ran ran = Ran.of(arguments.toArray(String[]::new));
            assertThat(ran.code).as("%s", arguments).isEqualTo(2);
            assertThat(ran.err.lines()).as("%s", arguments).hasSize(1);
            assertThat(ran.err).startsWith("dormouse bench: Expected ").contains(sentence);
        });
    }

    @Test
    void unreachableServerIsNamed() {
        Ran ran = Ran.of("--url", "jdbc:postgresql://localhost:1/app?user=nobody");
        assertThat(ran.code).isEqualTo(1);
        assertThat(ran.err.lines()).hasSize(1);
        assertThat(ran.err).contains("Expected an answer of PostgreSQL, but", "localhost:1");
    }
}
