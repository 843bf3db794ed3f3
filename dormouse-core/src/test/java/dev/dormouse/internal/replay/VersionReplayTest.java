package dev.dormouse.internal.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.codec.Payload;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.FailureTexts;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.Blocked;
import dev.dormouse.internal.run.Ending;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The version of a change in single activations of a run, which sleeps twice and asks for the version in between. */
class VersionReplayTest {
    private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");
    private static final Event STARTED = new Event.RunStarted(AT, "w", List.of(), null, null, Map.of(), Origin.NONE);
    private static final Event SET = new Event.TimerScheduled(AT, 0, AT);
    private static final Event FIRED = new Event.TimerFired(AT, 0);
    private static final Event SET_AGAIN = new Event.TimerScheduled(AT, 1, AT);
    private static final Event FIRED_AGAIN = new Event.TimerFired(AT, 1);

    private final JvmThreads threads = new JvmThreads();
    private final Map<String, Integer> decided = new HashMap<>();
    private final List<Event> commands = new ArrayList<>();

    @AfterEach
    void close() {
        threads.close();
    }

    /** Executes the code with the recorded events, then with live inputs. Returns the version that it got, if any. */
    private @Nullable Integer version(boolean hasRun, List<Event> recorded, Event... live) {
        commands.clear();
        @Nullable Integer[] version = {null};
        ActivationStub session = new ActivationStub(hasRun, recorded, List.of(live));
        try {
            new Replay(session, threads, false, FailureTexts.PLAIN, null).execute(run -> () -> {
                run.sleep(Duration.ofHours(1));
                version[0] = run.version("c", 1, 2);
                run.sleep(Duration.ofHours(1));
                assertThat(run.version("c", 1, 2)).isEqualTo(version[0]);
                return Payload.NOTHING;
            });
        } catch (Evicted end) {
            // the activation has no more inputs
        }
        return version[0];
    }

    @Test
    void callAfterALiveInputIsNewAndRecorded() {
        assertThat(version(false, List.of(STARTED), FIRED)).isEqualTo(2);
        assertThat(commands).anyMatch(event -> event instanceof Event.VersionMarked);
        assertThat(version(true, List.of(STARTED, SET), FIRED)).isEqualTo(2);
        assertThat(commands).anyMatch(event -> event instanceof Event.VersionMarked);
    }

    @Test
    void callBetweenTheLastRecordedEventAndTheNextInputIsOldAndNotRecorded() {
        assertThat(version(true, List.of(STARTED, SET, FIRED), FIRED_AGAIN)).isEqualTo(1);
        assertThat(commands).noneMatch(event -> event instanceof Event.VersionMarked);
        assertThat(version(true, List.of(STARTED, SET, FIRED, SET_AGAIN), FIRED_AGAIN))
                .isEqualTo(1);
        assertThat(version(true, List.of(STARTED, SET, FIRED, SET_AGAIN, FIRED_AGAIN)))
                .isEqualTo(1);
        assertThat(commands).noneMatch(event -> event instanceof Event.VersionMarked);
    }

    @Test
    void recordedVersionIsKept() {
        Event marked = new Event.VersionMarked(AT, "c", 2);
        assertThat(version(true, List.of(STARTED, SET, FIRED, marked))).isEqualTo(2);
    }

    @Test
    void activationAfterARefusedCommitDecidesAlike() {
        assertThat(version(true, List.of(STARTED, SET), FIRED)).isEqualTo(2);
        // the store has the end of the sleep, but not the version
        assertThat(version(true, List.of(STARTED, SET, FIRED), FIRED_AGAIN)).isEqualTo(2);
        assertThat(commands).anyMatch(event -> event instanceof Event.VersionMarked);
    }

    @Test
    void firstExecutionOfAReplacementIsNewAfterTheSharedEvents() {
        assertThat(version(false, List.of(STARTED, SET, FIRED), FIRED_AGAIN)).isEqualTo(2);
        assertThat(commands).anyMatch(event -> event instanceof Event.VersionMarked);
    }

    private final class ActivationStub implements Session {
        private final boolean hasRun;
        private final List<Event> recorded;
        private final List<Event> live;

        ActivationStub(boolean hasRun, List<Event> recorded, List<Event> live) {
            this.hasRun = hasRun;
            this.recorded = recorded;
            this.live = new ArrayList<>(live);
        }

        @Override
        public RunRow run() {
            return new RunRow(
                    0,
                    new UUID(0, 1),
                    "w",
                    "w",
                    "w",
                    RunStatus.RUNNING,
                    1,
                    "",
                    null,
                    WakeReason.START,
                    recorded.size(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    "",
                    "",
                    AT,
                    null);
        }

        @Override
        public List<Event> recorded() {
            return recorded;
        }

        @Override
        public boolean hasRun() {
            return hasRun;
        }

        @Override
        public Map<String, Integer> decidedVersions() {
            return decided;
        }

        @Override
        public Instant stamp() {
            return AT;
        }

        @Override
        public UUID newRunId() {
            return new UUID(0, 2);
        }

        @Override
        public boolean isServed(String type) {
            return true;
        }

        @Override
        public @Nullable String mayLog() {
            return null;
        }

        @Override
        public Event next(Blocked blocked) {
            commands.addAll(blocked.commands());
            if (live.isEmpty()) {
                throw new Evicted();
            }
            return live.remove(0);
        }

        @Override
        public void abandon(Throwable reason, String line, boolean isFirst) {
            throw new AssertionError(reason);
        }

        @Override
        public @Nullable Event close(
                List<Event> last, List<Long> unanswered, @Nullable List<Payload> again, Ending ending) {
            commands.addAll(last);
            return null;
        }
    }
}
