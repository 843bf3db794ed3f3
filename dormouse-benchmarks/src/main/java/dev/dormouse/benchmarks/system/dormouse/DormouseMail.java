package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.MessageEngine;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Signals and updates through workflow handles. */
final class DormouseMail implements MessageEngine {
    private final Dormouse dormouse;
    private final Map<String, WorkflowHandle<Integer>> handles = new ConcurrentHashMap<>();

    private DormouseMail(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    static DormouseMail open(BenchDatabase database) {
        return new DormouseMail(Dormouse.builder()
                .store(database.url())
                .workflow(MessageWorkflow.class, MessageWorkflow.Implementation::new)
                .open());
    }

    @Override
    public void begin(String id) {
        MessageWorkflow talk = dormouse.workflow(MessageWorkflow.class, id);
        handles.put(id, dormouse.start(talk::run));
    }

    @Override
    public void tell(String id) {
        handle(id).signal("tell", 1);
    }

    @Override
    public void ask(String id) {
        handle(id).update("ask", Integer.class, 1);
    }

    private WorkflowHandle<Integer> handle(String id) {
        return Objects.requireNonNull(handles.get(id), id);
    }

    @Override
    public void close() {
        dormouse.close();
    }
}
