package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.dag.Dags;
import dev.dormouse.server.DormouseServer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Base class for tests of commands against a node that serves a SQLite file. Commands name the file with
 * {@code --store} and are redirected to the node.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LiveServerTest {
    protected static final String APPROVAL = "Approval";

    private Path folder;
    private Dormouse dormouse;
    private DormouseServer server;

    @BeforeAll
    void open(@TempDir Path temporary) {
        folder = temporary;
        ApprovalWorkflows workflows = new ApprovalWorkflows();
        Dags dags = Dags.of();
        DormouseBuilder builder = Dormouse.builder().store(store());
        workflows.register(builder);
        dormouse = builder.plugin(dags).open();
        server = DormouseServer.builder().dormouse(dormouse).dags(dags).port(0).start();
        workflows.opened(dormouse);
    }

    @AfterAll
    void close() {
        server.close();
        dormouse.close();
    }

    protected final Path folder() {
        return folder;
    }

    protected final String url() {
        return server.url();
    }

    protected final String store() {
        return "sqlite:" + folder.resolve("live.db");
    }

    protected final CliResult run(String... arguments) {
        return CliResult.run(Stream.concat(Stream.of(arguments), Stream.of("--store", store()))
                .toArray(String[]::new));
    }

    /** Runs a command that must succeed, and returns its output. */
    protected final String ok(String... arguments) {
        CliResult result = run(arguments);
        assertThat(result.code()).as("%s: %s", List.of(arguments), result.err()).isZero();
        return result.out();
    }

    /** Runs a command that must fail with this exit code and a message that contains {@code part}. */
    protected final void fails(int code, String part, String... arguments) {
        CliResult result = run(arguments);
        assertThat(result.err()).contains(part).doesNotContain("\tat ", "bug in Dormouse");
        assertThat(result.code()).isEqualTo(code);
    }

    protected final void startApproval(String id) {
        ok("workflow", "start", APPROVAL, "\"lamp\"", "--id", id);
    }
}
