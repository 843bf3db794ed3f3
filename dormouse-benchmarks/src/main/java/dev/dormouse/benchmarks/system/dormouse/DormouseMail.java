package dev.dormouse.benchmarks.system.dormouse;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.benchmarks.database.Database;
import dev.dormouse.benchmarks.system.Mail;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** Signals and updates by handles. */
final class DormouseMail implements Mail {
    private final Dormouse dormouse;
    private final Map<String, WorkflowHandle<Integer>> handles = new ConcurrentHashMap<>();

    private DormouseMail(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    static DormouseMail open(Database database) {
        return new DormouseMail(Dormouse.builder()
                .store(database.url())
                .workflow(Talk.class, Talk.Implementation::new)
                .open());
    }

    @Override
    public void begin(String id) {
        Talk talk = dormouse.workflow(Talk.class, id);
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
