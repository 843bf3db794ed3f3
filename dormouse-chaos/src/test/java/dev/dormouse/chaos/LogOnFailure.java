package dev.dormouse.chaos;

import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Prints what the workers of a failed test had to say, before it is deleted. */
final class LogOnFailure implements AfterTestExecutionCallback {

    @Override
    @SuppressWarnings("SystemOut")
    public void afterTestExecution(ExtensionContext context) {
        if (context.getExecutionException().isPresent()) {
            System.out.println(context.getDisplayName() + ": the workers' log\n" + Scene.lastLog());
        }
    }
}
