package dev.dormouse.internal.value;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.replay.RecordedNames;
import dev.dormouse.internal.run.EventTypes;
import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.store.run.RunKind;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks for names that users choose and that every store must be able to keep. */
public final class Ids {
    private static final int MAX = 500;
    private static final int MAX_EVENT = 200;
    private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{N}][\\p{L}\\p{N}._:/ -]{0,199}");

    private Ids() {}

    public static void checkWorkflowId(@Nullable String workflowId) {
        check("workflow id", workflowId);
    }

    /**
     * Checks the workflow id of a run that a user starts. Some prefixes are reserved for timers, schedules and events.
     */
    public static void checkNewWorkflowId(@Nullable String workflowId) {
        checkWorkflowId(workflowId);
        if (workflowId != null && isReserved(workflowId)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a workflow id that does not begin with !, % or $, but got '" + workflowId
                            + "'. These prefixes are reserved for timers, schedules and events; choose another id.");
        }
    }

    private static boolean isReserved(String workflowId) {
        return TimerTypes.isTimer(workflowId)
                || workflowId.startsWith(RunKind.SCHEDULE.mark())
                || EventTypes.isEvent(workflowId);
    }

    public static void checkTimerId(@Nullable String timerId) {
        check("timer id", timerId);
    }

    public static void checkKey(@Nullable String key) {
        check("key", key);
    }

    public static void checkName(@Nullable String name) {
        check("name", name);
    }

    /** Checks the name of a signal. Some names are reserved for the engine. */
    public static void checkSignal(@Nullable String name) {
        checkName(name);
        if (name != null && EventSignals.isReserved(name)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the name of a signal, but '" + name
                            + "' is reserved for the delivery of events. Publish an event, or choose another name.");
        }
    }

    /**
     * Checks the name of an event. The limit is lower than for other names, because stores keep it in one index entry
     * with a workflow id.
     */
    public static void checkEvent(@Nullable String event) {
        check("name of an event", event, MAX_EVENT);
    }

    private static void check(String what, @Nullable String given) {
        check(what, given, MAX);
    }

    private static void check(String what, @Nullable String given, int longest) {
        String id = Arguments.required(given, "a " + what);
        boolean isInvalid = id.indexOf('\0') >= 0 || !RecordedNames.isWhole(id);
        if (id.isEmpty() || id.length() > longest || isInvalid) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a " + what + " of 1 to " + longest
                            + " characters without NUL or unpaired surrogates, but got one of " + id.length()
                            + " characters. Choose another one.");
        }
    }

    /** Returns the name of a workflow type if it is valid; otherwise throws BAD_ARGUMENT. */
    public static String checkedType(String name) {
        return checkedName("workflow type", name);
    }

    /**
     * Returns the name if it is valid; otherwise throws BAD_ARGUMENT.
     *
     * @param what the kind of thing for the message, such as {@code queue}
     */
    public static String checkedName(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the name of a " + what
                            + " to have up to 200 letters, digits, spaces or the characters . _ : / -, and to begin with a letter or digit, but got '"
                            + name
                            + "'. Choose another name.");
        }
        return name;
    }
}
