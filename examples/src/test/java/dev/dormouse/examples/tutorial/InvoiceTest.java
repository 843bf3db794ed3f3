package dev.dormouse.examples.tutorial;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class InvoiceTest {
    private final List<String> letters = new CopyOnWriteArrayList<>();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder -> builder.workflow(Invoice.class, InvoiceWorkflow::new)
            .activities(Post.class, (customer, letter) -> letters.add(letter)));

    @Test
    void customerIsRemindedUntilTheInvoiceIsPaid(TestDormouse test) {
        Invoice invoice = test.dormouse().workflow(Invoice.class, "invoice-1");
        WorkflowHandle<String> handle = test.dormouse().start(() -> invoice.collect("ada", Duration.ofDays(14)));

        test.advance(Duration.ofDays(30));
        assertEquals(2, invoice.reminders());
        invoice.paid();

        assertEquals("paid", handle.result());
        assertEquals(List.of("invoice", "reminder 1", "reminder 2", "thank you"), letters);
    }

    @Test
    void unpaidInvoiceGoesToTheAgencyAfterEightWeeks(TestDormouse test) {
        Invoice invoice = test.dormouse().workflow(Invoice.class, "invoice-1");

        assertEquals("collection agency", invoice.collect("ada", Duration.ofDays(14)));
        assertEquals(Duration.ofDays(56), test.elapsed());
    }
}
