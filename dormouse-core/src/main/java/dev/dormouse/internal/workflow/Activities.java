package dev.dormouse.internal.workflow;

import dev.dormouse.ActivityInterface;
import dev.dormouse.Dormouse;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.ReplayedCode;
import dev.dormouse.internal.run.ActivityTypes;
import dev.dormouse.internal.run.Families;
import dev.dormouse.internal.run.RemoteStep;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.internal.value.Generics;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The activities that a node executes itself, and the activities that it leaves to other nodes. Immutable.
 *
 * @param here returns the implementation of an activity interface; null if it is not registered on this node
 * @param named returns the activity with the given name; null if it is not registered on this node
 * @param interfaces the names of the interfaces that are registered on this node
 * @param elsewhere interfaces whose activities other nodes execute, even if none of these nodes is alive now
 * @param executable tests if any node may execute a workflow type
 * @param dormouse returns the Dormouse of this node
 */
public record Activities(
        Function<Class<?>, @Nullable Object> here,
        Function<String, @Nullable NamedActivity> named,
        Set<String> interfaces,
        Set<Class<?>> elsewhere,
        Predicate<String> executable,
        Supplier<Dormouse> dormouse) {

    static String name(Class<?> type, Method method) {
        return nameOf(type) + "." + ActivityMethods.of(type).name(method);
    }

    /** Returns the name of an activity interface: the declared name, or else its simple name. */
    public static String nameOf(Class<?> type) {
        String declared = declaredName(type);
        return declared.isEmpty() ? type.getSimpleName() : declared;
    }

    /**
     * Returns the full name of the interface whose calls these activities accept. Returns an empty string if they
     * accept calls of any interface with the declared name.
     */
    static String ownerOf(Class<?> type) {
        return declaredName(type).isEmpty() ? type.getName() : "";
    }

    private static String declaredName(Class<?> type) {
        ActivityInterface declared = type.getAnnotation(ActivityInterface.class);
        return declared == null ? "" : declared.name();
    }

    /** Throws if the interface declares an invalid name, or has the name of another interface in {@code known}. */
    public static void checkName(Class<?> type, Collection<Class<?>> known) {
        if (!declaredName(type).isEmpty()) {
            checkDeclared(declaredName(type));
        }
        for (Class<?> other : known) {
            if (other != type && nameOf(other).equals(nameOf(type))) {
                throw new DormouseException(
                        ErrorCode.BAD_ACTIVITY_INTERFACE,
                        "Expected activity interfaces with different names, but " + other.getName() + " and "
                                + type.getName() + " are both named '" + nameOf(type)
                                + "'. Rename one of them with @ActivityInterface(name = \"…\").");
            }
        }
    }

    private static void checkDeclared(String name) {
        if (Families.isMember(Ids.checkedName("activity interface", name))) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the name of an activity interface without a colon, but got '" + name
                            + "'. Choose another name.");
        }
    }

    /** Returns the code of runs that consist of one of these activities. */
    public Map<String, RunCode> code(Map<String, NamedActivity> activities, Payloads payloads, Threads threads) {
        Map<String, RunCode> code = new HashMap<>();
        activities.forEach((name, activity) -> code.put(
                ActivityTypes.of(name),
                new ReplayedCode(run -> prepare(run, activity, payloads), threads, false, false)
                        .keeping(payloads::keep)));
        return code;
    }

    /** Returns the activities by name. Overloaded methods are left out, because their name is not unique. */
    public static Map<String, NamedActivity> named(Map<Class<?>, Object> activities) {
        Map<String, NamedActivity> named = new HashMap<>();
        activities.forEach((type, implementation) -> {
            ActivityMethods methods = ActivityMethods.of(type);
            Generics.methods(type)
                    .filter(method -> !methods.isOverloaded(methods.name(method)))
                    .forEach(method -> named.put(name(type, method), NamedActivity.of(type, method, implementation)));
        });
        return named;
    }

    /**
     * Returns true if other nodes cannot have an activity of this name either: this node has its interface, and the
     * interface has no such method.
     */
    boolean isNowhere(String name) {
        int dot = name.lastIndexOf('.');
        return dot > 0 && interfaces.contains(name.substring(0, dot));
    }

    /** Returns true if other nodes execute the activity of this name, even if none of these nodes is alive now. */
    boolean isElsewhere(String name) {
        return elsewhere.stream()
                .anyMatch(type -> Generics.methods(type)
                        .anyMatch(method -> name(type, method).equals(name)));
    }

    private Callable<Payload> prepare(Replay run, NamedActivity activity, Payloads payloads) {
        String name = activity.name();
        List<Payload> input = run.input();
        RemoteStep call = RecordedValues.call(input.get(0));
        if (!activity.isMeantBy(call.owner())) {
            throw wrongInterface(run, activity, call.owner());
        }
        List<Payload> arguments = input.subList(1, input.size());
        activity.checkReads(arguments, payloads);
        ActivityRun.Caller caller = new ActivityRun.Caller(call.workflowId(), call.runId(), call.type());
        StepCall.Body body = attempt -> {
            ActivityRun here = new ActivityRun(run.run(), caller, name, call.key(), payloads, attempt, false, dormouse);
            Object value = here.call(any -> activity.call(arguments, payloads));
            if (attempt.isHandedOut()) {
                return Payload.NOTHING;
            }
            Payload result =
                    activity.result() == void.class ? Payload.NOTHING : payloads.encode(value, activity.result());
            payloads.decode(result, activity.result());
            return result;
        };
        return () -> run.step(name, call.policy(), false, call.waitsForCancellation(), body)
                .payload();
    }

    /** Returns the exception that passes the run to nodes that may have the interface that its caller requests. */
    private static DormouseException wrongInterface(Replay run, NamedActivity activity, String owner) {
        String called = activity.name().substring(0, activity.name().lastIndexOf('.'));
        return run.refuse(
                ErrorCode.UNKNOWN_ACTIVITY,
                "Expected activity '" + activity.name() + "' to belong to " + owner
                        + ", the interface that its caller uses, but on this node it belongs to " + activity.owner()
                        + ". Activity names are global in a database. If these are two interfaces, rename one of them "
                        + "with @ActivityInterface(name = …). If one is a copy of the other, or was moved, "
                        + "declare @ActivityInterface(name = \"" + called + "\") on " + activity.owner() + ".");
    }
}
