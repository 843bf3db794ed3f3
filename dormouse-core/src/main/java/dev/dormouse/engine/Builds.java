package dev.dormouse.engine;

import java.util.ArrayList;
import java.util.List;

/** The builds that refused a run, as its row holds them: separated by spaces, the last few of them. */
final class Builds {
    private static final int KEPT = 16;

    private Builds() {}

    static boolean has(String refused, String build) {
        return list(refused).contains(build);
    }

    static String add(String refused, String build) {
        List<String> builds = new ArrayList<>(list(refused));
        builds.remove(build);
        builds.add(build);
        return String.join(" ", builds.subList(Math.max(0, builds.size() - KEPT), builds.size()));
    }

    private static List<String> list(String refused) {
        return refused.isEmpty() ? List.of() : List.of(refused.split(" "));
    }
}
