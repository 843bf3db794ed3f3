package dev.dormouse.benchmarks.system;

/** Workflows beside timers, whose claims can be told from other statements. */
public interface Claims extends Workflows, Timers {

    /** What stands in the text of the statement that takes what is due, and in no other. */
    String claimText();
}
