package dev.dormouse.internal.history;

import dev.dormouse.internal.history.Event.ChildRequested;
import dev.dormouse.internal.history.Event.MailReceived;
import dev.dormouse.internal.history.Event.MailSent;
import dev.dormouse.internal.history.Event.Marked;
import dev.dormouse.internal.history.Event.RunBegan;
import dev.dormouse.internal.history.Event.RunCancelled;
import dev.dormouse.internal.history.Event.RunCompleted;
import dev.dormouse.internal.history.Event.RunContinued;
import dev.dormouse.internal.history.Event.RunFailed;
import dev.dormouse.internal.history.Event.RunStarted;
import dev.dormouse.internal.history.Event.RunTerminated;
import dev.dormouse.internal.history.Event.RunTimedOut;
import dev.dormouse.internal.history.Event.StepCompleted;
import dev.dormouse.internal.history.Event.StepFailed;
import dev.dormouse.internal.history.Event.StepHandedOut;
import dev.dormouse.internal.history.Event.StepPostponed;
import dev.dormouse.internal.history.Event.TakenOver;
import dev.dormouse.internal.history.Event.TimerFired;
import dev.dormouse.internal.history.Event.TimerScheduled;
import dev.dormouse.internal.history.Event.UpdateAnswered;
import dev.dormouse.internal.history.Event.VersionMarked;
import dev.dormouse.internal.history.Event.WaitTimedOut;
import java.time.Instant;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The stored numbers of events, each with the reader of its fields. A released number keeps its meaning and its fields;
 * an extension gets a new number. Therefore a record that has got more fields since has several.
 */
enum EventTag {
    RUN_STARTED(1, (at, in) -> RunStarted.read(at, in, Origin::read)),
    RUN_BEGAN(2, (at, in) -> new RunBegan(at)),
    STEP_COMPLETED(3, StepCompleted::read),
    STEP_FAILED(4, (at, in) -> StepFailed.read(at, in, false)),
    TIMER_SCHEDULED(5, TimerScheduled::read),
    TIMER_FIRED(6, TimerFired::read),
    WAIT_TIMED_OUT(7, WaitTimedOut::read),
    MAIL_RECEIVED(8, MailReceived::read),
    VERSION_MARKED(9, VersionMarked::read),
    RUN_COMPLETED(10, RunCompleted::read),
    RUN_FAILED(11, (at, in) -> RunFailed.read(at, in, false)),
    RUN_TERMINATED(12, RunTerminated::read),
    RUN_TIMED_OUT(13, (at, in) -> new RunTimedOut(at)),
    RUN_CANCELLED(14, RunCancelled::read),
    RUN_CONTINUED(15, RunContinued::read),
    UPDATE_ANSWERED(16, UpdateAnswered::read),
    CHILD_REQUESTED(17, ChildRequested::read),
    MAIL_SENT(18, MailSent::read),
    STEP_POSTPONED(19, StepPostponed::read),
    STEP_HANDED_OUT(20, StepHandedOut::read),
    RUN_STARTED_BY_RESET(21, (at, in) -> RunStarted.read(at, in, Origin::readOfReset)),
    STEP_FAILED_AFTER_RETRIES(22, (at, in) -> StepFailed.read(at, in, true)),
    RUN_STARTED_IN_QUEUE(23, (at, in) -> RunStarted.read(at, in, Origin::readInQueue)),
    CHILD_REQUESTED_IN_QUEUE(24, ChildRequested::readInQueue),
    RUN_FAILED_AFTER_ATTEMPTS(25, (at, in) -> RunFailed.read(at, in, true)),
    MARKED(26, Marked::read),
    TAKEN_OVER(27, TakenOver::read),
    CHILD_REQUESTED_WITH_SETTINGS(28, ChildRequested::readWithSettings),
    RUN_STARTED_WITH_UPDATE(29, (at, in) -> RunStarted.read(at, in, Origin::readWithUpdate));

    private static final @Nullable EventTag[] BY_NUMBER = byNumber();

    private final int number;
    private final BiFunction<Instant, EventReader, Event> reader;

    EventTag(int number, BiFunction<Instant, EventReader, Event> reader) {
        this.number = number;
        this.reader = reader;
    }

    int number() {
        return number;
    }

    /** Reads the fields that follow the tag and the instant. */
    Event read(Instant at, EventReader in) {
        return reader.apply(at, in);
    }

    /** Returns the tag with this number; null if this version has none. */
    static @Nullable EventTag of(int number) {
        return number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    private static @Nullable EventTag[] byNumber() {
        int highest = 0;
        for (EventTag tag : values()) {
            highest = Math.max(highest, tag.number);
        }
        @Nullable EventTag[] tags = new EventTag[highest + 1];
        for (EventTag tag : values()) {
            tags[tag.number] = tag;
        }
        return tags;
    }
}
