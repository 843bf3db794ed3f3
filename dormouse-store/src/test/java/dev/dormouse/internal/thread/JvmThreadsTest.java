package dev.dormouse.internal.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JvmThreadsTest {
    private static final InheritableThreadLocal<String> USER = new InheritableThreadLocal<>();

    private final JvmThreads threads = new JvmThreads();
    private final ClassLoader loader = Thread.currentThread().getContextClassLoader();

    @AfterEach
    void close() {
        threads.close();
        USER.remove();
        Thread.currentThread().setContextClassLoader(loader);
    }

    /** Returns what a started thread inherits, if its starter has its own user and class loader. */
    private static String seen(Consumer<Runnable> start) throws Exception {
        USER.set("alice");
        Thread.currentThread().setContextClassLoader(new URLClassLoader("other", new URL[0], null));
        CompletableFuture<String> seen = new CompletableFuture<>();
        start.accept(
                () -> seen.complete(USER.get() + " " + Thread.currentThread().getContextClassLoader()));
        return seen.get(10, TimeUnit.SECONDS);
    }

    @Test
    void codeInheritsNothingOfItsStarter() throws Exception {
        assertThat(seen(body -> threads.startCode("run", body))).isEqualTo("null " + loader);
    }

    @Test
    void engineThreadsInheritNothingOfTheirStarter() throws Exception {
        assertThat(seen(body -> threads.startEngine("loop", body))).isEqualTo("null " + loader);
    }

    @Test
    void virtualThreadsAreUsedWhereThereAreSome() {
        assertThat(JvmThreads.hasVirtualThreads()).isEqualTo(Runtime.version().feature() >= 21);
    }
}
