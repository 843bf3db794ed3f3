package dev.dormouse.internal.engine.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunTableTest {
    @Test
    void reservedPlacesDoNotCountAsExecuting() {
        RunTable table = new RunTable(16, 4);
        assertThat(table.reserveForClaim(100)).isEqualTo(14);
        assertThat(table.hasRoomForClaim()).isFalse();
        assertThat(table.expectsMore()).isTrue();
        assertThat(table.executing()).isZero();
    }

    @Test
    void placeThatIsLentCanBeReservedAndIsTakenBackInAnyCase() {
        RunTable table = new RunTable(1, 4);
        assertThat(table.reserveForStart()).isTrue();
        assertThat(table.reserveForStart()).isFalse();
        assertThat(table.tryLend()).isTrue();
        assertThat(table.reserveForStart()).isTrue();
        assertThat(table.tryLend()).isFalse(); // no more than can execute
        table.takeBack();
        assertThat(table.reserveForStart()).isFalse();
        table.release(2);
        assertThat(table.isEmpty()).isTrue();
    }

    @Test
    void runThatEndsBeforeItsStepHasNoticedLeavesNothingBehind() {
        RunTable table = new RunTable(1, 4);
        assertThat(table.reserveForStart()).isTrue();
        assertThat(table.tryLend()).isTrue();
        table.release(1);
        assertThat(table.isEmpty()).isTrue();
        table.takeBack();
        assertThat(table.isEmpty()).isTrue();
        assertThat(table.reserveForStart()).isTrue();
        assertThat(table.reserveForStart()).isFalse();
    }
}
