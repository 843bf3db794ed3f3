package dev.dormouse.support;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.SignalMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import java.util.function.Supplier;

/** Workflows "w" that run the code of a test. Those with signals execute their steps concurrently with the workflow. */
public final class Jobs {
    private Jobs() {}

    /** A workflow without messages: its steps execute on its own thread. */
    @WorkflowInterface
    public interface Job {
        @WorkflowMethod(name = "w")
        String work(String input);
    }

    /** A workflow with a signal: its steps execute concurrently with it. */
    @WorkflowInterface
    public interface OpenJob {
        @WorkflowMethod(name = "w")
        String work(String input);

        @SignalMethod
        void poke(String what);
    }

    public static DormouseBuilder inline(DormouseBuilder node, Supplier<String> code, Durability durability) {
        return node.workflow(Job.class, durability, () -> input -> code.get());
    }

    public static DormouseBuilder beside(DormouseBuilder node, Supplier<String> code, Durability durability) {
        return node.workflow(OpenJob.class, durability, () -> new OpenJob() {
            @Override
            public String work(String input) {
                return code.get();
            }

            @Override
            public void poke(String what) {
                Workflow.step("poked", () -> {});
            }
        });
    }
}
