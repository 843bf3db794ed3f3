package dev.dormouse.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.examples.agent.AgentExample;
import dev.dormouse.examples.billing.MembershipExample;
import dev.dormouse.examples.cart.CartExample;
import dev.dormouse.examples.cron.CleanupExample;
import dev.dormouse.examples.digest.DigestExample;
import dev.dormouse.examples.encryption.PrescriptionExample;
import dev.dormouse.examples.expense.ExpenseExample;
import dev.dormouse.examples.humantask.TranslationExample;
import dev.dormouse.examples.orders.OrdersExample;
import dev.dormouse.examples.payroll.PayrollExample;
import dev.dormouse.examples.polling.ExportExample;
import dev.dormouse.examples.ratelimit.SyncExample;
import dev.dormouse.examples.session.SessionExample;
import dev.dormouse.examples.transfer.TransferExample;
import dev.dormouse.examples.webhook.DeliveryExample;
import dev.dormouse.examples.window.WindowExample;
import dev.dormouse.examples.wordcount.WordCountExample;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The programs that need no terminal, as {@code java} starts them, on both stores. */
@Timeout(120)
class SampleProgramsTest {
    static final List<Program> PROGRAMS = List.of(
            new Program(AgentExample.class, AgentExample::main, "The answer: Ada has her money back."),
            new Program(CleanupExample.class, CleanupExample::main, "Deleted the files in /tmp before 2"),
            new Program(DeliveryExample.class, DeliveryExample::main, "The event is DELIVERED."),
            new Program(DigestExample.class, DigestExample::main, "One mail to ada: [First!, I agree., So do I.]"),
            new Program(ExpenseExample.class, ExpenseExample::main, "The expense is APPROVED by director."),
            new Program(ExportExample.class, ExportExample::main, "The file is job-orders.csv."),
            new Program(MembershipExample.class, MembershipExample::main, "Ada is no longer a member, and has paid "),
            new Program(OrdersExample.class, OrdersExample::main, "Sent [parcel with lamp, parcel with chair]."),
            new Program(PayrollExample.class, PayrollExample::main, "Paid 9999, failed [13]."),
            new Program(CartExample.class, CartExample::main, "ORDERED {chair=1, lamp=2} for 1300"),
            new Program(PrescriptionExample.class, PrescriptionExample::main, "ada received a parcel with aspirin."),
            new Program(SessionExample.class, SessionExample::main, "Bob is active: false"),
            new Program(SyncExample.class, SyncExample::main, "Ada has sent 20."),
            new Program(TransferExample.class, TransferExample::main, "Ada has 700 cents left."),
            new Program(TranslationExample.class, TranslationExample::main, "The translation: dormouse"),
            new Program(
                    WordCountExample.class,
                    WordCountExample::main,
                    "The words: {again=10, dormouse=20, on=10, sleeps=20, the=20}"),
            new Program(WindowExample.class, WindowExample::main, "Processed 40 records."));

    /**
     * A program.
     *
     * @param says a part of its output
     */
    record Program(Class<?> name, Main main, String says) {
        @Override
        public String toString() {
            return name.getSimpleName();
        }
    }

    interface Main {
        void run(String... arguments) throws Exception;
    }

    @TempDir
    Path directory;

    @Tag("disk")
    @ParameterizedTest
    @FieldSource("PROGRAMS")
    void programRunsOnSqlite(Program program) throws Exception {
        check(program, "sqlite:" + directory.resolve("sample.db"));
    }

    @Tag("postgres")
    @Test
    void allProgramsRunOnOnePostgres() throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofSeconds(60))
                .start()) {
            for (Program program : PROGRAMS) {
                check(program, postgres.getJdbcUrl("postgres", "postgres"));
            }
        }
    }

    private static void check(Program program, String store) throws Exception {
        PrintStream console = System.out;
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        System.setOut(new PrintStream(output, true, StandardCharsets.UTF_8));
        try {
            program.main().run(store);
        } finally {
            System.setOut(console);
        }
        assertThat(output.toString(StandardCharsets.UTF_8))
                .as(program.toString())
                .contains(program.says());
    }
}
