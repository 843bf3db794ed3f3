package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.server.api.Role;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Every change writes an audit line with the caller, its role, the request, the ids and the outcome. */
class AuditTest {
    private static final String TOKEN = DormouseServer.newToken();

    @TempDir
    Path folder;

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dormouse.audit");

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(lines);
    }

    @Test
    void changesAreLoggedWithoutPayloads() {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = DormouseServer.builder()
                        .dormouse(shop.dormouse)
                        .port(0)
                        .token("ada", Role.OPERATOR, TOKEN)
                        .start()) {
            ApiClient web = new ApiClient(server.url());
            String[] ada = {"Authorization", "Bearer " + TOKEN};
            web.get("/api/v1/workflows", ada);
            web.send("POST", "/api/v1/workflows", "{\"type\":\"echo\",\"id\":\"order 1\",\"input\":\"SECRET\"}", ada);
            web.send("POST", "/api/v1/workflows/order%201/cancel", "{\"reason\":\"SECRET\"}", ada);
            web.send("POST", "/api/v1/workflows/order%0A1/terminate", "{}", ada);
            web.send("POST", "/api/v1/workflows/none/query", "{\"name\":\"state\"}", ada);
            web.send("POST", "/api/v1/workflows/batch", "{\"action\":\"retry\",\"ids\":[\"a\",\"b\"]}", ada);
            web.send("POST", "/api/v1/activities/SECRET-TOKEN/complete", "{\"result\":1}", ada);
            web.send("POST", "/api/v1/approvals/SECRET-TOKEN/approve", "{}", ApiClient.OWN);
            web.send("POST", "/login", "{\"token\":\"" + TOKEN + "\"}", ApiClient.OWN);
        }
        List<String> written = List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
        assertThat(written).hasSize(9);
        assertThat(written.get(0))
                .isEqualTo("who=ada role=operator what=\"POST /workflows\" id=\"order 1\" outcome=201");
        assertThat(written.get(1))
                .startsWith("who=ada role=operator what=\"POST /workflows/{id}/cancel\" id=\"order 1\"");
        assertThat(written.get(2))
                .isEqualTo("who=ada role=operator what=\"POST /workflows/{id}/terminate\" id=order?1 outcome=403");
        assertThat(written.get(3)).isEqualTo("who=ada role=operator what=\"batch RETRY\" id=a outcome=refused");
        assertThat(written.get(5)).isEqualTo("who=ada role=operator what=\"POST /workflows/batch\" outcome=200");
        assertThat(written.get(6)).contains("token=SECRET-T…").contains("outcome=400");
        assertThat(written.get(7)).isEqualTo("who=unknown from=127.0.0.1 what=\"POST /api/v1/approvals\" outcome=401");
        assertThat(written.get(8)).isEqualTo("who=ada from=127.0.0.1 what=\"POST /login\" outcome=200");
        assertThat(written.toString())
                .doesNotContain("SECRET\"")
                .doesNotContain("SECRET-TOKEN")
                .doesNotContain(TOKEN);
    }

    @Test
    void inputCannotForgeLinesOrFieldsOfTheLog() {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = DormouseServer.builder()
                        .dormouse(shop.dormouse)
                        .dags(shop.dags)
                        .port(0)
                        .token("ada", Role.OPERATOR, TOKEN)
                        .start()) {
            ApiClient web = new ApiClient(server.url());
            String[] ada = {"Authorization", "Bearer " + TOKEN};
            web.send("POST", "/api/v1/approvals/%0Awho=ad/approve", "{}", ada);
            web.send("POST", "/api/v1/workflows/a%C2%85b%C2%9B2J%E2%80%AEc/cancel", "{}", ada);
            web.send("POST", "/api/v1/workflows/x%20outcome=200%20who=bob/cancel", "{}", ada);
            web.send("POST", "/api/v1/dags/release/start", "{\"id\":\"rel-1\"}", ada);
            web.send("POST", "/api//v1/Approvals/SECRET-TOKEN/approve", "{}", ada);
            web.send("POST", "/Approvals/SECRET-TOKEN/approve", "{}", ada);
        }
        List<String> written = List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
        assertThat(written).hasSize(6);
        assertThat(written.get(0)).contains(" token=\"?who=ad\" outcome=400");
        assertThat(written.get(1)).contains(" id=a?b?2J?c outcome=404");
        assertThat(written.get(2)).endsWith(" id=\"x outcome=200 who=bob\" outcome=404");
        assertThat(written.get(3)).endsWith(" name=release id=rel-1 outcome=201");
        assertThat(written).noneMatch(line -> line.contains("SECRET-TOKEN"));
    }

    @Test
    void refusedRequestsCannotFillTheLog() {
        try (Shop shop = new Shop(folder.resolve("shop.db"));
                DormouseServer server = DormouseServer.builder()
                        .dormouse(shop.dormouse)
                        .settings(ServerSettings.DEFAULT.port(0).requestsPerSecond(5))
                        .start()) {
            ApiClient web = new ApiClient(server.url());
            int tooMany = 0;
            for (int i = 0; i < 100; i++) {
                tooMany += web.send("POST", "/api/v1/events", "{}", "Origin", "http://evil")
                                        .status()
                                == 429
                        ? 1
                        : 0;
            }
            assertThat(tooMany).isPositive();
            assertThat(lines.list).hasSize(100 - tooMany);
        }
    }
}
