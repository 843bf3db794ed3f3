package dev.dormouse.server.view;

import dev.dormouse.dag.DagState;
import java.util.List;

/**
 * A run of a DAG.
 *
 * @param mermaid as a flowchart, in the language of Mermaid
 */
public record DagRunView(DagState state, String mermaid, List<ApprovalView> approvals) {}
