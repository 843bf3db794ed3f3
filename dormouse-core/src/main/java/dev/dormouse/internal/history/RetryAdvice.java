package dev.dormouse.internal.history;

import dev.dormouse.error.ApplicationException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.RecordedException;
import dev.dormouse.error.RetryHint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a failure that a retry policy needs, so that they can be stored without the exception.
 *
 * @param isFinal true if the exception says that another attempt is useless
 * @param retryAfter how long the exception asks to wait; null to leave that to the policy
 * @param types the names of its class and superclasses, after the type of an {@link ApplicationException}
 */
public record RetryAdvice(boolean isFinal, @Nullable Duration retryAfter, List<String> types) implements Writable {

    public RetryAdvice {
        types = List.copyOf(types);
    }

    public static RetryAdvice of(Throwable problem) {
        return new RetryAdvice(isFinal(problem), retryAfter(problem), types(problem));
    }

    private static boolean isFinal(Throwable problem) {
        return problem instanceof AssertionError // the code reports its own mistake
                || problem instanceof RetryHint hint && Boolean.TRUE.equals(Failure.ask(hint::isFinal))
                || problem instanceof DormouseException known && known.code().isMistake();
    }

    private static @Nullable Duration retryAfter(Throwable problem) {
        Duration asked = problem instanceof RetryHint hint ? Failure.ask(hint::retryAfter) : null;
        return asked != null && asked.isNegative() ? Duration.ZERO : asked;
    }

    private static List<String> types(Throwable problem) {
        if (problem instanceof RecordedException recorded) {
            return List.of(recorded.type());
        }
        List<String> names = new ArrayList<>();
        if (problem instanceof ApplicationException application) {
            names.add(application.type());
        }
        for (Class<?> type = problem.getClass(); type != Object.class && type != null; type = type.getSuperclass()) {
            names.add(type.getName());
        }
        return names;
    }

    static RetryAdvice read(EventReader in) {
        boolean isFinal = in.number() != 0;
        Duration retryAfter = in.number() == 0 ? null : Duration.ofSeconds(in.number(), in.count());
        return new RetryAdvice(isFinal, retryAfter, in.list(EventReader::text));
    }

    @Override
    public void write(EventWriter out) {
        out.number(isFinal ? 1 : 0);
        out.number(retryAfter == null ? 0 : 1);
        if (retryAfter != null) {
            out.number(retryAfter.getSeconds());
            out.number(retryAfter.getNano());
        }
        out.number(types.size());
        types.forEach(out::text);
    }
}
