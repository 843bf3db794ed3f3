package dev.dormouse.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.support.ProgramProcess;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of docs/tutorial.md as the tutorial does. */
@Tag("process")
@Timeout(300)
class TutorialTest {
    private static final int TERMINATED = 143;

    @TempDir
    Path directory;

    @Test
    void firstInvoiceContinuesAfterKill() throws Exception {
        try (ProgramProcess first = ProgramProcess.start(directory, FirstInvoice.class)) {
            first.awaitOutput("To ada: reminder 1");
            first.kill();
            first.awaitExitCode();
        }
        try (ProgramProcess again = ProgramProcess.start(directory, FirstInvoice.class)) {
            again.awaitOutput("To ada: reminder 2");
            assertThat(again.output()).doesNotContain("invoice");
        }
    }

    @Test
    void otherNodeContinuesInvoicesOfKilledOne() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            String url = postgres.getJdbcUrl("postgres", "postgres");
            Process killed = service("one", url);
            Process survivor = service("two", url);
            try (Dormouse client =
                    Dormouse.client().store(url).remoteWorkflow(Invoice.class).open()) {
                Invoice invoice = client.workflow(Invoice.class, "invoice-1");
                WorkflowHandle<String> handle = client.start(() -> invoice.collect("ada", Duration.ofSeconds(6)));
                await().atMost(Duration.ofSeconds(60)).until(() -> invoice.reminders() == 1);
                killed.destroyForcibly().waitFor();
                await().atMost(Duration.ofSeconds(60)).until(() -> invoice.reminders() == 2);
                invoice.paid();
                assertThat(handle.result(Duration.ofSeconds(60))).isEqualTo("paid");
                assertThat(Files.readString(directory.resolve("two.txt"))).contains("thank you");
                survivor.destroy();
                assertThat(survivor.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(survivor.exitValue()).isEqualTo(TERMINATED);
            } finally {
                killed.destroyForcibly();
                survivor.destroyForcibly();
            }
        }
    }

    @Test
    void changeMeetsOnlyInvoicesThatStartAfterIt() {
        List<String> letters = new CopyOnWriteArrayList<>();
        try (Dormouse before = open(InvoiceWorkflow::new, letters)) {
            Invoice open = before.workflow(Invoice.class, "open");
            before.start(() -> open.collect("ada", Duration.ofSeconds(5)));
            // Its history shows that it has passed the changed line. A wait alone does not, as long as it lasts.
            await().atMost(Duration.ofSeconds(60)).until(() -> letters.contains("reminder 1"));
        }
        try (Dormouse after = open(dev.dormouse.examples.tutorial.next.InvoiceWorkflow::new, letters)) {
            after.workflow(Invoice.class, "open").paid();
            assertThat(after.handle("open", String.class).result(Duration.ofSeconds(30)))
                    .isEqualTo("paid");
            Invoice fresh = after.workflow(Invoice.class, "fresh");
            after.start(() -> fresh.collect("bob", Duration.ofHours(1)));
            await().until(() -> letters.contains("terms"));
        }
        assertThat(letters.stream().filter(letter -> !letter.startsWith("reminder")))
                .containsExactly("invoice", "thank you", "invoice", "terms");
    }

    private Dormouse open(Supplier<Invoice> implementation, List<String> letters) {
        return Dormouse.builder()
                .store("sqlite:" + directory.resolve("invoices.db"))
                .workflow(Invoice.class, implementation)
                .activities(Post.class, (customer, letter) -> letters.add(letter))
                .open();
    }

    private Process service(String name, String store) throws IOException {
        Path output = directory.resolve(name + ".txt");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        InvoiceService.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("STORE", store);
        builder.environment().put("PORT", "0");
        Process service = builder.start();
        await().atMost(Duration.ofSeconds(60))
                .until(() -> Files.readString(output).contains("Dashboard at http://127.0.0.1:"));
        return service;
    }
}
