package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.OtherSite;
import dev.dormouse.server.chromium.Page;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Another site in the same browser tries to reach the server: with a form, with a script, and under its own host name.
 */
@Tag("browser")
@ExtendWith(Browser.class)
class ForgeryTest {

    private static Chromium browser;
    private static Dormouse dormouse;
    private static DormouseServer server;
    private static OtherSite site;

    @BeforeAll
    static void startAll(Chromium chromium) throws IOException {
        browser = chromium;
        dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow("nap", String.class, String.class, (ctx, name) -> {
                    ctx.sleep(Duration.ofDays(1));
                    return name;
                })
                .open();
        server = DormouseServer.builder().dormouse(dormouse).port(0).start();
        site = OtherSite.start();
    }

    @AfterAll
    static void closeAll() {
        if (site != null) {
            site.close();
            server.close();
            dormouse.close();
        }
    }

    @Test
    void formOfAnotherSiteChangesNothing() {
        WorkflowHandle<String> nap = dormouse.start("nap", "nap-form", String.class, "ada");
        site.postsForm(server.url() + "/api/v1/workflows/nap-form/cancel");
        try (Page other = browser.page()) {
            other.visit(site.url()).until("location.origin === '" + server.url() + "'");
            other.until("document.body.innerText.includes('DM')");
            assertThat(other.answers()).contains("403 " + server.url() + "/api/v1/workflows/nap-form/cancel");
        }
        assertThat(nap.describe().status().isClosed()).isFalse();
        assertThat(nap.describe().historyLength()).isLessThan(4);
    }

    @Test
    void scriptOfAnotherSiteNeitherChangesNorReads() {
        WorkflowHandle<String> nap = dormouse.start("nap", "nap-script", String.class, "ada");
        site.shows("<script>window.said = []; const say = text => said.push(text);"
                + "fetch('" + server.url()
                + "/api/v1/workflows/nap-script/terminate', {method: 'POST', mode: 'no-cors', body: '{}'})"
                + ".then(() => say('sent'), () => say('failed'));"
                + "fetch('" + server.url() + "/api/v1/workflows', {headers: {'X-Dormouse-Csrf': '1'}})"
                + ".then(() => say('read'), () => say('unread'));"
                + "</script>");
        try (Page other = browser.page()) {
            other.visit(site.url()).until("window.said.length === 2");
            assertThat(other.read("window.said")).contains("unread");
            assertThat(other.answers()).noneMatch(answer -> answer.startsWith("2") && answer.contains(server.url()));
        }
        assertThat(nap.describe().status().isClosed()).isFalse();
    }

    @Test
    void serverDoesNotAnswerUnderAnUnknownName() {
        int port = URI.create(server.url()).getPort();
        try (Page rebound = browser.page()) {
            rebound.visit("http://rebound.example:" + port + "/api/v1/workflows")
                    .until("document.body.innerText.includes('DM')");
            assertThat(rebound.read("document.body.innerText"))
                    .contains("Expected")
                    .doesNotContain("items");
            assertThat(rebound.answers()).allMatch(answer -> answer.startsWith("403 "));
            rebound.visit("http://rebound.example:" + port + "/").until("document.body.innerText.includes('DM')");
        }
    }
}
