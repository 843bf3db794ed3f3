package dev.dormouse.examples.tutorial.next;

import dev.dormouse.examples.tutorial.Invoice;
import dev.dormouse.testing.WorkflowHistories;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OpenInvoiceTest {
    @Test
    void openInvoiceContinues() {
        Path history = Path.of("src/test/resources/histories/open-invoice.json");
        WorkflowHistories.replay(history, Invoice.class, InvoiceWorkflow::new);
    }
}
