package dev.dormouse.internal.run;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Types of workflows that share their code, which is told the type: what is before the colon is the family. Nodes have all
 * of a family or nothing.
 */
public final class Families {
    private static final char COLON = ':';

    private Families() {}

    /** The name under which the code of a family is registered. */
    public static String named(String family) {
        return family + COLON;
    }

    /** Whether a type is one of a family. Types of timers and of activities are not, whatever they are called. */
    public static boolean isMember(String type) {
        return type.indexOf(COLON) > 0 && !TimerTypes.isTimer(type) && !ActivityTypes.isActivity(type);
    }

    /** What is registered for a type, or for its family; null where nothing is. */
    public static <T> @Nullable T find(Map<String, T> registered, String type) {
        T own = registered.get(type);
        return own == null && isMember(type) ? registered.get(of(type)) : own;
    }

    /** The family of a type that is one of a family, as in {@link #named}. */
    public static String of(String type) {
        return type.substring(0, type.indexOf(COLON) + 1);
    }
}
