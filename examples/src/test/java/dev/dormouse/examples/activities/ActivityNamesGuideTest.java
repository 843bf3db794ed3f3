package dev.dormouse.examples.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.ActivityInterface;
import dev.dormouse.ActivityMethod;
import dev.dormouse.ActivityOptions;
import dev.dormouse.Compensate;
import dev.dormouse.RetryPolicy;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The code that docs/activities.md and docs/sagas.md quote about names, options and compensations of activities. */
class ActivityNamesGuideTest {
    @ActivityInterface
    interface Payments {
        @ActivityMethod(name = "pay")
        String transfer(String account, int cents);

        @ActivityMethod(name = "payAll")
        String transfer(String account, List<Integer> cents);

        @Compensate(forActivity = "pay", evenIfFailed = true)
        void refund(String account, int cents, String receipt);
    }

    private static final ActivityOptions ONCE = ActivityOptions.DEFAULT.withRetry(RetryPolicy.NONE);
    private static final ActivityOptions PATIENT = ActivityOptions.DEFAULT.withAttemptTimeout(Duration.ofMinutes(1));

    private final List<String> log = new ArrayList<>();

    private String pay(WorkflowContext ctx, String account) {
        Payments payments = ctx.activities(Payments.class, ONCE, Map.of("refund", PATIENT));
        return payments.transfer(account, 995);
    }

    private final class Bank implements Payments {
        @Override
        public String transfer(String account, int cents) {
            log.add("pay " + account);
            if (account.equals("slow")) {
                throw new IllegalStateException("no answer"); // the money may have been moved
            }
            return "r-1";
        }

        @Override
        public String transfer(String account, List<Integer> cents) {
            return "r-2";
        }

        @Override
        public void refund(String account, int cents, String receipt) {
            log.add("refund " + account + " " + receipt);
            if (log.size() < 4) {
                throw new IllegalStateException("no answer");
            }
        }
    }

    @Test
    void failedPaymentIsRefundedByACompensationThatIsRetried() {
        try (TestDormouse test =
                TestDormouse.open(builder -> builder.workflow("pay", String.class, String.class, this::pay)
                        .activities(Payments.class, new Bank()))) {
            WorkflowHandle<String> paid = test.dormouse().start("pay", "p-1", String.class, "ada");
            assertThat(paid.result()).isEqualTo("r-1");
            assertThat(paid.history().toString()).contains("Payments.pay");
            log.clear();
            WorkflowHandle<String> slow = test.dormouse().start("pay", "p-2", String.class, "slow");
            assertThatThrownBy(slow::result).hasMessageContaining("no answer");
            assertThat(log).containsExactly("pay slow", "refund slow null", "refund slow null", "refund slow null");
        }
    }
}
