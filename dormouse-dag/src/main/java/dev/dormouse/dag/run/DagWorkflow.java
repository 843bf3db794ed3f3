package dev.dormouse.dag.run;

import dev.dormouse.QueryMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import org.jspecify.annotations.Nullable;

/** The workflow that every run of a DAG is. */
@WorkflowInterface
public interface DagWorkflow {
    /** The family of the types of all DAGs. */
    String FAMILY = "dag";

    /** Under this name the notes of a run's start tell which version of the DAG it goes by. */
    String VERSION = "dag.version";

    /** The update by which an approval is decided, and which of its arguments is the secret. */
    String DECIDE = "decide";

    int SECRET = 1;

    @WorkflowMethod
    @Nullable
    Object run(@Nullable Object input);

    /** Where the run stands, as JSON. */
    @QueryMethod
    String state();

    /** The secrets of the approvals that the run waits for, by step, as JSON. */
    @QueryMethod
    String secrets();

    /** Decides an approval; tells what became of that, by the name of a {@link Verdict}. */
    @UpdateMethod
    String decide(String step, String secret, boolean approved, String by, String comment);

    /** What became of a decision. */
    enum Verdict {
        ACCEPTED,
        /** It was decided before, or the time was up. */
        USED,
        /** There is no such approval, or the secret is not its own. */
        UNKNOWN
    }
}
