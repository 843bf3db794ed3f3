package dev.dormouse.examples.payroll;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.error.ActivityFailedException;
import dev.dormouse.examples.payroll.Payroll.Progress;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PayrollTest {
    private final FakeBank bank = new FakeBank();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(
            builder -> builder.workflow(Payroll.class, PayrollWorkflow::new).activities(Bank.class, bank));

    @Test
    void tenThousandArePaidAndTheFailedOneIsReported(TestDormouse test) {
        bank.employees = 10_000;
        Payroll payroll = test.dormouse().workflow(Payroll.class, "payroll");
        assertThat(payroll.pay(Progress.NONE)).isEqualTo(new Progress(10_000, 9_999, List.of(13)));
        assertThat(bank.payments).hasSize(9_999).doesNotContainKey(13);
        assertThat(bank.payments.values()).containsOnly(1);
    }

    @Test
    void crashInTheMiddleRepeatsOnlyPaymentsInFlight(TestDormouse test) {
        bank.employees = 2_500;
        bank.retriedEmployee = 1_700;
        Payroll payroll = test.dormouse().workflow(Payroll.class, "payroll");
        test.dormouse().start(() -> payroll.pay(Progress.NONE));
        test.advance(Duration.ofMillis(500)); // employee 1,700 waits for its second attempt
        assertThat(payroll.progress().last()).isEqualTo(1_000);
        test.restart();
        Progress end = test.dormouse().handle("payroll", Progress.class).result();
        assertThat(end).isEqualTo(new Progress(2_500, 2_499, List.of(13)));
        assertThat(bank.payments.values()).containsOnly(1);
    }

    private static final class FakeBank implements Bank {
        private final Map<Integer, Integer> payments = new ConcurrentHashMap<>();
        private int employees;
        private int retriedEmployee;

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
            if (employee == retriedEmployee) {
                retriedEmployee = 0;
                throw new IllegalStateException("busy");
            }
            payments.merge(employee, 1, Integer::sum);
        }
    }
}
