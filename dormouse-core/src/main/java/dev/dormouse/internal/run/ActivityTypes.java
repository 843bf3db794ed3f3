package dev.dormouse.internal.run;

import dev.dormouse.store.run.RunKind;

/** The types of runs that consist of a single activity: its name, marked so that no workflow can have it. */
public final class ActivityTypes {
    private static final String MARK = RunKind.ACTIVITY.mark();

    private ActivityTypes() {}

    /** @param activity such as {@code Mail.welcome} */
    public static String of(String activity) {
        return MARK + activity;
    }

    public static boolean isActivity(String type) {
        return type.startsWith(MARK);
    }
}
