package dev.dormouse.internal.run;

import dev.dormouse.store.run.RunKind;

/** Run types of stand-alone activities: the activity name with a mark that no workflow type has. */
public final class ActivityTypes {
    private static final String MARK = RunKind.ACTIVITY.mark();

    private ActivityTypes() {}

    /**
     * Returns the run type of an activity.
     *
     * @param activity the name, such as {@code Mail.welcome}
     */
    public static String of(String activity) {
        return MARK + activity;
    }

    public static boolean isActivity(String type) {
        return type.startsWith(MARK);
    }
}
