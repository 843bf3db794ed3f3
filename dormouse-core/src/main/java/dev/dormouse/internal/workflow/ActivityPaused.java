package dev.dormouse.internal.workflow;

/**
 * An Error that unwinds the code of an activity that pauses. It is an Error so that the code does not catch it by
 * accident. If the code catches it, the activity pauses anyway.
 */
public final class ActivityPaused extends Error {
    private static final long serialVersionUID = 1L;

    public ActivityPaused() {
        super("The activity pauses; do not catch this.", null, false, false);
    }
}
