package dev.dormouse.cli.base;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.FakeServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists that span several pages of the API. */
class ListPagesTest {
    private FakeServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeServer();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void listIsReadPageByPageUpToTheLimit() {
        String page = "{\"items\": [{\"workflowId\": \"a\"}], \"next\": \"%s\"}";
        server.on("GET /workflows?limit=3", 200, page.formatted("x"))
                .on("GET /workflows?limit=2&page=x", 200, page.formatted("y"))
                .on("GET /workflows?limit=1&page=y", 200, page.formatted("z"));
        CliResult ran = CliResult.run("workflow", "list", "-o", "ids", "--limit", "3", "--url", server.url());
        assertThat(ran.out()).isEqualTo("a\na\na\n");
        assertThat(ran.err()).isEqualTo("There are more: add --limit 30 or --all.\n");
        server.on("GET /workflows", 200, page.formatted("z"));
        CliResult circle = CliResult.run("workflow", "list", "--all", "--url", server.url());
        assertThat(circle.code()).isEqualTo(1);
        assertThat(circle.err()).contains("its pages repeat");
    }
}
