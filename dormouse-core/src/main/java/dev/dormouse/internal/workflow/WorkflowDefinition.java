package dev.dormouse.internal.workflow;

import dev.dormouse.ActivityOptions;
import dev.dormouse.Durability;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.event.EventDesk;
import dev.dormouse.internal.replay.ReplayedCode;
import dev.dormouse.internal.run.Families;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.internal.value.Generics;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A registered workflow type: its name, and the code that turns a run's input into its result. Immutable. */
public record WorkflowDefinition(
        String name, List<Type> parameters, WorkflowMethods methods, Durability durability, Body body) {

    /**
     * The code of a run: creates the handlers of its signals, updates and queries, and returns the workflow method's
     * call.
     */
    interface Body {
        Callable<Payload> prepare(RunContext context, List<Payload> input, Payloads payloads) throws Exception;
    }

    public static WorkflowDefinition of(Class<?> type, Supplier<?> implementation, Durability durability) {
        return named(nameOf(type), type, implementation, durability);
    }

    /** Creates a definition under a name that is not checked: for workflows of Dormouse itself. */
    public static WorkflowDefinition named(
            String name, Class<?> type, Supplier<?> implementation, Durability durability) {
        Method method = workflowMethod(type);
        WorkflowMethods methods = WorkflowMethods.of(type);
        List<Type> parameters = methods.parameters(method);
        return new WorkflowDefinition(name, parameters, methods, durability, (context, input, payloads) -> {
            @Nullable Object[] arguments = RecordedValues.readAll(payloads, inputOf(name), input, parameters);
            Object target = implementation.get();
            WorkflowInitMethods.call(target, method, arguments);
            context.open(methods, parameters, target);
            return () -> {
                Object result = invoke(method, target, arguments);
                return method.getReturnType() == void.class
                        ? Payload.NOTHING
                        : payloads.encode(result, methods.result(method));
            };
        });
    }

    public static <I extends @Nullable Object, O extends @Nullable Object> WorkflowDefinition of(
            String type, Type input, Type output, WorkflowFunction<I, O> function, Durability durability) {
        List<Type> parameters = List.of(input);
        WorkflowMethods none = WorkflowMethods.none(nameOfOne(type));
        return new WorkflowDefinition(type, parameters, none, durability, (context, payload, payloads) -> {
            I argument = only(RecordedValues.readAll(payloads, inputOf(type), payload, parameters));
            context.open(none, parameters, function);
            return () -> payloads.encode(function.run(context, argument), output);
        });
    }

    private static String inputOf(String type) {
        return "the input of workflow type '" + type + "'";
    }

    /**
     * Creates the code for runs of this type.
     *
     * @param events null if no step is ever executed
     */
    public ReplayedCode code(
            Payloads payloads,
            ActivityOptions options,
            Activities activities,
            @Nullable EventDesk events,
            Threads threads) {
        ReplayedCode code = new ReplayedCode(
                run -> {
                    RunContext context = new RunContext(run, payloads, options, activities, events);
                    run.attach(context);
                    return context.compensations().orUndo(() -> body.prepare(context, run.input(), payloads));
                },
                threads,
                methods.takesMail(),
                durability == Durability.BATCHED);
        return code.keeping(payloads::keep);
    }

    /** Throws PAYLOAD_DOES_NOT_FIT if these payloads are not arguments of the workflow. */
    public void checkInput(List<Payload> input, Payloads payloads) {
        payloads.decodeAll(input, parameters);
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the codec returns the requested type, null included, or throws
    private static <T extends @Nullable Object> T only(@Nullable Object[] values) {
        return (T) values[0];
    }

    /** Returns the workflow method of the interface. Throws BAD_WORKFLOW_INTERFACE if there is not exactly one. */
    static Method workflowMethod(Class<?> type) {
        List<Method> methods = Generics.methods(type)
                .filter(method -> method.isAnnotationPresent(WorkflowMethod.class))
                .toList();
        if (!type.isInterface() || !type.isAnnotationPresent(WorkflowInterface.class) || methods.size() != 1) {
            throw new DormouseException(
                    ErrorCode.BAD_WORKFLOW_INTERFACE,
                    "Expected " + type.getName() + " to be an interface with @WorkflowInterface and exactly one "
                            + "@WorkflowMethod, but " + whatIsWrong(type, methods) + ".");
        }
        Method method = methods.get(0);
        method.setAccessible(true);
        return method;
    }

    private static String whatIsWrong(Class<?> type, List<Method> methods) {
        if (!type.isInterface()) {
            return "it is a class. Register the interface, and the class as its implementation";
        } else if (!type.isAnnotationPresent(WorkflowInterface.class)) {
            return "it has no @WorkflowInterface. Add it";
        }
        return methods.isEmpty()
                ? "it has no @WorkflowMethod. Add it to the method that is the workflow"
                : "it has " + methods.size() + ". Leave it on the one method that is the workflow";
    }

    public static String nameOf(Class<?> type) {
        String name = workflowMethod(type).getAnnotation(WorkflowMethod.class).name();
        return nameOfOne(name.isEmpty() ? type.getSimpleName() : name);
    }

    /** Returns the name of a workflow type that is not a member of a family. Throws BAD_ARGUMENT if it is invalid. */
    public static String nameOfOne(String name) {
        if (Families.isMember(Ids.checkedType(name))) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the name of a workflow type without a colon, but got '" + name
                            + "'. The part before a colon denotes a family; choose another name.");
        }
        return name;
    }

    static @Nullable Object invoke(Method method, Object target, @Nullable Object[] arguments) throws Exception {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            if (cause instanceof Error error) {
                throw error;
            } else if (cause instanceof Exception exception) {
                throw exception;
            }
            throw thrown;
        }
    }
}
