package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server with tokens: the dashboard asks for one, and shows what its role allows. */
@Tag("browser")
@ExtendWith(Browser.class)
class LoginTest {

    private static final String SECRET = DormouseServer.newToken();

    private static Chromium browser;
    private static Dormouse dormouse;
    private static DormouseServer server;

    @BeforeAll
    static void startAll(Chromium chromium) {
        browser = chromium;
        dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow("nap", String.class, String.class, (ctx, name) -> {
                    ctx.sleep(Duration.ofDays(1));
                    return name;
                })
                .open();
        server = DormouseServer.builder()
                .dormouse(dormouse)
                .port(0)
                .token("ada", Role.READER, SECRET)
                .start();
    }

    @AfterAll
    static void closeAll() {
        if (server != null) {
            server.close();
            dormouse.close();
        }
    }

    @Test
    void loginIsRequiredAndReadersGetNoButtonsThatChange() {
        dormouse.start("nap", "nap-1", String.class, "ada");
        try (Page page = browser.page()) {
            page.visit(server.url() + "/#/workflows/nap-1").untilText(".login", "needs a token");
            page.fill("Token", "wrong").click("Log in").untilText(".login [role=alert]", "Expected");
            page.fill("Token", SECRET).click("Log in").untilText("h1", "nap-1").untilText(".tools", "live");
            page.untilText(".title .buttons", "Export");
            assertThat(page.read("text('.buttons')")).doesNotContain("Cancel", "Terminate", "Signal");
            assertThat(page.read("document.cookie")).isEmpty();
            page.click("Log out").untilText(".login", "needs a token");
            page.visit(server.url() + "/").untilText(".login", "needs a token");
        }
    }
}
