package dev.dormouse;

import java.util.function.Supplier;

/** Workflows "w" that do what a test says, with and without signals: those with execute their steps beside themselves. */
final class Jobs {
    private Jobs() {}

    /** Takes no mail, so that its steps execute on its own thread. */
    @WorkflowInterface
    interface Job {
        @WorkflowMethod(name = "w")
        String work(String input);
    }

    /** Takes signals, so that its steps execute beside it. */
    @WorkflowInterface
    interface OpenJob {
        @WorkflowMethod(name = "w")
        String work(String input);

        @SignalMethod
        void poke(String what);
    }

    static DormouseBuilder inline(DormouseBuilder node, Supplier<String> code, Durability durability) {
        return node.workflow(Job.class, () -> input -> code.get(), durability);
    }

    static DormouseBuilder beside(DormouseBuilder node, Supplier<String> code, Durability durability) {
        return node.workflow(
                OpenJob.class,
                () -> new OpenJob() {
                    @Override
                    public String work(String input) {
                        return code.get();
                    }

                    @Override
                    public void poke(String what) {
                        Workflow.step("poked", () -> {});
                    }
                },
                durability);
    }
}
