package dev.dormouse.lint;

/** The rules that workflow code has to follow, because it is replayed after a crash. */
public enum Rule {
    /** Workflow code reads the clock of the machine. */
    CLOCK(Severity.ERROR, "A replay reads a different time.", "Use Workflow.now()."),

    /** Workflow code draws a random value. */
    RANDOM(
            Severity.ERROR,
            "A replay draws a different value.",
            "Use Workflow.randomUuid(), or draw the value in a step."),

    /** Workflow code sleeps, blocks, or uses threads that Dormouse does not know. */
    THREAD(
            Severity.ERROR,
            "A crash loses this wait or thread, and a replay runs in a different order.",
            "Use Workflow.sleep, Workflow.await, Workflow.async or Workflow.newLock."),

    /** Workflow code reads or writes files, sockets, databases or standard input, or starts processes. */
    IO(
            Severity.ERROR,
            "A replay repeats the call and can get a different result.",
            "Move it into a step or an activity."),

    /** Workflow code reads environment variables, system properties or defaults of the machine. */
    ENVIRONMENT(
            Severity.WARNING,
            "A replay on another node, or after a restart, can read a different value.",
            "Pass the value as input, or read it in a step."),

    /** Workflow code reads or writes a static field that is not final. */
    STATIC_STATE(
            Severity.WARNING,
            "All runs share the field, and a replay can find a different value in it.",
            "Use a field of the workflow object, or make it final."),

    /** Workflow code uses identity hash codes. */
    IDENTITY_HASH(
            Severity.WARNING,
            "Identity hash codes differ in every process.",
            "Compare objects by a value that is part of the input."),

    /** A class file cannot be read, so its code was not checked. */
    UNREADABLE(
            Severity.ERROR,
            "The code of this class was not checked.",
            "Build it again, or use a Dormouse version that knows its Java version.");

    private final Severity severity;
    private final String reason;
    private final String advice;

    Rule(Severity severity, String reason, String advice) {
        this.severity = severity;
        this.reason = reason;
        this.advice = advice;
    }

    /** Returns the severity of findings of this rule. */
    public Severity severity() {
        return severity;
    }

    /** Returns a sentence that says what goes wrong. */
    public String reason() {
        return reason;
    }

    /** Returns a sentence that says what to write instead. */
    public String advice() {
        return advice;
    }
}
