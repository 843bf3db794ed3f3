package dev.dormouse.server.chromium;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One Chromium for all test classes of a JVM, closed after the last one: the build executes each class by itself, but all in
 * one launcher session. Without a Chromium the tests are skipped, with a message on
 * how to get one; in CI ({@code CI=true}) they fail.
 */
public final class Browser implements ExecutionCondition, ParameterResolver {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        if (Chromium.find().isPresent() || "true".equals(System.getenv("CI"))) {
            return ConditionEvaluationResult.enabled("");
        }
        if (context.getTestMethod().isEmpty()) {
            tell("Skipped: " + context.getDisplayName() + ". " + Chromium.MISSING);
        }
        return ConditionEvaluationResult.disabled(Chromium.MISSING);
    }

    /** Prints to the console: the build redirects {@code System.err} of tests to a file. */
    private static void tell(String message) {
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8).println(message);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Chromium.class;
    }

    @Override
    public Chromium resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getStore(ExtensionContext.StoreScope.LAUNCHER_SESSION, ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(Chromium.class, type -> start(), Chromium.class);
    }

    private static Chromium start() {
        try {
            return Chromium.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
