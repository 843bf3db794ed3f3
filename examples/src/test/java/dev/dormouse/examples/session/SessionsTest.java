package dev.dormouse.examples.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import dev.dormouse.timer.TimerId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SessionsTest {
    private static final Duration IDLE = Duration.ofMinutes(30);

    private final List<String> expired = new ArrayList<>();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder -> builder);

    private Sessions sessions(Dormouse dormouse) {
        return new Sessions(dormouse, IDLE, expired::add);
    }

    @Test
    void requestKeepsTheSessionForAnotherHalfHour(TestDormouse test) {
        Sessions sessions = sessions(test.dormouse());
        TimerId ada = sessions.open("ada");
        test.advance(Duration.ofMinutes(29));
        assertThat(sessions.touch(ada)).isTrue();
        test.advance(Duration.ofMinutes(29));
        assertThat(expired).isEmpty();
        test.advance(Duration.ofMinutes(1));
        assertThat(expired).containsExactly("ada");
        assertThat(sessions.touch(ada)).isFalse();
    }

    @Test
    void sessionExpiresOnceAlthoughItsNodeWasKilled(TestDormouse test) {
        sessions(test.dormouse()).open("ada");
        sessions(test.restart());
        test.advance(Duration.ofDays(1));
        assertThat(expired).containsExactly("ada");
    }

    @Test
    void closedSessionNeverExpires(TestDormouse test) {
        Sessions sessions = sessions(test.dormouse());
        assertThat(sessions.close(sessions.open("ada"))).isTrue();
        test.advance(Duration.ofDays(1));
        assertThat(expired).isEmpty();
    }
}
