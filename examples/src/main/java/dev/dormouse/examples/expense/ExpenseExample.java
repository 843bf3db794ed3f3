package dev.dormouse.examples.expense;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * The lead does not answer, and the director approves after the first reminder. Arguments: the store, and the patience
 * before each reminder, such as {@code P1D}.
 */
public final class ExpenseExample {
    private ExpenseExample() {}

    public static void main(String[] args) throws InterruptedException {
        Duration patience = args.length > 1 ? Duration.parse(args[1]) : Duration.ofMillis(300);
        ConsoleMail mail = new ConsoleMail();
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Expense.class, ExpenseWorkflow::new)
                .activities(Mail.class, mail)
                .open()) {
            Expense expense = dormouse.workflow(Expense.class, "expense-1");
            WorkflowHandle<String> handle = dormouse.start(() -> expense.submit("ada", 480, patience));
            mail.directorIsReminded.await();
            expense.decide("director", true);
            System.out.println("The expense is " + handle.result() + ".");
        }
    }

    private static final class ConsoleMail implements Mail {
        private final CountDownLatch directorIsReminded = new CountDownLatch(1);

        @Override
        public void ask(String approver, String request) {
            System.out.println("To the " + approver + ": please approve " + request + ".");
        }

        @Override
        public void remind(String approver, String request, int number) {
            System.out.println("To the " + approver + ": reminder " + number + ", please approve " + request + ".");
            if (approver.equals("director")) {
                directorIsReminded.countDown();
            }
        }
    }
}
