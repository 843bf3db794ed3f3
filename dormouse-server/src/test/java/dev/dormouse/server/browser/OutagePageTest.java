package dev.dormouse.server.browser;

import dev.dormouse.Dormouse;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Browser;
import dev.dormouse.server.chromium.Chromium;
import dev.dormouse.server.chromium.Page;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard while the store is locked. */
@Tag("browser")
@ExtendWith(Browser.class)
class OutagePageTest {
    @TempDir
    Path folder;

    @Test
    void outageIsShownAboveThePageUntilItHasEnded(Chromium browser) throws Exception {
        Path file = folder.resolve("a.db");
        try (Dormouse dormouse = Dormouse.builder()
                        .store("sqlite:" + file)
                        .workflow("hello", String.class, String.class, (ctx, name) -> "hello " + name)
                        .open();
                DormouseServer server =
                        DormouseServer.builder().dormouse(dormouse).port(0).start();
                Page page = browser.page()) {
            page.visit(server.url() + "/#/").untilText(".tools", "live");
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + file);
                    Statement statement = other.createStatement()) {
                statement.execute("begin immediate");
                CompletableFuture<Void> unused =
                        CompletableFuture.runAsync(() -> dormouse.start("hello", "h", String.class, "ada"));
                page.untilText("main [role=alert]", "The store is slow or locked");
                statement.execute("rollback");
            }
            page.until("!document.querySelector('main [role=alert]')");
        }
    }
}
