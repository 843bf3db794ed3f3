package dev.dormouse.server.chromium;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One Chromium for all tests: it is closed after the last one. */
public final class Browser implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Chromium.class;
    }

    @Override
    public Chromium resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
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
