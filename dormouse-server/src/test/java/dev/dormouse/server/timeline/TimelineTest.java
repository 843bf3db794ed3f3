package dev.dormouse.server.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.Payload;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.StepDescription;
import dev.dormouse.inspect.WaitDescription;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.history.Tried;
import dev.dormouse.server.timeline.Timeline.Bar;
import dev.dormouse.server.timeline.Timeline.Kind;
import dev.dormouse.server.timeline.Timeline.Row;
import dev.dormouse.server.timeline.Timeline.State;
import dev.dormouse.store.run.InboxMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The timelines of histories. Seconds count from the start of the run. */
class TimelineTest {
    private static final Instant START = Instant.parse("2027-01-01T00:00:00Z");
    private static final UUID RUN = new UUID(1, 2);

    private final List<Event> events = new ArrayList<>();
    private RunStatus status = RunStatus.RUNNING;
    private WakeReason reason = WakeReason.LEASE;
    private Optional<Instant> wakeAt = Optional.empty();
    private List<StepDescription> steps = List.of();
    private List<WaitDescription> waits = List.of();
    private int takeovers;

    TimelineTest() {
        events.add(new Event.RunStarted(at(0), "order", List.of(), null, null, Map.of(), Origin.NONE));
    }

    private static Instant at(long second) {
        return START.plusSeconds(second);
    }

    private static Payload json(Object value) {
        return new JacksonCodec().encode(value);
    }

    private static Tried tried(int attempt, long started) {
        return new Tried(attempt, at(started), at(started), null, null);
    }

    private static Failure failure(String message) {
        return new Failure("java.io.IOException", message, "", null);
    }

    private static InboxMessage mail(long position, long second, Message message) {
        return new InboxMessage(position, "k" + position, message.kind(), at(second), MessageCodec.encode(message));
    }

    private Timeline timeline(long now) {
        RunDescription run = new RunDescription(
                "order-1",
                RUN,
                "order",
                status,
                "",
                wakeAt,
                reason,
                "",
                events.size(),
                START,
                status.isClosed() ? Optional.of(at(now)) : Optional.empty(),
                takeovers,
                Map.of(),
                steps);
        return TimelineWriter.of(run, events, waits, at(now));
    }

    private Row only(Kind kind, long now) {
        List<Row> rows =
                timeline(now).rows().stream().filter(row -> row.kind() == kind).toList();
        assertThat(rows).hasSize(1);
        return rows.get(0);
    }

    private static Bar bar(long from, long to, State state, int attempt, String note) {
        return new Bar(at(from), Optional.of(at(to)), state, attempt, note);
    }

    private static Bar open(long from, State state, int attempt, String note) {
        return new Bar(at(from), Optional.empty(), state, attempt, note);
    }

    private void close(long second) {
        status = RunStatus.COMPLETED;
        events.add(new Event.RunCompleted(at(second), json("done")));
    }

    @Test
    void runIsABarFromItsStartToItsEnd() {
        assertThat(only(Kind.run, 5).bars()).containsExactly(open(0, State.running, 1, ""));
        close(9);
        assertThat(only(Kind.run, 9).bars()).containsExactly(bar(0, 9, State.done, 1, ""));
        assertThat(only(Kind.run, 9).result()).contains("\"done\"");
    }

    @Test
    void failedRunShowsItsReason() {
        status = RunStatus.FAILED;
        events.add(new Event.RunFailed(at(3), failure("disk full")));
        Row run = only(Kind.run, 3);
        assertThat(run.bars().get(0).state()).isEqualTo(State.failed);
        assertThat(run.result().orElse("")).contains("disk full");
    }

    @Test
    void delayedStartIsWaiting() {
        events.set(0, new Event.RunStarted(at(0), "order", List.of(), at(60), null, Map.of(), Origin.NONE));
        assertThat(only(Kind.run, 5).bars()).containsExactly(bar(0, 60, State.waiting, 1, "starts later"));
        events.add(new Event.RunBegan(at(61)));
        assertThat(only(Kind.run, 62).bars())
                .containsExactly(bar(0, 61, State.waiting, 1, "starts later"), open(61, State.running, 1, ""));
    }

    @Test
    void attemptsAreBarsAndBackOffIsTheGapBetweenThem() {
        events.add(new Event.StepPostponed(at(2), 0, "charge", tried(1, 1), at(4), failure("declined"), ""));
        events.add(new Event.StepPostponed(at(5), 0, "charge", tried(2, 4), at(9), failure("declined"), ""));
        events.add(new Event.StepCompleted(at(10), 0, "charge", at(9), json("R-1")));
        Row step = only(Kind.step, 11);
        assertThat(step.name()).isEqualTo("charge");
        assertThat(step.result()).contains("\"R-1\"");
        assertThat(step.bars())
                .containsExactly(
                        bar(1, 2, State.failed, 1, "java.io.IOException: declined"),
                        bar(4, 5, State.failed, 2, "java.io.IOException: declined"),
                        bar(9, 10, State.done, 3, ""));
    }

    @Test
    void nextAttemptIsABarIntoTheFuture() {
        events.add(new Event.StepPostponed(at(2), 0, "charge", tried(1, 1), at(60), failure("declined"), ""));
        steps = List.of(new StepDescription(
                "charge", 1, Optional.of(at(60)), Optional.of("declined"), Optional.empty(), false, Optional.empty()));
        status = RunStatus.WAITING;
        reason = WakeReason.RETRY;
        wakeAt = Optional.of(at(60));
        assertThat(only(Kind.step, 10).bars().get(1)).isEqualTo(bar(2, 60, State.waiting, 2, "next attempt"));
        assertThat(timeline(10).rows()).hasSize(2);
    }

    @Test
    void attemptUnderWayIsRunning() {
        events.add(new Event.StepPostponed(at(2), 0, "charge", tried(1, 1), at(4), failure("declined"), ""));
        steps = List.of(new StepDescription(
                "charge", 2, Optional.of(at(4)), Optional.empty(), Optional.empty(), false, Optional.of("half")));
        assertThat(only(Kind.step, 10).bars().get(1)).isEqualTo(open(4, State.running, 2, "half"));
    }

    @Test
    void firstAttemptUnderWayIsTakenFromTheWaits() {
        waits = List.of(new WaitDescription(
                0, WaitDescription.Kind.STEP, "charge", at(1), Optional.empty(), false, "Order.java:3"));
        assertThat(only(Kind.step, 2).bars()).containsExactly(open(1, State.running, 1, "Order.java:3"));
    }

    @Test
    void stepWithoutFurtherRetriesIsShownAsFailed() {
        events.add(new Event.StepFailed(at(2), 0, "charge", at(1), failure("declined"), 1));
        Row step = only(Kind.step, 3);
        assertThat(step.bars()).containsExactly(bar(1, 2, State.failed, 1, "java.io.IOException: declined"));
        assertThat(step.result()).contains("java.io.IOException: declined");
    }

    @Test
    void pauseOfAStepIsShown() {
        events.add(new Event.StepPostponed(at(2), 0, "import", tried(1, 1), at(50), null, "until the bank opens"));
        assertThat(only(Kind.step, 3).bars())
                .containsExactly(
                        bar(1, 2, State.done, 1, "until the bank opens"),
                        bar(2, 50, State.paused, 1, "until the bank opens"));
    }

    @Test
    void stepThatIsHandedOutWaitsForItsEnd() {
        UUID token = new UUID(3, 4);
        events.add(new Event.StepHandedOut(at(2), 0, "sign", tried(1, 1), token));
        assertThat(only(Kind.step, 5).bars()).containsExactly(open(1, State.waiting, 1, "handed out"));
        Message.StepEnded end = new Message.StepEnded(RUN, 0, token, json("signed"), null);
        events.add(new Event.MailReceived(at(9), List.of(mail(1, 8, end))));
        assertThat(only(Kind.step, 10).bars()).containsExactly(bar(1, 9, State.done, 1, "handed out"));
        assertThat(only(Kind.step, 10).result()).contains("\"signed\"");
    }

    @Test
    void openSleepEndsInTheFuture() {
        events.add(new Event.TimerScheduled(at(1), 0, at(3_601)));
        assertThat(only(Kind.sleep, 5).name()).isEqualTo("sleep PT1H");
        assertThat(only(Kind.sleep, 5).bars()).containsExactly(bar(1, 3_601, State.waiting, 1, ""));
        events.add(new Event.TimerFired(at(3_601), 0));
        assertThat(only(Kind.sleep, 3_602).bars()).containsExactly(bar(1, 3_601, State.done, 1, ""));
    }

    @Test
    void rescheduledSleepEndsAtItsNewDeadline() {
        events.add(new Event.TimerScheduled(at(1), 0, at(3_601)));
        waits = List.of(new WaitDescription(0, WaitDescription.Kind.SLEEP, "", at(1), Optional.of(at(99)), true, ""));
        assertThat(only(Kind.sleep, 5).bars()).containsExactly(bar(1, 99, State.waiting, 1, ""));
    }

    @Test
    void openBarsEndWithTheRun() {
        events.add(new Event.TimerScheduled(at(1), 0, at(3_601)));
        close(9);
        assertThat(only(Kind.sleep, 9).bars()).containsExactly(bar(1, 9, State.done, 1, "ended with the run"));
    }

    @Test
    void timedOutWaitStartsAtThePreviousEvent() {
        events.add(new Event.StepCompleted(at(2), 0, "ask", at(1), Payload.NOTHING));
        events.add(new Event.WaitTimedOut(at(62), 1));
        assertThat(only(Kind.await, 63).bars()).containsExactly(bar(2, 62, State.done, 1, "timed out"));
    }

    @Test
    void openWaitIsTakenFromTheRow() {
        events.add(new Event.StepCompleted(at(2), 0, "ask", at(1), Payload.NOTHING));
        status = RunStatus.WAITING;
        reason = WakeReason.TIMER;
        wakeAt = Optional.of(at(100));
        assertThat(only(Kind.await, 5).bars()).containsExactly(bar(2, 100, State.waiting, 1, ""));
        wakeAt = Optional.empty();
        reason = WakeReason.MAIL;
        assertThat(only(Kind.await, 5).bars()).containsExactly(open(2, State.waiting, 1, ""));
    }

    @Test
    void openWaitIsTakenFromTheCode() {
        status = RunStatus.WAITING;
        waits = List.of(new WaitDescription(
                4, WaitDescription.Kind.CONDITION, "", at(3), Optional.of(at(100)), true, "Order.java:31"));
        assertThat(only(Kind.await, 5).bars()).containsExactly(bar(3, 100, State.waiting, 1, "Order.java:31"));
    }

    @Test
    void awaitedSignalIsABarOverTheWait() {
        events.add(new Event.StepCompleted(at(2), 0, "ask", at(1), Payload.NOTHING));
        Message.Signal signal = new Message.Signal("approve", List.of(json("ada")));
        events.add(new Event.MailReceived(at(30), List.of(mail(1, 29, signal))));
        Row row = only(Kind.signal, 31);
        assertThat(row.name()).isEqualTo("approve");
        assertThat(row.result()).contains("\"ada\"");
        assertThat(row.bars()).containsExactly(bar(2, 30, State.done, 1, ""));
    }

    @Test
    void signalThatWasNotAwaitedIsAPoint() {
        events.add(new Event.TimerScheduled(at(1), 0, at(3_601)));
        Message.Signal signal = new Message.Signal("hurry", List.of());
        events.add(new Event.MailReceived(at(30), List.of(mail(1, 29, signal))));
        assertThat(only(Kind.signal, 31).bars()).containsExactly(bar(30, 30, State.done, 1, ""));
    }

    @Test
    void eventIsShownWithItsName() {
        List<Payload> arguments = List.of(json("order-1/0"), json("order.paid"), json("id"), json(Map.of()));
        Message.Signal event = new Message.Signal("dormouse.event", arguments);
        events.add(new Event.MailReceived(at(30), List.of(mail(1, 29, event))));
        assertThat(only(Kind.event, 31).name()).isEqualTo("order.paid");
    }

    @Test
    void updatesLastFromTheirAcceptanceToTheirAnswer() {
        Message.Update update = new Message.Update("addPieces", List.of(json(3)));
        events.add(new Event.MailReceived(at(10), List.of(mail(7, 8, update))));
        assertThat(only(Kind.update, 11).bars()).containsExactly(open(8, State.running, 1, ""));
        events.add(new Event.UpdateAnswered(at(12), 7, false, json(5), null));
        assertThat(only(Kind.update, 13).bars()).containsExactly(bar(8, 12, State.done, 1, ""));
        assertThat(only(Kind.update, 13).result()).contains("5");
    }

    @Test
    void updateWithWhichTheRunWasStartedLastsFromItsStart() {
        Message.Update update = new Message.Update("addPieces", List.of(json(3)));
        Origin origin = Origin.NONE.with(List.of(mail(0, 0, update)));
        events.set(0, new Event.RunStarted(at(0), "order", List.of(), null, null, Map.of(), origin));
        assertThat(only(Kind.update, 1).bars()).containsExactly(open(0, State.running, 1, ""));
        events.add(new Event.UpdateAnswered(at(2), 0, false, json(5), null));
        assertThat(only(Kind.update, 3).bars()).containsExactly(bar(0, 2, State.done, 1, ""));
    }

    @Test
    void rejectedUpdateIsShownAsRejected() {
        Message.Update update = new Message.Update("dormouse.timer", List.of(json("deadline"), json("x"), json("")));
        events.add(new Event.MailReceived(at(10), List.of(mail(7, 8, update))));
        events.add(new Event.UpdateAnswered(at(12), 7, true, Payload.NOTHING, failure("too late")));
        Row row = only(Kind.update, 13);
        assertThat(row.name()).isEqualTo("move timer \"deadline\"");
        assertThat(row.bars()).containsExactly(bar(8, 12, State.failed, 1, "rejected"));
    }

    @Test
    void childrenLastUntilTheyReportTheirEnd() {
        UUID child = new UUID(5, 6);
        events.add(new Event.ChildRequested(
                at(1), 0, "pack-1", child, "pack", List.of(), ParentClose.TERMINATE, null, null));
        assertThat(only(Kind.child, 2).bars()).containsExactly(open(1, State.running, 1, "pack-1"));
        Message.ChildEnded end = new Message.ChildEnded(RUN, 0, new Event.RunCompleted(at(8), json("packed")));
        events.add(new Event.MailReceived(at(9), List.of(mail(1, 9, end))));
        Row row = only(Kind.child, 10);
        assertThat(row.name()).isEqualTo("pack pack-1");
        assertThat(row.result()).contains("\"packed\"");
        assertThat(row.bars()).containsExactly(bar(1, 9, State.done, 1, "pack-1"));
    }

    @Test
    void marksAndVersionsArePoints() {
        events.add(new Event.Marked(at(3), "note", "half way"));
        events.add(new Event.VersionMarked(at(4), "vat", 2));
        List<Row> marks = timeline(5).rows().stream()
                .filter(row -> row.kind() == Kind.mark)
                .toList();
        assertThat(marks.stream().map(Row::name)).containsExactly("half way", "version 2 of change 'vat'");
        assertThat(marks.get(0).bars()).containsExactly(bar(3, 3, State.done, 1, ""));
    }

    @Test
    void takeoversAreLines() {
        events.add(new Event.TakenOver(at(10), "worker-1", "worker-2", 7, at(11), at(15).plusMillis(200)));
        assertThat(timeline(16).lines())
                .containsExactly(
                        new Timeline.Line(at(11), "crash", "worker-1's lease ended"),
                        new Timeline.Line(at(15).plusMillis(200), "takeover", "worker-2 took over after 4.2 s"));
        events.add(new Event.TakenOver(at(20), "worker-2", "worker-3", 8, at(21), at(21).plusMillis(5)));
        assertThat(timeline(22).lines()).extracting(Timeline.Line::text).contains("worker-3 took over after 5 ms");
    }

    @Test
    void attemptOnTheNodeThatDiedIsABar() {
        events.add(new Event.StepCompleted(at(2), 0, "ask", at(1), Payload.NOTHING));
        events.add(new Event.TakenOver(at(2), "worker-1", "worker-2", 7, at(11), at(12)));
        events.add(new Event.StepCompleted(at(20), 1, "charge", at(12), Payload.NOTHING));
        events.add(new Event.StepCompleted(at(25), 2, "print", at(21), Payload.NOTHING));
        List<Row> steps = timeline(30).rows().stream()
                .filter(row -> row.kind() == Kind.step)
                .toList();
        assertThat(steps).extracting(Row::name).containsExactly("ask", "charge", "print");
        assertThat(steps.get(0).bars()).containsExactly(bar(1, 2, State.done, 1, ""));
        assertThat(steps.get(1).bars())
                .containsExactly(bar(2, 11, State.failed, 1, "its node died"), bar(12, 20, State.done, 2, ""));
        assertThat(steps.get(2).bars()).containsExactly(bar(21, 25, State.done, 1, ""));
    }

    @Test
    void waitThatIsTakenOverLeavesNoLostAttempt() {
        events.add(new Event.TakenOver(at(0), "worker-1", "worker-2", 7, at(11), at(12)));
        events.add(new Event.WaitTimedOut(at(12), 0));
        events.add(new Event.StepCompleted(at(14), 1, "charge", at(13), Payload.NOTHING));
        assertThat(only(Kind.step, 15).bars()).containsExactly(bar(13, 14, State.done, 1, ""));
    }

    @Test
    void waitingRunIsDrawnAsWaitingSinceItsLastEvent() {
        status = RunStatus.WAITING;
        assertThat(only(Kind.run, 5).bars()).containsExactly(open(0, State.waiting, 1, ""));
        events.add(new Event.StepCompleted(at(2), 0, "ask", at(1), Payload.NOTHING));
        assertThat(only(Kind.run, 5).bars())
                .containsExactly(bar(0, 2, State.done, 1, ""), open(2, State.waiting, 1, ""));
    }

    @Test
    void attemptLostWithItsNodeIsALine() {
        events.add(new Event.StepPostponed(at(20), 0, "charge", tried(2, 15), at(25), failure("declined"), ""));
        assertThat(timeline(21).lines()).hasSize(1);
        assertThat(timeline(21).lines().get(0).at()).isEqualTo(at(15));
        takeovers = 1;
        assertThat(timeline(21).lines()).hasSize(2);
    }

    @Test
    void resetRunShowsItsOrigin() {
        Origin.Reset reset = new Origin.Reset(RUN, RUN, 7, at(1), 0, List.of());
        Origin origin = new Origin(null, null, null, null, List.of(), reset, null);
        events.set(0, new Event.RunStarted(at(0), "order", List.of(), null, null, Map.of(), origin));
        assertThat(timeline(2).lines().get(0).kind()).isEqualTo("handover");
    }

    @Test
    void onlyTheLatestRowsOfALongHistoryAreShown() {
        for (int i = 0; i < 3_000; i++) {
            events.add(new Event.Marked(at(i), "note", "note " + i));
        }
        List<Row> rows = timeline(4_000).rows();
        assertThat(rows).hasSize(1_002);
        assertThat(rows.get(1).name()).isEqualTo("2000 earlier rows are left out");
        assertThat(rows.get(1_001).name()).isEqualTo("note 2999");
    }

    @Test
    void longTextsAreCut() {
        events.add(new Event.StepCompleted(at(2), 0, "ask", at(1), json("x".repeat(1_000))));
        assertThat(only(Kind.step, 3).result().orElse("")).hasSize(81).endsWith("…");
        events.add(new Event.StepCompleted(at(2), 1, "other", at(1), new Payload("secret", new byte[9])));
        assertThat(timeline(3).rows().get(2).result()).isEmpty();
    }
}
