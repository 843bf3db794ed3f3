package dev.dormouse.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.LiveServerTest;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Commands for events, nodes and maintenance. */
class OperateCommandsTest extends LiveServerTest {

    @Test
    void eventIsPublished() {
        assertThat(ok("event", "publish", "payment", "{\"order\": 7}")).startsWith("Published payment as ");
    }

    @Test
    void doctorFindsNothingWrong() {
        CliResult ran = run("doctor");
        assertThat(ran.out())
                .contains("✓ reachable", "✓ clock", "✓ permissions")
                .doesNotContain("✗");
        assertThat(ran.code()).isZero();
        assertThat(ok("node", "list")).isNotEmpty();
    }

    @Test
    void backupIsWrittenWhileTheStoreIsInUse() {
        Path copy = folder().resolve("copy.db");
        assertThat(ok("backup", copy.toString())).startsWith("Wrote ");
        assertThat(CliResult.run("workflow", "list", "--store", "sqlite:" + copy)
                        .code())
                .isZero();
    }

    @Test
    void explainPrintsMeaningAndAdvice() {
        assertThat(CliResult.run("explain", "[dm1003]").out()).startsWith("DM1003 PAYLOAD_NOT_SERIALIZABLE\n\nA value");
        assertThat(CliResult.run("explain", "-o", "json", "1003").out()).contains("\"whatToDo\"");
        assertThat(CliResult.run("explain").out()).contains("DM4001", "CODE_DOES_NOT_MATCH");
        assertThat(CliResult.run("explain", "DM9999").code()).isEqualTo(3);
    }

    @Test
    void migratePrintsTheSchema() {
        assertThat(CliResult.run("migrate", "--print", "--store", "sqlite:x.db").out())
                .contains("create table dormouse_run");
        assertThat(CliResult.run("migrate", "--print", "--schema", "zoo", "--store", "jdbc:postgresql://nowhere/x")
                        .out())
                .contains("create schema if not exists \"zoo\"");
    }

    @Test
    void completionPrintsABashScript() {
        assertThat(CliResult.run("completion").out())
                .startsWith("#!/usr/bin/env bash")
                .contains("histogram");
    }
}
