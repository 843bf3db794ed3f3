package dev.dormouse.engine;

/**
 * The parts of a node that all of its runs share.
 *
 * @param host the node's loops and tables, as runs see them
 */
record RunParts(
        NodeContext context,
        RunHost host,
        RunTable table,
        CrashLoopGuard crashLoops,
        DeafCode deafCode,
        PausedHere paused,
        ProgressNotes progress) {}
