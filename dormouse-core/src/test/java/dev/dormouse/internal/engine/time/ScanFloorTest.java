package dev.dormouse.internal.engine.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class ScanFloorTest {
    private final ScanFloor floor = new ScanFloor();

    private static Instant at(long second) {
        return Instant.ofEpochSecond(second);
    }

    @Test
    void firstScanIsComplete() {
        assertThat(floor.get()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void floorLiesAMarginBelowWhatWasScanned() {
        floor.moveTo(at(100));
        assertThat(floor.get()).isEqualTo(at(99));
    }

    @Test
    void earlierAlarmLowersItAndLaterAlarmsDoNotRaiseIt() {
        floor.moveTo(at(100));
        floor.lowerTo(at(200));
        floor.lowerTo(Instant.MAX);
        assertThat(floor.get()).isEqualTo(at(99));
        floor.lowerTo(at(50));
        assertThat(floor.get()).isEqualTo(at(49));
        floor.remove();
        assertThat(floor.get()).isEqualTo(Instant.EPOCH);
    }

    @Test
    void alarmIsFoundAfterAllWereHandled() {
        floor.raiseToEnd();
        floor.lowerTo(at(50));
        assertThat(floor.get()).isEqualTo(at(49));
    }
}
