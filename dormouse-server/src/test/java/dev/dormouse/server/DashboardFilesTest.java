package dev.dormouse.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard's files over HTTP: which of them a browser may keep, and how scripts are joined. */
class DashboardFilesTest {
    private static final Pattern VERSIONED = Pattern.compile("\"([0-9a-f]{24})/([^\"]+)\"");

    @TempDir
    Path folder;

    private Shop shop;
    private DormouseServer server;
    private ApiClient web;

    @BeforeEach
    void start() {
        shop = new Shop(folder.resolve("shop.db"));
        server = DormouseServer.builder().dormouse(shop.dormouse).port(0).start();
        web = new ApiClient(server.url());
    }

    @AfterEach
    void stop() {
        server.close();
        shop.close();
    }

    @Test
    void versionedFilesAreCachedPermanentlyAndThePageIsNot() {
        ApiClient.Response page = web.get("/");
        assertThat(page.header("Cache-Control")).contains("no-cache");
        List<MatchResult> files = VERSIONED.matcher(page.body()).results().toList();
        assertThat(files).extracting(file -> file.group(2)).contains("app.js", "style.css", "theme.js");
        for (MatchResult file : files) {
            ApiClient.Response answer = web.get("/" + file.group(1) + "/" + file.group(2));
            assertThat(answer.status()).as(file.group()).isEqualTo(200);
            assertThat(answer.header("Cache-Control").orElse("")).contains("immutable");
        }
    }

    @Test
    void scriptsAreBundledBelowTheVersionAndSingleWithoutIt() {
        String version = version();
        ApiClient.Response joined = web.get("/" + version + "/app.js");
        assertThat(joined.body())
                .doesNotContainPattern("(?m)^(import|export)\\b")
                .contains("sourceMappingURL=app.js.map");
        assertThat(web.get("/" + version + "/stream-worker.js").body()).contains("class Stream");
        assertThat(web.get("/" + version + "/app.js.map").body()).contains("\"../pages/overview.js\"");
        ApiClient.Response single = web.get("/app.js");
        assertThat(single.body()).contains("import {Overview} from './pages/overview.js';");
        assertThat(single.header("Cache-Control")).contains("no-cache");
    }

    @Test
    void urlOfAnotherVersionWorksButIsNotCached() {
        String other = "0".repeat(24);
        ApiClient.Response answer = web.get("/" + other + "/app.js");
        assertThat(answer.body()).isEqualTo(web.get("/" + version() + "/app.js").body());
        assertThat(answer.header("Cache-Control")).contains("no-cache");
        for (String path : new String[] {"/../ServerFile.class", "/none.js", "/", "", "/%2e%2e/app.js"}) {
            assertThat(web.get("/" + other + path).status()).as(path).isBetween(400, 404);
        }
    }

    @Test
    void bundledScriptsAreCompressed() {
        ApiClient.Response answer = web.get("/" + version() + "/app.js", "Accept-Encoding", "gzip");
        assertThat(answer.header("Content-Encoding")).contains("gzip");
        assertThat(answer.body().length()).isLessThan(60_000);
    }

    private String version() {
        return VERSIONED
                .matcher(web.get("/").body())
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
    }
}
