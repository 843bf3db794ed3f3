package dev.dormouse.internal.run;

import dev.dormouse.store.run.Claim;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The builds that have refused a run, in the format of its row: separated by spaces. A build does not claim runs that
 * it has refused, unless no node claims them for a while ({@link Claim#patience}). A node that opens or serves a new
 * type wakes stuck runs that its build has not refused.
 */
public final class Builds {
    private Builds() {}

    public static boolean has(String refused, String build) {
        return list(refused).contains(build);
    }

    /**
     * Returns {@code refused} with {@code build} added. Builds that no live node runs are removed, so that the list
     * stays short.
     */
    public static String add(String refused, String build, Set<String> live) {
        Set<String> builds = new LinkedHashSet<>(list(refused));
        builds.retainAll(live);
        builds.add(build);
        return String.join(" ", builds);
    }

    private static List<String> list(String refused) {
        return refused.isEmpty() ? List.of() : List.of(refused.split(" "));
    }
}
