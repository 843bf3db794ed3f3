package dev.dormouse.lint;

/** The severity of a finding. */
public enum Severity {
    /** A replay differs, or a crash loses a wait. {@link WorkflowLint#check} throws. */
    ERROR,
    /** A replay can differ, depending on how the value is used. {@link WorkflowLint#check} does not throw for it alone. */
    WARNING
}
