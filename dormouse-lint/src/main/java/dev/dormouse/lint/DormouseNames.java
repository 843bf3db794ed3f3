package dev.dormouse.lint;

import java.util.Set;
import java.util.regex.Pattern;

/** The names of Dormouse's types in byte code. */
final class DormouseNames {
    static final String WORKFLOW_INTERFACE = "Ldev/dormouse/WorkflowInterface;";
    static final String ACTIVITY_INTERFACE = "Ldev/dormouse/ActivityInterface;";
    static final String WORKFLOW_FUNCTION = "dev/dormouse/WorkflowFunction";

    private static final Set<String> WORKFLOW_METHODS = Set.of(
            "Ldev/dormouse/WorkflowMethod;",
            "Ldev/dormouse/WorkflowInit;",
            "Ldev/dormouse/SignalMethod;",
            "Ldev/dormouse/UpdateMethod;",
            "Ldev/dormouse/UpdateValidatorMethod;",
            "Ldev/dormouse/QueryMethod;");

    /** The interfaces whose implementations run as steps or activities. */
    private static final Set<String> STEPS = Set.of(
            "dev/dormouse/StepFunction",
            "dev/dormouse/StepAction",
            "dev/dormouse/TransactionFunction",
            "dev/dormouse/TransactionAction",
            "dev/dormouse/ActivityFunction");

    /** Dormouse itself and logging: a jar with all its dependencies contains them, and workflow code may call them. */
    private static final Pattern LIBRARY = Pattern.compile("dev/dormouse/([\\w$]+|"
            + "(internal|codec|dag|error|inspect|observability|plugin|schedule|server|store|testing|timer)/.+)"
            + "|org/(slf4j|apache/logging|apache/log4j|apache/commons/logging|jboss/logging)/.+"
            + "|ch/qos/logback/.+|kotlin/.+|scala/.+");

    private DormouseNames() {}

    static boolean isWorkflowMethod(String annotation) {
        return WORKFLOW_METHODS.contains(annotation);
    }

    static boolean isStep(String type) {
        return STEPS.contains(type);
    }

    /** Returns true if the class belongs to a library whose code is not followed. */
    static boolean isLibrary(String type) {
        return LIBRARY.matcher(type).matches();
    }

    /** Returns true for a call such as {@code Workflow.activities(Mail.class)}, which takes an activity interface. */
    static boolean takesActivityInterface(String owner, String method, String descriptor) {
        return owner.startsWith("dev/dormouse/")
                && method.equals("activities")
                && descriptor.startsWith("(Ljava/lang/Class;");
    }
}
