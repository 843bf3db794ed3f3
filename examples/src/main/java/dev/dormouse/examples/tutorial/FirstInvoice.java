package dev.dormouse.examples.tutorial;

import dev.dormouse.Dormouse;
import java.time.Duration;

/**
 * A program that runs one invoice with ten seconds of patience. Stop it at any time and run it again: the invoice
 * continues.
 */
public class FirstInvoice {
    public static void main(String[] args) {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite:first.db")
                .workflow(Invoice.class, InvoiceWorkflow::new)
                .activities(Post.class, new ConsolePost())
                .open()) {
            Invoice invoice = dormouse.workflow(Invoice.class, "invoice-1"); // a stub for workflow id "invoice-1"
            String result = invoice.collect("ada", Duration.ofSeconds(10)); // starts it, or finds it, and waits
            System.out.println(result);
        }
    }
}
