package dev.dormouse.examples.window;

import dev.dormouse.ChildOptions;
import dev.dormouse.ParentClosePolicy;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInit;
import java.util.Set;
import java.util.TreeSet;

/** A workflow that starts a number of children, then continues as new with those that are still open. */
public class WindowWorkflow implements Window {
    private static final ChildOptions OUTLIVES_THIS_RUN =
            ChildOptions.DEFAULT.withParentClosePolicy(ParentClosePolicy.ABANDON);

    private final int childrenPerRun;
    private final Set<Integer> open = new TreeSet<>();
    private State begin = new State(0, 0, 0, Set.of(), 0);
    private int next;
    private int done;

    public WindowWorkflow(int childrenPerRun) {
        this.childrenPerRun = childrenPerRun;
    }

    @WorkflowInit
    void init(State state) { // a report of a child may arrive before the first line of run
        begin = state;
        next = state.next();
        done = state.done();
        open.addAll(state.open());
    }

    @Override
    public int run(State state) {
        String parent = Workflow.info().workflowId();
        for (int started = 0; next < state.end(); started++) {
            Workflow.await(() -> open.size() < state.size());
            if (started == childrenPerRun) {
                return Workflow.continueAsNew(Window.class).run(state());
            }
            Workflow.child("Item", parent + "-" + next, OUTLIVES_THIS_RUN, Void.class, parent, next);
            open.add(next);
            next++;
        }
        Workflow.await(open::isEmpty);
        return done;
    }

    @Override
    public void completed(int item) {
        if (open.remove(item)) { // a second report of the same child does not count
            done++;
        }
    }

    @Override
    public State state() {
        return new State(next, begin.end(), begin.size(), Set.copyOf(open), done);
    }
}
