package dev.dormouse.examples.expense;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class ExpenseTest {
    private static final Duration DAY = Duration.ofDays(1);

    private final List<String> mails = new CopyOnWriteArrayList<>();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder ->
            builder.workflow(Expense.class, ExpenseWorkflow::new).activities(Mail.class, new RecordedMail()));

    @Test
    void expenseExpiresAfterEveryApproverWasRemindedTwice(TestDormouse test) {
        Expense expense = test.dormouse().workflow(Expense.class, "expense");
        assertThat(expense.submit("ada", 480, DAY)).isEqualTo("EXPIRED");
        assertThat(mails).containsExactly("lead", "lead 1", "lead 2", "director", "director 1", "director 2");
        assertThat(test.elapsed()).isEqualTo(Duration.ofDays(6));
    }

    @Test
    void reminderIsNotSentAgainAfterACrash(TestDormouse test) {
        Expense expense = test.dormouse().workflow(Expense.class, "expense");
        test.dormouse().start(() -> expense.submit("ada", 480, DAY));
        test.advance(Duration.ofHours(36));
        test.restart();
        Expense again = test.dormouse().workflow(Expense.class, "expense");
        assertThat(again.decide("lead", true)).isEqualTo("APPROVED by lead");
        assertThat(test.dormouse().handle("expense", String.class).result()).isEqualTo("APPROVED by lead");
        assertThat(mails).containsExactly("lead", "lead 1");
    }

    @Test
    void onlyTheFirstDecisionCounts(TestDormouse test) {
        Expense expense = test.dormouse().workflow(Expense.class, "expense");
        WorkflowHandle<String> handle = test.dormouse().start(() -> expense.submit("ada", 480, DAY));
        expense.decide("lead", false);
        assertThatThrownBy(() -> expense.decide("director", true)).isInstanceOf(DormouseException.class);
        assertThat(handle.result()).isEqualTo("REJECTED by lead");
    }

    private final class RecordedMail implements Mail {
        @Override
        public void ask(String approver, String request) {
            mails.add(approver);
        }

        @Override
        public void remind(String approver, String request, int number) {
            mails.add(approver + " " + number);
        }
    }
}
