package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.ActivityTypes;
import dev.dormouse.engine.RemoteStep;
import dev.dormouse.engine.RunCode;
import dev.dormouse.engine.StepCall;
import dev.dormouse.engine.Threads;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.ReplayedCode;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The activities that a node has, and those it leaves to others.
 *
 * @param here what executes the activities of an interface; null where that is not here
 * @param named those that can be called by their names; null where one is not here
 * @param interfaces the names of those whose activities are here
 * @param elsewhere interfaces whose activities others execute, even if nobody who does is alive now
 */
record Activities(
        Function<Class<?>, @Nullable Object> here,
        Function<String, @Nullable NamedActivity> named,
        Set<String> interfaces,
        Set<Class<?>> elsewhere) {

    static String name(Class<?> type, Method method) {
        return type.getSimpleName() + "." + method.getName();
    }

    /** The code of runs that consist of one of these activities. */
    static Map<String, RunCode> code(Map<String, NamedActivity> activities, Payloads payloads, Threads threads) {
        Map<String, RunCode> code = new HashMap<>();
        activities.forEach((name, activity) -> code.put(
                ActivityTypes.of(name),
                new ReplayedCode(run -> prepare(run, activity, payloads), threads, false, false)));
        return code;
    }

    /** The activities of interfaces that have names of their own: overloaded ones have none. */
    static Map<String, NamedActivity> named(Map<Class<?>, Object> activities) {
        Map<String, NamedActivity> named = new HashMap<>();
        activities.forEach((type, implementation) -> {
            Set<String> overloaded = overloaded(type);
            for (Method method : type.getMethods()) {
                if (!overloaded.contains(method.getName())) {
                    named.put(name(type, method), NamedActivity.of(type, method, implementation));
                }
            }
        });
        return named;
    }

    /** Whether others cannot have an activity of this name either, because its interface is here, and does not have it. */
    boolean isNowhere(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 && interfaces.contains(name.substring(0, dot));
    }

    /** Whether others execute the activity of this name, even if nobody who does is alive now. */
    boolean isElsewhere(String name) {
        return elsewhere.stream()
                .anyMatch(type -> Arrays.stream(type.getMethods())
                        .anyMatch(method -> name(type, method).equals(name)));
    }

    static Set<String> overloaded(Class<?> type) {
        Set<String> seen = new HashSet<>();
        Set<String> twice = new HashSet<>();
        Arrays.stream(type.getMethods())
                .map(Method::getName)
                .filter(name -> !seen.add(name))
                .forEach(twice::add);
        return twice;
    }

    private static Callable<Payload> prepare(Replay run, NamedActivity activity, Payloads payloads) {
        String name = activity.name();
        List<Payload> input = run.input();
        RemoteStep call = RecordedValues.call(input.get(0));
        List<Payload> arguments = input.subList(1, input.size());
        activity.checkReads(arguments, payloads);
        ActivityRun.Caller caller = new ActivityRun.Caller(call.workflowId(), call.runId(), call.type());
        StepCall.Body body = attempt -> {
            ActivityRun here = new ActivityRun(run.run(), caller, name, call.key(), payloads, attempt, false);
            Object value = here.call(any -> activity.call(arguments, payloads));
            if (attempt.isHandedOut()) {
                return Payload.NOTHING;
            }
            Payload result = activity.result() == void.class ? Payload.NOTHING : payloads.encode(value);
            payloads.decode(result, activity.result());
            return result;
        };
        return () -> run.step(name, call.policy(), false, body).payload();
    }
}
