package dev.dormouse.examples.tutorial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.cli.Main;
import dev.dormouse.support.ProgramProcess;
import dev.dormouse.testing.WorkflowHistories;
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

/** Runs the programs and the commands of docs/tutorial.md as the tutorial does. */
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
            before.start(() -> open.collect("ada", Duration.ofHours(1)));
            await().atMost(Duration.ofSeconds(60)).until(() -> letters.contains("invoice"));
            Invoice reminded = before.workflow(Invoice.class, "reminded");
            before.start(() -> reminded.collect("cleo", Duration.ofSeconds(1)));
            await().atMost(Duration.ofSeconds(60)).until(() -> letters.contains("reminder 1"));
        }
        try (Dormouse after = open(dev.dormouse.examples.tutorial.next.InvoiceWorkflow::new, letters)) {
            for (String id : List.of("open", "reminded")) {
                after.workflow(Invoice.class, id).paid();
                assertThat(after.handle(id, String.class).result(Duration.ofSeconds(30)))
                        .isEqualTo("paid");
            }
            Invoice fresh = after.workflow(Invoice.class, "fresh");
            after.start(() -> fresh.collect("bob", Duration.ofHours(1)));
            await().until(() -> letters.contains("terms"));
        }
        assertThat(letters.stream().filter(letter -> !letter.startsWith("reminder")))
                .containsExactly("invoice", "invoice", "thank you", "thank you", "invoice", "terms");
    }

    @Test
    void commandsOfStepsFiveToSevenWork() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            String url = postgres.getJdbcUrl("postgres", "postgres");
            Process service = service("one", url);
            try {
                Commands commands = new Commands(url);
                List<String> postgresStep = Commands.of("## 5.");
                assertThat(postgresStep).hasSize(2);
                assertThat(commands.run(postgresStep.get(0))).contains(":" + service.pid(), "alive");
                commands.run(postgresStep.get(1));
                awaitOutput("one", "To bob: invoice");
                runDashboardStep(commands, Commands.of("## 6."));
                List<String> changeStep = Commands.of("## 7.");
                assertThat(changeStep).hasSize(8);
                commands.run(changeStep.get(0));
                awaitOutput("one", "To cleo: invoice");
                assertThat(commands.run(changeStep.get(1)))
                        .contains("Waits for a condition until", "InvoiceWorkflow.java");
                assertThat(commands.run(changeStep.get(2))).startsWith("Moved wait");
                awaitOutput("one", "To cleo: reminder 1");
                assertThat(commands.run(changeStep.get(3))).isEqualTo("1\n");
                commands.run(changeStep.get(4));
                commands.run(changeStep.get(5));
                Path history = directory.resolve("src/test/resources/histories/open-invoice.json");
                WorkflowHistories.replay(history, Invoice.class, InvoiceWorkflow::new);
                WorkflowHistories.replay(
                        history, Invoice.class, dev.dormouse.examples.tutorial.next.InvoiceWorkflow::new);
                service.destroy();
                assertThat(service.waitFor(60, TimeUnit.SECONDS)).isTrue();
                openAndPay(url, commands, changeStep.subList(6, 8));
            } finally {
                service.destroyForcibly();
            }
        }
    }

    private void runDashboardStep(Commands commands, List<String> lines) throws Exception {
        assertThat(lines).hasSize(5);
        assertThat(commands.run(lines.get(0))).startsWith("Started invoice-3");
        awaitOutput("one", "To ada: invoice");
        assertThat(commands.run(lines.get(1))).contains("Invoice", "Post.send");
        assertThat(commands.run(lines.get(2))).isEqualTo("0\n");
        assertThat(commands.run(lines.get(3))).startsWith("Signalled invoice-3.");
        assertThat(commands.run(lines.get(4))).isEqualTo("\"paid\"\n");
    }

    /** Runs the last commands of step 7 with a node that has the changed workflow. */
    private static void openAndPay(String url, Commands commands, List<String> lines) throws Exception {
        List<String> letters = new CopyOnWriteArrayList<>();
        try (Dormouse changed = Dormouse.builder()
                .store(url)
                .buildId("invoices-2")
                .workflow(Invoice.class, dev.dormouse.examples.tutorial.next.InvoiceWorkflow::new)
                .activities(Post.class, (customer, letter) -> letters.add(customer + ": " + letter))
                .open()) {
            commands.run(lines.get(0));
            assertThat(changed.handle("invoice-4", String.class).result(Duration.ofSeconds(60)))
                    .isEqualTo("paid");
            commands.run(lines.get(1));
            await().atMost(Duration.ofSeconds(60)).until(() -> letters.contains("dora: terms"));
        }
        assertThat(letters).contains("dora: invoice", "cleo: thank you").doesNotContain("cleo: terms");
    }

    /** The command line as a process, with the store that the environment names. */
    private final class Commands {
        private static final Path TUTORIAL = Path.of("../docs/tutorial.md");

        private final String store;

        Commands(String store) {
            this.store = store;
        }

        /** Returns the lines of a step that call dormouse, or prepare a folder for it. */
        static List<String> of(String step) throws IOException {
            String text = Files.readString(TUTORIAL);
            String section = text.substring(text.indexOf("\n" + step));
            return section.substring(0, section.indexOf("\n## ", 1))
                    .lines()
                    .filter(line -> line.matches("\\$ (dormouse|mkdir) .*"))
                    .map(line -> line.substring(2))
                    .toList();
        }

        /** Runs a line in a shell, as it is written. Returns its output; it must succeed and print no errors. */
        String run(String line) throws IOException, InterruptedException {
            Path out = directory.resolve("out.txt");
            Path err = directory.resolve("err.txt");
            String dormouse = "dormouse() { '" + Path.of(System.getProperty("java.home"), "bin", "java")
                    + "' -cp \"$CP\" " + Main.class.getName() + " \"$@\"; }";
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", dormouse + "\n" + line)
                    .directory(directory.toFile())
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile());
            builder.environment().keySet().removeAll(List.of("DORMOUSE_URL", "DORMOUSE_STORE"));
            builder.environment().put("CP", System.getProperty("java.class.path"));
            builder.environment().put("DORMOUSE_STORE", store);
            Process process = builder.start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).as(line).isTrue();
            assertThat(Files.readString(err)).as(line).isEmpty();
            assertThat(process.exitValue()).as(line).isZero();
            return Files.readString(out);
        }
    }

    private String output(String service) throws IOException {
        return Files.readString(directory.resolve(service + ".txt"));
    }

    private void awaitOutput(String service, String text) {
        await().atMost(Duration.ofSeconds(60)).until(() -> output(service).contains(text));
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
