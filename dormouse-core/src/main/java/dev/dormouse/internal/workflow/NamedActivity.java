package dev.dormouse.internal.workflow;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.ActivityFunction;
import dev.dormouse.TypeRef;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.Generics;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.value.RecordedValues;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An activity that can be called by its name alone: from a queue, by another node, or by a DAG.
 *
 * @param owner the full name of the interface whose calls it accepts; empty if it accepts calls of any interface
 *     with the declared name
 */
public record NamedActivity(String name, String owner, List<Type> parameters, Type result, Code code) {

    /** The implementation of the activity. */
    @FunctionalInterface
    public interface Code {
        @Nullable
        Object run(@Nullable Object[] arguments) throws Exception;
    }

    static NamedActivity of(Class<?> type, Method method, Object implementation) {
        method.setAccessible(true);
        return new NamedActivity(
                Activities.name(type, method),
                Activities.ownerOf(type),
                Generics.of(type).parameters(method),
                Generics.of(type).result(method),
                arguments -> WorkflowDefinition.invoke(method, implementation, arguments));
    }

    public @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    static <I extends @Nullable Object, O extends @Nullable Object> NamedActivity of(
            String name, TypeRef<I> input, TypeRef<O> output, ActivityFunction<I, O> function) {
        return new NamedActivity(
                checkedName(required(name, "the name of an activity")),
                "",
                List.of(required(input, "the type of its input").type()),
                required(output, "the type of its output").type(),
                arguments -> function.run((I) arguments[0]));
    }

    /**
     * Returns true if this activity accepts the call.
     *
     * @param called the full name of the interface that the caller uses; empty if the caller only knows the name
     */
    boolean isMeantBy(String called) {
        return owner.isEmpty() || called.isEmpty() || owner.equals(called);
    }

    /**
     * Returns the name if it is valid for a function. It must not have a dot: the part before a dot denotes an
     * interface, and a node has either all activities of an interface or none.
     */
    private static String checkedName(String name) {
        if (name.indexOf('.') >= 0) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected an activity name without a dot, because the activity is a function, but got '" + name
                            + "'. Choose another name.");
        }
        return Ids.checkedName("activity", name);
    }

    @Nullable
    Object call(List<Payload> arguments, Payloads payloads) throws Exception {
        return code.run(payloads.decodeAll(wanted(arguments), parameters));
    }

    /** Stops the calling run if this build cannot read the arguments that its caller sent. */
    void checkReads(List<Payload> arguments, Payloads payloads) {
        RecordedValues.readAll(payloads, "the arguments of activity '" + name + "'", wanted(arguments), parameters);
    }

    /** Returns the arguments that the activity needs: none if it has no parameters. */
    private List<Payload> wanted(List<Payload> arguments) {
        return parameters.isEmpty() ? List.of() : arguments;
    }
}
