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
import java.lang.reflect.Type;
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
 * @param elsewhere interfaces whose activities others execute, even if nobody who does is alive now
 */
record Activities(Function<Class<?>, @Nullable Object> here, Set<Class<?>> elsewhere) {

    static String name(Class<?> type, Method method) {
        return type.getSimpleName() + "." + method.getName();
    }

    /** The code of runs that consist of one of these activities. Overloaded ones are not among them. */
    static Map<String, RunCode> code(Map<Class<?>, Object> activities, Payloads payloads, Threads threads) {
        Map<String, RunCode> code = new HashMap<>();
        activities.forEach((type, implementation) -> {
            Set<String> overloaded = overloaded(type);
            for (Method method : type.getMethods()) {
                if (!overloaded.contains(method.getName())) {
                    method.setAccessible(true);
                    code.put(
                            ActivityTypes.of(name(type, method)),
                            new ReplayedCode(
                                    run -> prepare(run, name(type, method), method, implementation, payloads),
                                    threads,
                                    false,
                                    false));
                }
            }
        });
        return code;
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

    private static Callable<Payload> prepare(
            Replay run, String name, Method method, Object implementation, Payloads payloads) {
        List<Payload> input = run.input();
        RemoteStep call = RemoteStep.decode(input.get(0));
        List<Payload> arguments = input.subList(1, input.size());
        List<Type> types = List.of(method.getGenericParameterTypes());
        ActivityRun.Caller caller = new ActivityRun.Caller(call.workflowId(), call.runId(), call.type());
        StepCall.Body body = attempt -> {
            ActivityRun activity = new ActivityRun(run.run(), caller, name, call.key(), payloads, attempt, false);
            Object value = activity.call(
                    here -> WorkflowDefinition.invoke(method, implementation, payloads.decodeAll(arguments, types)));
            if (attempt.isHandedOut()) {
                return Payload.NOTHING;
            }
            Payload result = method.getReturnType() == void.class ? Payload.NOTHING : payloads.encode(value);
            payloads.decode(result, method.getGenericReturnType());
            return result;
        };
        return () -> run.step(name, call.policy(), false, body).payload();
    }
}
