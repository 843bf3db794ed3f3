package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.dag.run.ApprovalToken;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.api.Route;
import dev.dormouse.server.api.Router;
import dev.dormouse.testing.WorkflowHistories;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access control, on a server with three callers. */
class TokensTest {
    @TempDir
    static Path folder;

    private static final Map<Role, String> TOKENS = new EnumMap<>(Role.class);
    private static Shop shop;
    private static DormouseServer server;
    private static ApiClient web;

    @BeforeAll
    static void open() {
        shop = new Shop(folder.resolve("shop.db"));
        DormouseServer.Builder builder =
                DormouseServer.builder().dormouse(shop.dormouse).dags(shop.dags).port(0);
        for (Role role : Role.values()) {
            TOKENS.put(role, DormouseServer.newToken());
            builder.token(role.name(), role, DormouseServer.hash(TOKENS.get(role)));
        }
        server = builder.start();
        web = new ApiClient(server.url());
    }

    @AfterAll
    static void close() {
        server.close();
        shop.close();
    }

    private static ApiClient.Response as(Role role, String method, String path, String body) {
        return web.send(method, path, body, "Authorization", "Bearer " + TOKENS.get(role));
    }

    @Test
    void requestsWithoutATokenAreRefused() {
        ApiClient.Response answer = web.get("/api/v1/info");
        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.text("/error/name")).isEqualTo("NOT_AUTHENTICATED");
        assertThat(answer.header("WWW-Authenticate")).contains("Bearer");
        assertThat(web.get("/api/v1/nothing").status()).isEqualTo(401);
        assertThat(web.get("/metrics").status()).isEqualTo(401);
        assertThat(web.get("/api/v1/events/stream").status()).isEqualTo(401);
        assertThat(web.get("/healthz").status()).isEqualTo(200);
        assertThat(web.get("/readyz").status()).isEqualTo(200);
        for (String wrong :
                new String[] {"Bearer x", "Basic x", "Bearer ", "bearer", "Bearer " + TOKENS.get(Role.ADMIN) + "x"}) {
            assertThat(web.get("/api/v1/info", "Authorization", wrong).status()).isEqualTo(401);
        }
    }

    @Test
    void everyRouteAcceptsItsRoleAndHigherOnes() {
        for (Route route : new Api(shop.dormouse, shop.dags, false).router().routes()) {
            String path = Router.BASE + route.pattern().replaceAll("\\{\\w+}", "none");
            for (Role role : Role.values()) {
                String body = route.method().equals("GET") || route.method().equals("DELETE") ? null : "{}";
                ApiClient.Response answer = as(role, route.method(), path, body);
                boolean isAllowed = role.compareTo(route.role()) >= 0;
                assertThat(answer.text("/error/name").equals("ROLE_MISSING"))
                        .as(role + " " + route.method() + " " + path + " " + answer.body())
                        .isEqualTo(!isAllowed);
                assertThat(answer.status() == 403).isEqualTo(!isAllowed);
            }
        }
    }

    @Test
    void schedulesCannotBeChangedAsWorkflows() {
        String nightly = "{\"id\":\"nightly\",\"every\":\"PT1H\",\"workflow\":\"echo\",\"input\":1}";
        assertThat(as(Role.OPERATOR, "POST", "/api/v1/schedules", nightly).status())
                .isEqualTo(201);
        String path = "/api/v1/workflows/%25nightly";
        for (String what : new String[] {
            "/update {\"name\":\"delete\"}",
            "/signal {\"name\":\"x\"}",
            "/cancel {}",
            "/waits/0/move {\"in\":\"PT0S\"}",
            "/timers/x/move {\"in\":\"PT0S\"}"
        }) {
            String[] parts = what.split(" ", 2);
            ApiClient.Response refused = as(Role.OPERATOR, "POST", path + parts[0], parts[1]);
            assertThat(refused.status()).as(what + refused.body()).isEqualTo(400);
        }
        String batch = "{\"action\":\"cancel\",\"ids\":[\"%nightly\"]}";
        ApiClient.Response many = as(Role.OPERATOR, "POST", "/api/v1/workflows/batch", batch);
        assertThat(many.at("/results/0/ok").asBoolean()).as(many.body()).isFalse();
        assertThat(as(Role.ADMIN, "POST", path + "/terminate", "{}").status()).isEqualTo(400);
        assertThat(as(Role.READER, "GET", "/api/v1/schedules/nightly", null).status())
                .isEqualTo(200);
        assertThat(as(Role.OPERATOR, "DELETE", "/api/v1/schedules/nightly", null)
                        .status())
                .isEqualTo(403);
        assertThat(as(Role.ADMIN, "DELETE", "/api/v1/schedules/nightly", null).status())
                .isEqualTo(200);
    }

    @Test
    void onlyAdminsTerminateInBatches() {
        String body = "{\"action\":\"terminate\",\"ids\":[]}";
        assertThat(as(Role.OPERATOR, "POST", "/api/v1/workflows/batch", body).status())
                .isEqualTo(403);
        assertThat(as(Role.ADMIN, "POST", "/api/v1/workflows/batch", body).status())
                .isEqualTo(200);
    }

    @Test
    void readersSeeNoTokens() {
        shop.dags.start("release", "secret-1", Map.of());
        Awaitility.await()
                .until(() -> as(Role.OPERATOR, "GET", "/api/v1/approvals?workflow=secret-1", null)
                                .at("/items")
                                .size()
                        == 1);
        String path = "/api/v1/workflows/secret-1/dag";
        assertThat(as(Role.OPERATOR, "GET", path, null).text("/approvals/0/token"))
                .isNotEmpty();
        ApiClient.Response reader = as(Role.READER, "GET", path, null);
        assertThat(reader.text("/approvals/0/step")).isEqualTo("check");
        assertThat(reader.at("/approvals/0/token").isNull()).isTrue();
    }

    @Test
    void readersFindNoTokensInHistories() {
        shop.dags.start("release", "secret-2", Map.of());
        String approvals = "/api/v1/approvals?workflow=secret-2";
        Awaitility.await()
                .until(() ->
                        as(Role.OPERATOR, "GET", approvals, null).at("/items").size() == 1);
        String token = as(Role.OPERATOR, "GET", approvals, null).text("/items/0/token");
        String secret = ApprovalToken.of(token).secret();
        String path = "/api/v1/workflows/secret-2";
        for (String what : new String[] {"", "/history", "/result", "/dag", "/export"}) {
            ApiClient.Response seen = as(Role.READER, "GET", path + what, null);
            assertThat(seen.body()).as(what).doesNotContain(secret).doesNotContain(token);
        }
        assertThat(as(Role.READER, "GET", path + "/history", null).body()).contains("token of check");
        assertThat(as(Role.OPERATOR, "GET", path + "/export", null).body()).contains(secret);
        assertThat(as(Role.OPERATOR, "POST", "/api/v1/approvals/" + token + "/approve", "{}")
                        .status())
                .isEqualTo(200);
        for (String what : new String[] {"/history", "/export"}) {
            assertThat(as(Role.READER, "GET", path + what, null).body())
                    .contains("decide")
                    .doesNotContain(secret);
        }
    }

    @Test
    void exportsForReadersAreReplayedWithoutTheTokensOfActivities() {
        shop.dormouse.start("handsOut", "out-2", String.class, "x");
        Awaitility.await().until(() -> shop.tokens.containsKey("out-2"));
        shop.dormouse.completeActivity(shop.tokens.get("out-2"), "signed");
        assertThat(shop.dormouse.find("out-2", String.class).orElseThrow().result())
                .isEqualTo("signed");
        String path = "/api/v1/workflows/out-2/export";
        String whole = as(Role.OPERATOR, "GET", path, null).body();
        String shown = as(Role.READER, "GET", path, null).body();
        assertThat(shown).isNotEqualTo(whole).contains(new UUID(0, 0).toString());
        WorkflowHistories.replay(
                shown,
                builder -> builder.workflow(
                        "handsOut",
                        Object.class,
                        String.class,
                        (ctx, input) -> ctx.step("sign", String.class, () -> "")));
    }

    @Test
    void tokensInPayloadsAreNotShown() {
        String token = new ApprovalToken("w", "check", "ab".repeat(16)).text();
        String body = "{\"type\":\"echo\",\"id\":\"told\",\"input\":{\"token\":\"" + token + "\"}}";
        assertThat(as(Role.OPERATOR, "POST", "/api/v1/workflows", body).status())
                .isEqualTo(201);
        ApiClient.Response result = as(Role.READER, "GET", "/api/v1/workflows/told/result?wait=PT20S", null);
        assertThat(result.text("/result/json/token")).isEqualTo("…");
        for (String what : new String[] {"", "/history"}) {
            assertThat(as(Role.READER, "GET", "/api/v1/workflows/told" + what, null)
                            .body())
                    .doesNotContain(token);
        }
    }

    @Test
    void cookieIsSecureIfTheBrowserUsesTls() {
        String secret = "{\"token\":\"" + TOKENS.get(Role.READER) + "\"}";
        String origin = server.url().replace("http:", "https:");
        ApiClient.Response login = web.send("POST", "/login", secret, "X-Dormouse-Csrf", "1", "Origin", origin);
        assertThat(login.status()).as(login.body()).isEqualTo(200);
        assertThat(login.header("Set-Cookie").orElseThrow()).endsWith("; Secure");
        assertThat(web.send("POST", "/login", secret, ApiClient.OWN)
                        .header("Set-Cookie")
                        .orElseThrow())
                .doesNotContain("Secure");
    }

    @Test
    void largeLoginBodyIsRefused() {
        String large = "{\"token\":\"" + "x".repeat(100_000) + "\"}";
        assertThat(web.send("POST", "/login", large, ApiClient.OWN).status()).isEqualTo(413);
    }

    @Test
    void loginCookieIsHiddenFromScriptsAndOtherSites() {
        String secret = "{\"token\":\"" + TOKENS.get(Role.OPERATOR) + "\"}";
        ApiClient.Response login = web.send("POST", "/login", secret, ApiClient.OWN);
        assertThat(login.status()).isEqualTo(200);
        String cookie = login.header("Set-Cookie").orElseThrow();
        assertThat(cookie).contains("HttpOnly").contains("SameSite=Strict").contains("Path=/");
        assertThat(cookie).doesNotContain(TOKENS.get(Role.OPERATOR));
        String value = cookie.substring(0, cookie.indexOf(';'));
        assertThat(web.get("/api/v1/info", "Cookie", value).text("/role")).isEqualTo("operator");
        assertThat(web.send("POST", "/api/v1/events", "{\"name\":\"x\"}", "Cookie", value)
                        .status())
                .as("a cookie alone changes nothing")
                .isEqualTo(403);
        assertThat(web.send("POST", "/logout", null, "Cookie", value, "X-Dormouse-Csrf", "1")
                        .status())
                .isEqualTo(200);
        assertThat(web.get("/api/v1/info", "Cookie", value).status()).isEqualTo(401);
        assertThat(web.send("POST", "/login", "{\"token\":\"guess\"}", ApiClient.OWN)
                        .status())
                .isEqualTo(401);
        assertThat(web.send("POST", "/login", "{}", ApiClient.OWN).status()).isEqualTo(400);
        assertThat(web.send("POST", "/login", "{", ApiClient.OWN).status()).isEqualTo(400);
    }

    @Test
    void anotherAddressNeedsAToken() {
        assertThatThrownBy(() -> DormouseServer.builder()
                        .dormouse(shop.dormouse)
                        .address("0.0.0.0")
                        .port(0)
                        .start())
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.SERVER_NEEDS_TOKEN))
                .hasMessageContaining("DormouseServer.newToken()");
    }

    @Test
    void anyAddressIsAllowedWithAToken() {
        try (DormouseServer open = DormouseServer.builder()
                .dormouse(shop.dormouse)
                .address("0.0.0.0")
                .port(0)
                .token("ada", Role.READER, TOKENS.get(Role.READER))
                .start()) {
            ApiClient there = new ApiClient("http://127.0.0.1:" + open.port());
            assertThat(there.get("/api/v1/info", "Authorization", "Bearer " + TOKENS.get(Role.READER))
                            .text("/caller"))
                    .isEqualTo("ada");
        }
    }

    @Test
    void shortTokensAreRefused() {
        assertThatThrownBy(() -> DormouseServer.builder().token("ada", Role.READER, "secret"))
                .hasMessageContaining("[DM1006]")
                .hasMessageNotContaining("secret");
    }
}
