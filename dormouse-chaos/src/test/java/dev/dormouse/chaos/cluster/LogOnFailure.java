package dev.dormouse.chaos.cluster;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Prints the workers' log of a failed test before it is deleted. */
public final class LogOnFailure implements AfterTestExecutionCallback {

    @Override
    @SuppressWarnings("SystemOut")
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            System.out.println(context.getDisplayName() + ": the workers' log\n" + ChaosCluster.lastLog());
        }
    }
}
