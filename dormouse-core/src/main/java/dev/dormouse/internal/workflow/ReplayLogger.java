package dev.dormouse.internal.workflow;

import dev.dormouse.internal.replay.Replay;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The logger of a workflow type, which discards everything while its run is being replayed. */
final class ReplayLogger {
    private ReplayLogger() {}

    static Logger of(Replay run) {
        Logger logger =
                LoggerFactory.getLogger("dev.dormouse.workflow." + run.started().type());
        return (Logger) Proxy.newProxyInstance(
                Logger.class.getClassLoader(),
                new Class<?>[] {Logger.class},
                (proxy, method, arguments) -> run.isReplaying() ? discard(method) : log(logger, method, arguments));
    }

    private static @Nullable Object discard(Method method) {
        if (method.getReturnType() == boolean.class) {
            return false;
        }
        return method.getReturnType() == String.class ? "" : null;
    }

    private static @Nullable Object log(Logger logger, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(logger, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getTargetException();
        }
    }
}
