package dev.dormouse.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.LongRunningWorkflows;
import dev.dormouse.cli.PostgresServer;
import dev.dormouse.cli.ServerProcess;
import dev.dormouse.cli.Signs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The signs of a node that pauses for longer than its lease, and of a node that dies. */
@Tag("process")
@Timeout(300)
class NodeSignsTest {
    @TempDir
    private Path folder;

    private ServerProcess serve(PostgresServer postgres, String name) throws IOException {
        return ServerProcess.start(
                folder.resolve(name + ".txt"),
                "dev",
                "--port",
                "0",
                "--store",
                postgres.url(),
                "--module",
                LongRunningWorkflows.class.getName());
    }

    @Test
    void lostLeaseAndDeadNodeAreVisible() throws Exception {
        try (PostgresServer postgres = new PostgresServer(folder.resolve("data"));
                ServerProcess first = serve(postgres, "first")) {
            Signs one = new Signs(folder.resolve("first.txt"), first.url()).ready();
            start(first, "long");
            one.api("/workflows/long", "\"status\":\"RUNNING\"", "\"kind\":\"step\",\"name\":\"watch\"");
            try (ServerProcess second = serve(postgres, "second")) {
                Signs other = new Signs(folder.resolve("second.txt"), second.url()).ready();
                loseLease(first, one, other);
                kill(second, one);
            }
        }
    }

    private static void start(ServerProcess serving, String id) {
        CliResult started = CliResult.run("workflow", "start", "guarding", "\"x\"", "--id", id, "--url", serving.url());
        assertThat(started.code()).as(started.err()).isZero();
    }

    private static void loseLease(ServerProcess first, Signs one, Signs other) throws Exception {
        signal("-STOP", first);
        try {
            other.logs("WARN", "has crashed or is suspended", "This node takes over its runs", "'long'")
                    .metric("dormouse_takeovers_seconds_count{type=\"guarding\"} 1")
                    .api("/nodes", "\"alive\":false")
                    .doctor("! takeovers", "1 run was taken over in the last 15 minutes");
        } finally {
            signal("-CONT", first);
        }
        one.logs("WARN", "This node has lost the leases of 1 of its runs", "'long'")
                .metric("dormouse_leases_lost_total{type=\"guarding\"} 1.0")
                .api("/nodes", "\"recovered\":1")
                .prints(List.of("node", "list"), "RECOVERED", "alive")
                .ready()
                .doctor("! takeovers", "1 run was taken over in the last 15 minutes");
        other.ready();
    }

    /** The first node takes over the runs that the second node had taken over. */
    private static void kill(ServerProcess second, Signs one) throws Exception {
        int before = one.lines().size();
        second.process().destroyForcibly().waitFor();
        one.logs("WARN", "has crashed or is suspended", "This node takes over its runs", "'long'")
                .metric("dormouse_takeovers_seconds_count{type=\"guarding\"} 1")
                .metric("dormouse_nodes_gone 1.0")
                .metric("dormouse_nodes_alive 1.0")
                .api("/nodes", "\"alive\":false")
                .prints(List.of("node", "list"), "gone")
                .ready()
                .doctor("! nodes", "1 is alive, 1 died or stood still within the last hour")
                .doctor("! takeovers", "2 runs were taken over in the last 15 minutes");
        assertThat(one.lines().size() - before).isLessThanOrEqualTo(10);
    }

    private static void signal(String name, ServerProcess serving) throws Exception {
        Process kill = new ProcessBuilder(
                        "kill", name, String.valueOf(serving.process().pid()))
                .start();
        assertThat(kill.waitFor()).isZero();
    }
}
