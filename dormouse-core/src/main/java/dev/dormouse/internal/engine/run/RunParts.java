package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.engine.context.NodeContext;

/**
 * The parts of a node that all its runs share.
 *
 * @param host the node's loops and tables, as runs see them
 */
public record RunParts(
        NodeContext context,
        RunHost host,
        RunTable table,
        CrashLoopGuard crashLoops,
        UnresponsiveCode unresponsive,
        LocalPauses localPauses,
        ProgressNotes progress) {}
