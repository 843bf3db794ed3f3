package dev.dormouse.internal.run;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Families of workflow types that share their code. The part of the type before the colon is the family; the code
 * gets the whole type. A node serves all types of a family or none.
 */
public final class Families {
    private static final char COLON = ':';

    private Families() {}

    /** Returns the name under which the code of a family is registered. */
    public static String named(String family) {
        return family + COLON;
    }

    /** Returns true if a type belongs to a family. Types of timers and activities never do. */
    public static boolean isMember(String type) {
        return type.indexOf(COLON) > 0 && !TimerTypes.isTimer(type) && !ActivityTypes.isActivity(type);
    }

    /** Returns the value that is registered for a type, or else for its family; null if there is none. */
    public static <T> @Nullable T find(Map<String, T> registered, String type) {
        T own = registered.get(type);
        return own == null && isMember(type) ? registered.get(of(type)) : own;
    }

    /** Returns the family of a type that belongs to one, in the form of {@link #named}. */
    public static String of(String type) {
        return type.substring(0, type.indexOf(COLON) + 1);
    }
}
