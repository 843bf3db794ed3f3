package dev.dormouse.engine;

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
}
