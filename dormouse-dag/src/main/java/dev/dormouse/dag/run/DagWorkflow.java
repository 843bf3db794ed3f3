package dev.dormouse.dag.run;

import dev.dormouse.QueryMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import org.jspecify.annotations.Nullable;

/** The workflow interface of every DAG run. */
@WorkflowInterface
public interface DagWorkflow {
    /** The workflow family of all DAGs. */
    String FAMILY = "dag";

    /** The memo key that holds the version of the DAG. */
    String VERSION = "dag.version";

    /** The update that decides an approval, and the index of its secret argument. */
    String DECIDE = "decide";

    int SECRET = 1;

    @WorkflowMethod
    @Nullable
    Object run(@Nullable Object input);

    /** Returns the state of the run as JSON. */
    @QueryMethod
    String state();

    /** Returns the secrets of the approvals that the run waits for, by step, as JSON. */
    @QueryMethod
    String secrets();

    /** Decides an approval. Returns the name of a {@link Verdict}. */
    @UpdateMethod
    String decide(String step, String secret, boolean approved, String by, String comment);

    /** The outcome of a decision. */
    enum Verdict {
        ACCEPTED,
        /** The approval was decided before, or timed out. */
        USED,
        /** There is no such approval, or the secret is wrong. */
        UNKNOWN
    }
}
