package dev.dormouse.postgres.sqltimers;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All lanes of a node: one for each role that is enabled or was dropped, and one for the handlers. Thread-safe: all
 * methods hold the lock of this object, and none calls the database.
 */
final class TimerLanes {
    private static final Logger LOG = LoggerFactory.getLogger(TimerLanes.class);

    private final TimerNodeContext node;
    private final HandlerLane handlers;
    private final Map<String, TimerLane> roles = new HashMap<>();
    private final Set<String> told = new HashSet<>();
    private boolean closed;

    TimerLanes(TimerNodeContext node, HandlerLane handlers) {
        this.node = node;
        this.handlers = handlers;
    }

    /** Creates and closes lanes after the roles may have changed. */
    synchronized void update(List<RoleRow> rows) {
        if (closed) {
            return;
        }
        Map<String, TimerLane> before = new HashMap<>(roles);
        roles.clear();
        for (RoleRow row : rows) {
            lane(row, Optional.ofNullable(before.get(row.name()))).ifPresent(lane -> roles.put(row.name(), lane));
        }
        before.values().removeAll(new HashSet<>(roles.values()));
        before.values().forEach(TimerLane::close);
    }

    private Optional<TimerLane> lane(RoleRow row, Optional<TimerLane> before) {
        return switch (row.state()) {
            case ENABLED ->
                before.filter(RoleLane.class::isInstance).or(() -> Optional.of(new RoleLane(node, row.name())));
            case DROPPED ->
                before.filter(OrphanLane.class::isInstance).or(() -> Optional.of(new OrphanLane(node, row.name())));
            case DISABLED -> Optional.empty();
            case REPLACED -> {
                if (told.add(row.name())) {
                    LOG.warn(
                            "Role {} was dropped and created again. Timers of the old role stay pending. To fire them as the "
                                    + "new role: select timers.enable_role('{}')",
                            row.name(),
                            row.name());
                }
                yield Optional.empty();
            }
            case RENAMED -> {
                if (told.add(row.name())) {
                    LOG.warn(
                            "Role {} was renamed. Its timers stay pending until it is enabled under its new name, with "
                                    + "timers.enable_role.",
                            row.name());
                }
                yield Optional.empty();
            }
        };
    }

    /** Lets roles that could not log in try again. */
    synchronized void unblock() {
        for (TimerLane lane : roles.values()) {
            if (lane instanceof RoleLane role) {
                role.unblock();
            }
        }
    }

    synchronized Optional<TimerLane> find(TimerNotice.Timer timer) {
        if (timer.isAction()) {
            return Optional.ofNullable(roles.get(timer.name()));
        }
        return handlers.names().contains(timer.name()) ? Optional.of(handlers) : Optional.empty();
    }

    synchronized List<TimerLane> served() {
        List<TimerLane> served = new ArrayList<>(roles.values());
        if (!handlers.names().isEmpty()) {
            served.add(handlers);
        }
        served.removeIf(lane -> !lane.isServed());
        return served;
    }

    /** Begins nothing more. */
    synchronized void stop() {
        closed = true;
        all().forEach(TimerLane::stop);
    }

    synchronized void close() {
        closed = true;
        all().forEach(TimerLane::close);
    }

    synchronized List<TimerLane> all() {
        List<TimerLane> all = new ArrayList<>(roles.values());
        all.add(handlers);
        return all;
    }

    /** Returns what to look for, from each lane's floor on, or from the beginning of time. */
    synchronized ReadAheadStatement.Asked question(List<TimerLane> lanes, boolean fromTheBeginning) {
        Set<TimerLane> served = new HashSet<>(lanes);
        List<String> names = new ArrayList<>();
        List<Instant> floors = new ArrayList<>();
        roles.forEach((name, lane) -> {
            if (served.contains(lane)) {
                names.add(name);
                floors.add(fromTheBeginning ? Instant.EPOCH : lane.floor());
            }
        });
        List<String> handlerNames = List.copyOf(handlers.names());
        Instant floor = fromTheBeginning ? Instant.EPOCH : handlers.floor();
        return new ReadAheadStatement.Asked(
                names,
                floors,
                handlerNames,
                handlerNames.stream().map(name -> floor).toList());
    }
}
