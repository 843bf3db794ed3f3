package dev.dormouse.server.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many tabs of one browser. A browser opens six connections to a server, and each live stream would hold one of them.
 */
@Tag("browser")
@ExtendWith(Browser.class)
class TabsTest {
    private static final int TABS = 10;
    private static final String COMPLETED = "document.querySelectorAll('.stat .value')[2].textContent";

    private final List<Page> tabs = new ArrayList<>();
    private Dormouse dormouse;
    private DormouseServer server;

    @BeforeEach
    void start() {
        dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow("hello", String.class, String.class, (ctx, name) -> "hello " + name)
                .workflow("nap", Integer.class, String.class, (ctx, hours) -> {
                    ctx.sleep(Duration.ofHours(hours));
                    return "slept";
                })
                .open();
        server = DormouseServer.builder().dormouse(dormouse).port(0).start();
    }

    @AfterEach
    void stop() {
        tabs.forEach(Page::close);
        server.close();
        dormouse.close();
    }

    @Test
    void tenTabsLoadAndReceiveChanges(Chromium browser) {
        open(browser, TABS);
        tabs.forEach(tab -> tab.visit(server.url() + "/#/").untilText(".tools", "live"));
        tabs.forEach(tab -> tab.until(COMPLETED + " === '0'"));
        dormouse.start("hello", "hello-1", String.class, "ada").result();
        tabs.forEach(tab -> tab.until(COMPLETED + " === '1'"));
        tabs.forEach(tab -> assertThat(tab.complaints()).isEmpty());
        assertThat(streams()).isEqualTo(1);
    }

    @Test
    void eachTabReceivesChangesOfTheRunThatItShows(Chromium browser) {
        open(browser, TABS);
        for (int i = 0; i < TABS; i++) {
            dormouse.start("nap", "nap-" + i, String.class, 1);
            tabs.get(i).visit(server.url() + "/#/workflows/nap-" + i).untilText(".tools", "live");
        }
        for (int i = 0; i < TABS; i++) {
            tabs.get(i).untilText(".banner", "Waiting for");
            dormouse.find("nap-" + i, String.class).orElseThrow().terminate("enough");
            tabs.get(i).untilText(".banner", "Terminated");
        }
    }

    @Test
    void noStreamIsOpenWhileEveryTabIsHidden(Chromium browser) {
        open(browser, 2);
        tabs.forEach(tab -> tab.visit(server.url() + "/#/").untilText(".tools", "live"));
        tabs.get(0).hide(true);
        dormouse.start("hello", "hello-1", String.class, "ada").result();
        tabs.get(1).until(COMPLETED + " === '1'");
        tabs.get(1).hide(true);
        int more = startUntilNoStreamIsOpen();
        dormouse.start("hello", "hello-2", String.class, "ada").result();
        tabs.get(0).hide(false).until(COMPLETED + " === '" + (2 + more) + "'").untilText(".tools", "live");
    }

    @Test
    void tabsAreIndependentWithoutASharedWorker(Chromium browser) {
        open(browser, 1);
        Page tab = tabs.get(0).before("delete window.SharedWorker");
        tab.visit(server.url() + "/#/").untilText(".tools", "live").until(COMPLETED + " === '0'");
        dormouse.start("hello", "hello-1", String.class, "ada").result();
        tab.until(COMPLETED + " === '1'").hide(true);
        startUntilNoStreamIsOpen();
    }

    /**
     * Starts runs until the server has no stream: it notices that a page has closed one when it writes to it, at the
     * latest at its next heartbeat. Returns the number of runs.
     */
    private int startUntilNoStreamIsOpen() {
        AtomicInteger started = new AtomicInteger();
        await().atMost(Duration.ofSeconds(40)).until(() -> {
            dormouse.start("hello", "more-" + started.incrementAndGet(), String.class, "ada")
                    .result();
            return streams() == 0;
        });
        return started.get();
    }

    private void open(Chromium browser, int number) {
        tabs.add(browser.page());
        while (tabs.size() < number) {
            tabs.add(tabs.get(0).another());
        }
    }

    /** Returns the number of streams: each has a server thread that writes to it. */
    private static long streams() {
        return Thread.getAllStackTraces().entrySet().stream()
                .filter(thread -> thread.getKey().getName().equals("dormouse-server-stream"))
                .filter(thread -> List.of(thread.getValue()).toString().contains("StreamClient.writeTo"))
                .count();
    }
}
