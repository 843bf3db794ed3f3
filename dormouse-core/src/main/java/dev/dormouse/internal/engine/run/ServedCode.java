package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.run.Families;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.RunCode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The code of all types that this node executes. Types can be added while the node runs. Thread-safe. */
public final class ServedCode {
    private final Map<String, RunCode> code;
    private volatile List<String> lanes;

    public ServedCode(Map<String, RunCode> code) {
        this.code = new ConcurrentHashMap<>(code);
        this.lanes = Lanes.all(code.keySet());
    }

    /** Returns the code of a type; null if this node has none. */
    @Nullable
    public RunCode code(String type) {
        return Families.find(code, type);
    }

    public Set<String> types() {
        return code.keySet();
    }

    /** Returns true if the results of some type are committed in batches. */
    public boolean hasBatched() {
        return code.values().stream().anyMatch(RunCode::isBatched);
    }

    /** Returns the lanes of all types, outside of queues. */
    public List<String> lanes() {
        return lanes;
    }

    /** Adds the code of a type. Returns false if there is code for it already. */
    public synchronized boolean add(String type, RunCode more) {
        if (code.putIfAbsent(type, more) != null) {
            return false;
        }
        lanes = Lanes.all(code.keySet());
        return true;
    }
}
