package dev.dormouse.examples.billing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Activity;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.examples.billing.Membership.State;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MembershipTest {
    private static final Duration MONTH = Duration.ofDays(30);

    private final FakeBank bank = new FakeBank();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder ->
            builder.workflow(Membership.class, MembershipWorkflow::new).activities(Bank.class, bank));

    private WorkflowHandle<Integer> start(TestDormouse test) {
        Membership membership = test.dormouse().workflow(Membership.class, "membership");
        return test.dormouse().start(() -> membership.run(new State("ada", 10, MONTH, test.now(), 0)));
    }

    @Test
    void newPriceIsKeptWhenTheRunContinuesAsNew(TestDormouse test) {
        WorkflowHandle<Integer> handle = start(test);
        Membership membership = test.dormouse().workflow(Membership.class, "membership");
        test.advance(MONTH.multipliedBy(11)); // the twelfth charge: the next run has begun
        assertThat(membership.changePrice(20)).isEqualTo(10);
        test.advance(MONTH.multipliedBy(14)); // 26 charges: the third run
        membership.cancel();
        assertThat(handle.result()).isEqualTo(12 * 10 + 14 * 20);
        assertThat(bank.charges.values()).hasSize(26);
    }

    @Test
    void chargeWhoseAnswerWasLostIsNotMadeTwice(TestDormouse test) {
        bank.lostAnswers = 3;
        start(test);
        test.advance(Duration.ofHours(1));
        assertThat(test.dormouse().workflow(Membership.class, "membership").paid())
                .isEqualTo(10);
        assertThat(bank.charges.values()).containsExactly(10);
        assertThat(bank.calls).isEqualTo(4);
    }

    @Test
    void cancelDuringTheLastChargeOfARunCounts(TestDormouse test) {
        WorkflowHandle<Integer> handle = start(test);
        test.advance(MONTH.multipliedBy(10)); // eleven charges
        bank.lostAnswers = 1;
        test.advance(MONTH);
        test.dormouse().workflow(Membership.class, "membership").cancel(); // before the second attempt
        assertThat(handle.result()).isEqualTo(12 * 10);
        assertThat(bank.charges).hasSize(12);
    }

    @Test
    void overdueMembershipCanBeCancelled(TestDormouse test) {
        Membership membership = test.dormouse().workflow(Membership.class, "membership");
        bank.lostAnswers = 1;
        WorkflowHandle<Integer> handle = test.dormouse()
                .start(() ->
                        membership.run(new State("ada", 10, MONTH, test.now().minus(MONTH.multipliedBy(5)), 0)));
        membership.cancel();
        assertThat(handle.result()).isLessThanOrEqualTo(10);
    }

    @Test
    void customerWhoCannotPayForAWeekIsSuspended(TestDormouse test) {
        bank.lostAnswers = Integer.MAX_VALUE;
        assertThat(start(test).result()).isZero();
        assertThat(bank.suspended).isEqualTo("ada: the bank does not answer");
        assertThat(test.elapsed()).isBetween(Duration.ofDays(6), Duration.ofDays(8));
    }

    private static final class FakeBank implements Bank {
        private final Map<String, Integer> charges = new LinkedHashMap<>();
        private int lostAnswers;
        private int calls;
        private String suspended = "";

        @Override
        public void charge(String customer, int cents) {
            calls++;
            charges.putIfAbsent(Activity.idempotencyKey(), cents);
            if (lostAnswers-- > 0) {
                throw new IllegalStateException("the bank does not answer");
            }
        }

        @Override
        public void suspend(String customer, String reason) {
            suspended = customer + ": " + reason;
        }
    }
}
