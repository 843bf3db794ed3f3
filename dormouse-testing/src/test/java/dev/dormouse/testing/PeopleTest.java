package dev.dormouse.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.UpdateFailedException;
import dev.dormouse.error.WorkflowFailedException;
import dev.dormouse.support.Approval;
import java.time.Duration;
import java.time.Instant;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Signals, updates, queries and stubs in tests. */
@Timeout(60)
class PeopleTest {
    @RegisterExtension
    final DormouseExtension kit =
            DormouseExtension.of(builder -> builder.workflow(Approval.class, Approval.Implementation::new)
                    .workflow("fails", String.class, String.class, (ctx, name) -> {
                        ctx.sleep(Duration.ofDays(1));
                        throw new NoSuchElementException(name);
                    }));

    private Approval approval;
    private WorkflowHandle<String> handle;
    private Instant deadline;

    @BeforeEach
    void start(TestDormouse test) {
        deadline = test.now().plus(Duration.ofDays(7));
        approval = test.dormouse().workflow(Approval.class, "a");
        handle = test.dormouse().start(() -> approval.execute(deadline));
    }

    @Test
    void signalsArriveInTime(TestDormouse test) {
        test.advance(Duration.ofDays(6));
        approval.approve();
        assertThat(handle.result()).isEqualTo("APPROVED");
        assertThat(test.elapsed()).isEqualTo(Duration.ofDays(6));
    }

    @Test
    void nobodyComes(TestDormouse test) {
        assertThat(handle.result()).isEqualTo("REJECTED");
        assertThat(test.now()).isEqualTo(deadline);
    }

    @Test
    void queriesSeeTheState(Dormouse dormouse) {
        assertThat(approval.state()).isEqualTo("PENDING");
        assertThat(dormouse.workflow(Approval.class, "a").deadline()).isEqualTo(deadline);
        assertThat(handle.result()).isEqualTo("REJECTED");
        assertThat(approval.state()).isEqualTo("REJECTED");
    }

    @Test
    void updatesAreAnsweredWithoutDelay(TestDormouse test) {
        Instant later = deadline.plus(Duration.ofDays(7));
        assertThat(approval.moveDeadline(later)).isEqualTo(later);
        assertThat(test.elapsed()).isZero();
        assertThat(handle.result()).isEqualTo("REJECTED");
        assertThat(test.now()).isEqualTo(later);
        assertThatThrownBy(() -> approval.moveDeadline(later)).hasMessageContaining("DM");
    }

    @Test
    void updatesThatAreRefusedAreRefused() {
        assertThatThrownBy(() -> handle.timer("no such timer").reschedule(deadline))
                .isInstanceOf(UpdateFailedException.class);
    }

    @Test
    void failuresAreThrown(TestDormouse test) {
        assertThatThrownBy(() -> test.dormouse()
                        .start("fails", "f", String.class, "gone")
                        .result())
                .isInstanceOf(WorkflowFailedException.class)
                .hasMessageContaining("gone");
        assertThat(test.elapsed()).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void cancelAndTerminate(TestDormouse test) {
        handle.cancel("changed my mind");
        assertThatThrownBy(handle::result).hasMessageContaining("changed my mind");
        WorkflowHandle<String> other = test.dormouse().start("fails", "f", String.class, "x");
        test.advance(Duration.ZERO);
        assertThat(other.terminate("enough")).isTrue();
        assertThatThrownBy(other::result).hasMessageContaining("enough");
        assertThat(test.elapsed()).isZero();
    }
}
