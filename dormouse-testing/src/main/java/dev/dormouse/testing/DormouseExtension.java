package dev.dormouse.testing;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import java.lang.reflect.Method;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * A JUnit extension that opens a fresh {@link TestDormouse} for each test. Test, {@code @BeforeEach} and {@code
 * @AfterEach} methods get it as a parameter of that type, or of type {@link Dormouse}.
 *
 * <pre>{@code
 * @RegisterExtension
 * final DormouseExtension kit = DormouseExtension.of(builder -> builder.workflow(Trial.class, TrialWorkflow::new));
 * }</pre>
 */
@SuppressWarnings("exports") // JUnit is optional
public final class DormouseExtension
        implements BeforeEachCallback, AfterEachCallback, ParameterResolver, InvocationInterceptor {
    private final TestOptions options;
    private final UnaryOperator<DormouseBuilder> setUp;

    private DormouseExtension(TestOptions options, UnaryOperator<DormouseBuilder> setUp) {
        this.options = options;
        this.setUp = setUp;
    }

    /**
     * Creates an extension with {@link TestOptions#DEFAULT}.
     *
     * @param setUp registers workflows, activities and other parts of the Dormouse; called for each test
     */
    public static DormouseExtension of(UnaryOperator<DormouseBuilder> setUp) {
        return of(TestOptions.DEFAULT, setUp);
    }

    /**
     * Creates an extension with the given options.
     *
     * @param setUp registers workflows, activities and other parts of the Dormouse; called for each test
     */
    public static DormouseExtension of(TestOptions options, UnaryOperator<DormouseBuilder> setUp) {
        return new DormouseExtension(options, setUp);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        store(context).put(TestDormouse.class, TestDormouse.open(options, setUp));
    }

    @Override
    public void afterEach(ExtensionContext context) {
        TestDormouse test = store(context).remove(TestDormouse.class, TestDormouse.class);
        if (test != null) {
            test.replaceThread();
            test.close();
        }
    }

    /** JUnit may execute a method on another thread, for a timeout. That thread is the test's thread then. */
    private <T extends @Nullable Object> T onThisThread(Invocation<T> invocation, ExtensionContext context)
            throws Throwable {
        TestDormouse test = find(context);
        if (test != null) {
            test.replaceThread();
        }
        return invocation.proceed();
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        onThisThread(invocation, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        onThisThread(invocation, context);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        onThisThread(invocation, context);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        onThisThread(invocation, context);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return (type == TestDormouse.class || type == Dormouse.class) && find(context) != null;
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestDormouse test = find(context);
        return test == null || parameter.getParameter().getType() == TestDormouse.class ? test : test.dormouse();
    }

    private @Nullable TestDormouse find(ExtensionContext context) {
        return store(context).get(TestDormouse.class, TestDormouse.class);
    }

    private Store store(ExtensionContext context) {
        return context.getStore(Namespace.create(DormouseExtension.class, this));
    }
}
