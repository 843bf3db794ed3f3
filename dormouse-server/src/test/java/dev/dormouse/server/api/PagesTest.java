package dev.dormouse.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.server.request.PageCursors;
import dev.dormouse.server.request.ReadBudget;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The content of a page depends on the stored runs, not on how long the store takes to find them. */
@Timeout(60)
class PagesTest {
    private static final int RUNS = 60;

    @TempDir
    private Path folder;

    private final AtomicInteger reads = new AtomicInteger();

    @Test
    void pageOfASlowStoreIsAsFullAsThatOfAFastStore() {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("pages.db"))
                .workflow("echo", String.class, String.class, (ctx, text) -> text)
                .open()) {
            for (int i = 0; i < RUNS; i++) {
                dormouse.start("echo", "echo-" + i, String.class, "x");
            }
            RunLookup.RunPageView fast = new RunLookup(oneAtATime(dormouse, 0)).page(ListOptions.ALL.withLimit(10));
            RunLookup.RunPageView slow = new RunLookup(oneAtATime(dormouse, 30)).page(ListOptions.ALL.withLimit(10));
            assertThat(fast.items()).hasSize(10);
            assertThat(slow.items()).hasSize(10);
            assertThat(slow.next()).isEqualTo(fast.next());
            assertThat(slow.searchedBackTo()).isEmpty();
        }
    }

    @Test
    void searchEndsAfterABoundedNumberOfReadsAndReportsItsProgress() {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:" + folder.resolve("pages.db"))
                .workflow("echo", String.class, String.class, (ctx, text) -> text)
                .open()) {
            for (int i = 0; i < RUNS; i++) {
                dormouse.start("echo", "echo-" + i, String.class, "x");
            }
            RunLookup runs = new RunLookup(oneAtATime(dormouse, 0));
            RunLookup.RunPageView first = runs.page(ListOptions.ALL.withLimit(50));
            assertThat(reads.get()).isEqualTo(ReadBudget.MAX);
            assertThat(first.items()).hasSize(ReadBudget.MAX);
            assertThat(first.searchedBackTo()).isPresent();
            ListOptions next = ListOptions.ALL
                    .withLimit(50)
                    .withPage(PageCursors.decode(first.next().orElseThrow()));
            assertThat(runs.page(next).items()).hasSize(ReadBudget.MAX).doesNotContainAnyElementsOf(first.items());
        }
    }

    /** Finds one run in each read, as a store does among many runs that do not match. */
    private Dormouse oneAtATime(Dormouse dormouse, long millis) {
        return (Dormouse) Proxy.newProxyInstance(
                Dormouse.class.getClassLoader(), new Class<?>[] {Dormouse.class}, (proxy, method, arguments) -> {
                    try {
                        if (method.getName().equals("list")) {
                            reads.incrementAndGet();
                            TimeUnit.MILLISECONDS.sleep(millis);
                            return dormouse.list(((ListOptions) arguments[0]).withLimit(1));
                        }
                        return method.invoke(dormouse, arguments);
                    } catch (InvocationTargetException failed) {
                        throw Optional.ofNullable(failed.getCause()).orElse(failed);
                    }
                });
    }
}
