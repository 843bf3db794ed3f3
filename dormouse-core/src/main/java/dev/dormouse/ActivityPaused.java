package dev.dormouse;

/** Unwinds an activity that pauses. An Error, so that its code does not catch it by accident; if it does, it pauses too. */
final class ActivityPaused extends Error {
    private static final long serialVersionUID = 1L;

    ActivityPaused() {
        super("The activity pauses; let this pass.", null, false, false);
    }
}
