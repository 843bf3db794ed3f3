package dev.dormouse.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The routing group of a workflow type: the type itself, so that runs that nobody here knows are never scanned, and
 * beside it a lane for its runs that some build has refused.
 */
final class Lanes {
    private static final String REFUSED = "~";

    private Lanes() {}

    static String of(String type) {
        return type;
    }

    static String refused(String type) {
        return type + REFUSED;
    }

    /** All lanes of these types. */
    static List<String> all(Collection<String> types) {
        List<String> lanes = new ArrayList<>(types.size() * 2);
        for (String type : types) {
            lanes.add(of(type));
            lanes.add(refused(type));
        }
        return lanes;
    }
}
