package dev.dormouse.benchmarks.system;

/** Workflows and timers whose claim statements can be distinguished from other statements. */
public interface ClaimEngine extends WorkflowEngine, TimerEngine {

    /** Returns a text that only the claim statement contains. */
    String claimText();
}
