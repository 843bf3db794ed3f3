package dev.dormouse.examples.payroll;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ActivityFailedException;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * A program that pays 10,000 employees, of whom one has no account. Arguments: the store, and the number of employees.
 */
public final class PayrollExample {
    private PayrollExample() {}

    public static void main(String[] args) {
        int employees = args.length > 1 ? Integer.parseInt(args[1]) : 10_000;
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Payroll.class, PayrollWorkflow::new)
                .activities(Bank.class, new SmallBank(employees))
                .open()) {
            Payroll payroll = dormouse.workflow(Payroll.class, "payroll-2030-01");
            WorkflowHandle<Payroll.Progress> handle = dormouse.start(() -> payroll.pay(Payroll.Progress.NONE));
            Payroll.Progress result = Objects.requireNonNull(handle.result());
            System.out.println("Paid " + result.paid() + ", failed " + result.failed() + ".");
        }
    }

    private record SmallBank(int employees) implements Bank {
        @Override
        public List<Integer> employeesAfter(int last, int limit) {
            return IntStream.rangeClosed(last + 1, Math.min(last + limit, employees))
                    .boxed()
                    .toList();
        }

        @Override
        public void pay(int employee) {
            if (employee == 13) {
                throw ActivityFailedException.nonRetryable("no account");
            }
        }
    }
}
