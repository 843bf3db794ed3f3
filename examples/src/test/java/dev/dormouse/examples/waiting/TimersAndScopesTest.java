package dev.dormouse.examples.waiting;

import static dev.dormouse.examples.waiting.WaitingNodes.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.CancellationScope;
import dev.dormouse.DebouncedTimer;
import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.TimerChange;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.examples.ticket.Pager;
import dev.dormouse.examples.ticket.Ticket;
import dev.dormouse.examples.ticket.TicketWorkflow;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Timers and scopes. docs/waiting.md quotes this. */
class TimersAndScopesTest {

    @WorkflowInterface
    interface Draft {
        @WorkflowMethod
        String run();

        @SignalMethod
        void edited(String text);
    }

    static class DraftWorkflow implements Draft {
        private final DebouncedTimer<String> edits =
                Workflow.newDebouncedTimer(Duration.ofSeconds(30), Duration.ofMinutes(5));

        @Override
        public String run() {
            String text = edits.awaitLast(); // 30 s after the last edit, at most 5 minutes after the first
            return "saved " + text;
        }

        @Override
        public void edited(String text) { // a signal
            edits.touch(text);
        }
    }

    @Test
    void draftIsSavedWhenItsAuthorPauses() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Draft.class, DraftWorkflow::new))) {
            Draft draft = test.dormouse().workflow(Draft.class, "draft-1");
            WorkflowHandle<String> handle = test.dormouse().start(draft::run);
            draft.edited("a");
            test.advance(Duration.ofSeconds(20));
            draft.edited("ab");
            assertThat(handle.result()).isEqualTo("saved ab");
            assertThat(test.elapsed()).isEqualTo(Duration.ofSeconds(50));
        }
    }

    @WorkflowInterface
    interface Invoice {
        @WorkflowMethod
        String run();

        @SignalMethod
        void paid();

        @QueryMethod
        int reminders();
    }

    static class InvoiceWorkflow implements Invoice {
        private boolean paid;
        private int reminders;

        @Override
        public String run() {
            CancellationScope reminding = Workflow.newCancellationScope(this::remindEveryDay);
            Workflow.async(reminding::run);
            Workflow.await(() -> paid);
            reminding.cancel(); // whatever it waits for: a sleep or a step
            return "paid";
        }

        private void remindEveryDay() {
            while (true) {
                Workflow.sleep(Duration.ofDays(1));
                reminders++;
            }
        }

        @Override
        public void paid() {
            paid = true;
        }

        @Override
        public int reminders() {
            return reminders;
        }
    }

    @Test
    void remindersEndWithTheirScope() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Invoice.class, InvoiceWorkflow::new))) {
            Invoice invoice = test.dormouse().workflow(Invoice.class, "invoice-1");
            WorkflowHandle<String> handle = test.dormouse().start(invoice::run);
            test.advance(Duration.ofDays(2));
            assertThat(invoice.reminders()).isEqualTo(2);
            invoice.paid();
            assertThat(handle.result()).isEqualTo("paid");
            assertThat(test.elapsed()).isEqualTo(Duration.ofDays(2));
        }
    }

    @Test
    void namedTimerIsMovedFromOutside() {
        try (Dormouse dormouse = Dormouse.builder()
                .store("sqlite::memory:")
                .workflow(Ticket.class, TicketWorkflow::new)
                .activities(Pager.class, (person, ticket) -> {})
                .open()) {
            Ticket ticket = dormouse.workflow(Ticket.class, "ticket-7");
            Instant promised = Instant.now().plus(Duration.ofHours(1));
            dormouse.start(() -> ticket.handle("ticket-7", promised));

            WorkflowHandle<String> handle = dormouse.handle("ticket-7", String.class);
            Instant later = Instant.now().plus(Duration.ofHours(4));
            handle.timer("escalation").reschedule(later, "the customer agreed");

            assertThat(ticket.postponements()).extracting(TimerChange::reason).containsExactly("the customer agreed");
            ticket.resolve();
            assertThat(handle.result(PATIENCE)).isEqualTo("support");
        }
    }
}
