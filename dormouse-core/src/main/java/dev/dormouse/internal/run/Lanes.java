package dev.dormouse.internal.run;

import dev.dormouse.store.run.Queued;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The routing groups of runs. For a workflow it is its type, so that runs that nobody here knows are never scanned; for
 * workflows of a family it is that; for activities that run by themselves it is their interface; for both, in a queue, that with the queue's name before it.
 * Beside each there is a lane for its runs that some build has refused.
 */
public final class Lanes {
    private static final String REFUSED = "~";
    private static final String IN_QUEUE = "@";
    private static final String WANTED = "@?";

    private Lanes() {}

    public static String of(String type) {
        if (Families.isMember(type)) {
            return Families.of(type);
        }
        int dot = type.lastIndexOf('.');
        return ActivityTypes.isActivity(type) && dot > 0 ? type.substring(0, dot) : type;
    }

    public static String of(String type, @Nullable Queued queued) {
        return queued == null || !queued.isSomewhere() ? of(type) : in(queued.queue(), of(type));
    }

    private static String in(String queue, String lane) {
        return queue + IN_QUEUE + lane;
    }

    /** The same lane, for runs that some build has refused. */
    public static String refused(String lane) {
        return lane.endsWith(REFUSED) ? lane : lane + REFUSED;
    }

    /** The same lane, for runs that nobody has refused. */
    public static String accepted(String lane) {
        return lane.endsWith(REFUSED) ? lane.substring(0, lane.length() - REFUSED.length()) : lane;
    }

    /** The queue that a lane is of; empty for none. */
    public static String queueOf(String lane) {
        int at = lane.indexOf(IN_QUEUE);
        return at < 0 ? "" : lane.substring(0, at);
    }

    /** All lanes of these types. */
    public static List<String> all(Collection<String> types) {
        Set<String> lanes = new LinkedHashSet<>();
        for (String type : types) {
            lanes.add(of(type));
            lanes.add(refused(of(type)));
        }
        return new ArrayList<>(lanes);
    }

    /** All lanes of these types in a queue. */
    public static List<String> all(String queue, Collection<String> types) {
        return all(types).stream().map(lane -> in(queue, lane)).toList();
    }

    /** Whether a node that says this of itself takes runs of a lane, see {@link dev.dormouse.store.run.Sweep#served}. */
    public static boolean isServed(Collection<String> served, String lane) {
        String queue = queueOf(lane);
        return served.contains(typeOf(lane)) && (queue.isEmpty() || served.contains(room(queue)));
    }

    /** The type, interface or family whose runs are in a lane. */
    public static String typeOf(String lane) {
        String accepted = accepted(lane);
        return accepted.substring(accepted.indexOf(IN_QUEUE) + 1);
    }

    /** Under this name nodes tell each other that there is room in a queue. */
    public static String room(String queue) {
        return queue + IN_QUEUE;
    }

    /** Under this name nodes ask to be told when there is room in a queue. */
    public static String wanted(String queue) {
        return queue + WANTED;
    }

    public static boolean isRoom(String lane) {
        return lane.endsWith(IN_QUEUE);
    }

    public static boolean isWanted(String lane) {
        return lane.endsWith(WANTED);
    }
}
