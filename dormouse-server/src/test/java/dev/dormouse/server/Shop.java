package dev.dormouse.server;

import dev.dormouse.Activity;
import dev.dormouse.ActivityInterface;
import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.TypeRef;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.dag.Dag;
import dev.dormouse.dag.Dags;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Sample workflows on a SQLite store. */
final class Shop implements AutoCloseable {

    /** An order that waits for its approval. */
    @WorkflowInterface
    public interface Order {
        @WorkflowMethod(name = "order")
        String run(String item, int pieces);

        @SignalMethod
        void approve(String by);

        @QueryMethod
        String state();

        @UpdateMethod
        int addPieces(int more);

        @UpdateValidatorMethod(update = "addPieces")
        void checkMore(int more);
    }

    @ActivityInterface
    public interface Store {
        String reserve(String item);
    }

    public static final class OrderWorkflow implements Order {
        private final Store store = Workflow.activities(Store.class);
        private final UpdatableTimer deadline = Workflow.newUpdatableTimer("deadline");
        private int pieces;
        private String approvedBy = "";

        @Override
        public String run(String item, int wanted) {
            pieces = wanted;
            String place = store.reserve(item);
            boolean inTime = deadline.await(Workflow.now().plus(Duration.ofDays(1)), () -> !approvedBy.isEmpty());
            return inTime ? place + " x " + pieces + " for " + approvedBy : "too late";
        }

        @Override
        public void approve(String by) {
            approvedBy = by;
        }

        @Override
        public String state() {
            return approvedBy.isEmpty() ? "waiting" : "approved";
        }

        @Override
        public int addPieces(int more) {
            pieces += more;
            return pieces;
        }

        @Override
        public void checkMore(int more) {
            if (more < 1) {
                throw new IllegalArgumentException("more than nothing");
            }
        }
    }

    final Map<String, String> tokens = new ConcurrentHashMap<>();

    final Dags dags = Dags.of(Dag.workflow("release")
            .approval("check", Duration.ofDays(1))
            .sleep("wait", Duration.ofHours(1))
            .after("check")
            .build());
    final Dormouse dormouse;

    Shop(Path file) {
        dormouse = Dormouse.builder()
                .store("sqlite:" + file)
                .workflow(Order.class, OrderWorkflow::new)
                .workflow("sleeper", Integer.class, String.class, (ctx, hours) -> {
                    ctx.sleep(Duration.ofHours(hours));
                    return "slept";
                })
                .workflow("echo", Object.class, Object.class, (ctx, input) -> input)
                .workflow("broken", Object.class, String.class, (ctx, input) -> {
                    throw new IllegalStateException("<b>broken</b> with " + input);
                })
                .workflow(
                        "handsOut",
                        Object.class,
                        String.class,
                        (ctx, input) -> ctx.step("sign", String.class, () -> {
                            tokens.put(ctx.info().workflowId(), Activity.completeLater());
                            return "";
                        }))
                .activities(Store.class, item -> "R-" + item)
                .plugin(dags)
                .closeGrace(Duration.ofMillis(100))
                .open();
        dormouse.timers().handle("remind", new TypeRef<Map<String, Object>>() {}, payload -> {});
    }

    @Override
    public void close() {
        dormouse.close();
    }
}
