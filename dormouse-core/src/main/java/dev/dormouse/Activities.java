package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.ActivityTypes;
import dev.dormouse.engine.Families;
import dev.dormouse.engine.RemoteStep;
import dev.dormouse.engine.RunCode;
import dev.dormouse.engine.StepCall;
import dev.dormouse.engine.Threads;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.replay.Replay;
import dev.dormouse.replay.ReplayedCode;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The activities that a node has, and those it leaves to others.
 *
 * @param here what executes the activities of an interface; null where that is not here
 * @param named those that can be called by their names; null where one is not here
 * @param interfaces the names of those whose activities are here
 * @param elsewhere interfaces whose activities others execute, even if nobody who does is alive now
 * @param executable whether a workflow type may be executed by any node
 */
record Activities(
        Function<Class<?>, @Nullable Object> here,
        Function<String, @Nullable NamedActivity> named,
        Set<String> interfaces,
        Set<Class<?>> elsewhere,
        Predicate<String> executable) {

    static String name(Class<?> type, Method method) {
        return nameOf(type) + "." + method.getName();
    }

    /** The name of an activity interface: the declared one, or else its simple name. */
    static String nameOf(Class<?> type) {
        String declared = declaredName(type);
        return declared.isEmpty() ? type.getSimpleName() : declared;
    }

    /** The interface whose calls these activities are for; empty for calls of any interface of that name. */
    static String ownerOf(Class<?> type) {
        return declaredName(type).isEmpty() ? type.getName() : "";
    }

    private static String declaredName(Class<?> type) {
        ActivityInterface declared = type.getAnnotation(ActivityInterface.class);
        return declared == null ? "" : declared.name();
    }

    /** Throws if the interface declares a name that cannot be, or has the name of another of {@code known}. */
    static void checkName(Class<?> type, Collection<Class<?>> known) {
        if (!declaredName(type).isEmpty()) {
            checkDeclared(declaredName(type));
        }
        for (Class<?> other : known) {
            if (other != type && nameOf(other).equals(nameOf(type))) {
                throw new DormouseException(
                        ErrorCode.BAD_ACTIVITY_INTERFACE,
                        "Expected activity interfaces of different names, but " + other.getName() + " and "
                                + type.getName() + " are both named '" + nameOf(type)
                                + "'. Give one of them another name by @ActivityInterface(name = \"…\").");
            }
        }
    }

    private static void checkDeclared(String name) {
        if (Families.isMember(WorkflowDefinition.checkedName("activity interface", name))) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the name of an activity interface without a colon, but got '" + name
                            + "'. Choose another name.");
        }
    }

    /** The code of runs that consist of one of these activities. */
    static Map<String, RunCode> code(Map<String, NamedActivity> activities, Payloads payloads, Threads threads) {
        Map<String, RunCode> code = new HashMap<>();
        activities.forEach((name, activity) -> code.put(
                ActivityTypes.of(name),
                new ReplayedCode(run -> prepare(run, activity, payloads), threads, false, false)
                        .keeping(payloads::keep)));
        return code;
    }

    /** The activities of interfaces that have names of their own: overloaded ones have none. */
    static Map<String, NamedActivity> named(Map<Class<?>, Object> activities) {
        Map<String, NamedActivity> named = new HashMap<>();
        activities.forEach((type, implementation) -> {
            Set<String> overloaded = overloaded(type);
            Generics.methods(type)
                    .filter(method -> !overloaded.contains(method.getName()))
                    .forEach(method -> named.put(name(type, method), NamedActivity.of(type, method, implementation)));
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
                .anyMatch(type -> Generics.methods(type)
                        .anyMatch(method -> name(type, method).equals(name)));
    }

    static Set<String> overloaded(Class<?> type) {
        Set<String> seen = new HashSet<>();
        Set<String> twice = new HashSet<>();
        Generics.methods(type)
                .map(Method::getName)
                .filter(name -> !seen.add(name))
                .forEach(twice::add);
        return twice;
    }

    private static Callable<Payload> prepare(Replay run, NamedActivity activity, Payloads payloads) {
        String name = activity.name();
        List<Payload> input = run.input();
        RemoteStep call = RecordedValues.call(input.get(0));
        if (!activity.isMeantBy(call.owner())) {
            throw otherIsMeant(run, activity, call.owner());
        }
        List<Payload> arguments = input.subList(1, input.size());
        activity.checkReads(arguments, payloads);
        ActivityRun.Caller caller = new ActivityRun.Caller(call.workflowId(), call.runId(), call.type());
        StepCall.Body body = attempt -> {
            ActivityRun here = new ActivityRun(run.run(), caller, name, call.key(), payloads, attempt, false);
            Object value = here.call(any -> activity.call(arguments, payloads));
            if (attempt.isHandedOut()) {
                return Payload.NOTHING;
            }
            Payload result =
                    activity.result() == void.class ? Payload.NOTHING : payloads.encode(value, activity.result());
            payloads.decode(result, activity.result());
            return result;
        };
        return () -> run.step(name, call.policy(), false, body).payload();
    }

    /** Hands the run to nodes that may have the interface that its caller means. */
    private static DormouseException otherIsMeant(Replay run, NamedActivity activity, String owner) {
        String called = activity.name().substring(0, activity.name().lastIndexOf('.'));
        return run.refuse(
                ErrorCode.UNKNOWN_ACTIVITY,
                "Expected activity '" + activity.name() + "' to be that of " + owner
                        + ", which its caller means, but here it is that of " + activity.owner()
                        + ". Names of activities are global in a database. If these are two interfaces, give one of them "
                        + "another name by @ActivityInterface(name = …). If one is a copy of the other, or was moved, "
                        + "declare @ActivityInterface(name = \"" + called + "\") on " + activity.owner() + ".");
    }
}
