package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The number of requests that loading the dashboard in a real browser takes, with an empty cache and with a filled one.
 */
@Tag("browser")
@ExtendWith(Browser.class)
class PageLoadTest {
    private static final int FEW = 14;

    private static Chromium browser;
    private static Dormouse dormouse;
    private static DormouseServer server;

    @BeforeAll
    static void startAll(Chromium chromium) {
        browser = chromium;
        dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(Order.class, Order.Code::new)
                .open();
        Order order = dormouse.workflow(Order.class, "order-1");
        dormouse.start(() -> order.run("lamp"));
        server = DormouseServer.builder().dormouse(dormouse).port(0).start();
    }

    @AfterAll
    static void closeAll() {
        if (server != null) {
            server.close();
            dormouse.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "workflows", "workflows/order-1", "timers", "timers/none", "schedules", "nodes"})
    void pageLoadsWithFewRequestsAndThenWithNoneForFiles(String hash) {
        try (Page first = browser.page();
                Page second = first.another()) {
            load(first, hash);
            load(second, hash);
            assertThat(new HashSet<>(first.sent())).hasSizeLessThanOrEqualTo(FEW);
            assertThat(files(second)).containsExactly(server.url() + "/");
        }
    }

    private static List<String> files(Page page) {
        return page.sent().stream()
                .filter(url -> !url.contains("/api/v1/"))
                .map(url -> url.replaceFirst("#.*", ""))
                .toList();
    }

    private static void load(Page page, String hash) {
        page.visit(server.url() + "/#/" + hash).untilText(".tools", "live");
        page.until("document.querySelector('.card') && !document.querySelector('.loading')");
        page.until("document.fonts.status === 'loaded'");
    }
}
