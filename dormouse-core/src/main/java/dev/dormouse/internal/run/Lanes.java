package dev.dormouse.internal.run;

import dev.dormouse.store.run.Queued;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lanes, the routing keys of runs: a node claims only in lanes that it serves, so it never scans runs that it cannot
 * execute.
 *
 * <ul>
 *   <li>For a workflow, the lane is its type.
 *   <li>For a workflow of a family, it is the family.
 *   <li>For a stand-alone activity, it is its interface.
 *   <li>In a queue, {@code queue@} precedes it.
 *   <li>Runs that some build has refused use a second lane with the suffix {@code ~}. So a claim does not have to step
 *       over a backlog of refused runs to find the others.
 * </ul>
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

    /** Returns the lane for runs of {@code lane} that some build has refused. */
    public static String refused(String lane) {
        return lane.endsWith(REFUSED) ? lane : lane + REFUSED;
    }

    /** Returns the lane for runs of {@code lane} that no build has refused. */
    public static String accepted(String lane) {
        return lane.endsWith(REFUSED) ? lane.substring(0, lane.length() - REFUSED.length()) : lane;
    }

    /** Returns the queue of a lane; empty for none. */
    public static String queueOf(String lane) {
        int at = lane.indexOf(IN_QUEUE);
        return at < 0 ? "" : lane.substring(0, at);
    }

    /** Returns all lanes of {@code types} outside of queues. */
    public static List<String> all(Collection<String> types) {
        Set<String> lanes = new LinkedHashSet<>();
        for (String type : types) {
            lanes.add(of(type));
            lanes.add(refused(of(type)));
        }
        return new ArrayList<>(lanes);
    }

    /** Returns all lanes of {@code types} in a queue. */
    public static List<String> all(String queue, Collection<String> types) {
        return all(types).stream().map(lane -> in(queue, lane)).toList();
    }

    /**
     * Returns true if a node that serves {@code served} claims runs of a lane, see {@link
     * dev.dormouse.store.run.Sweep#served}.
     */
    public static boolean isServed(Collection<String> served, String lane) {
        String queue = queueOf(lane);
        return served.contains(typeOf(lane)) && (queue.isEmpty() || served.contains(room(queue)));
    }

    /** Returns the type, interface or family whose runs are in a lane. */
    public static String typeOf(String lane) {
        String accepted = accepted(lane);
        return accepted.substring(accepted.indexOf(IN_QUEUE) + 1);
    }

    /** Returns the name under which nodes announce free slots of a queue. */
    public static String room(String queue) {
        return queue + IN_QUEUE;
    }

    /** Returns the name under which nodes ask for announcements of free slots of a queue. */
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
