package dev.dormouse.demo;

import dev.dormouse.demo.base.DemoFailure;
import dev.dormouse.demo.base.DemoFolder;
import dev.dormouse.demo.base.DemoOptions;
import dev.dormouse.demo.order.Plan;
import dev.dormouse.demo.run.DemoRun;
import dev.dormouse.demo.run.WorkerPool;
import dev.dormouse.demo.screen.ConsoleMessages;
import dev.dormouse.demo.screen.RawTerminal;
import dev.dormouse.error.DormouseException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The main class of {@code ./dormouse demo}: an {@link InteractiveDemo} at a terminal, a {@link ScriptedDemo}
 * otherwise. Exit codes: 0 for success, 1 for a failure, 2 for wrong usage.
 */
public final class Demo {
    private static final int WENT_WRONG = 1;
    private static final int WRONG_USAGE = 2;

    private Demo() {}

    public static void main(String[] args) throws InterruptedException {
        try {
            DemoOptions options = DemoOptions.of(args);
            if (options.isHelp()) {
                System.out.print(DemoOptions.USAGE);
                return;
            }
            perform(options);
            System.exit(0);
        } catch (DemoOptions.Wrong problem) {
            fail(WRONG_USAGE, problem.getMessage());
        } catch (DemoFailure | DormouseException problem) {
            fail(WENT_WRONG, problem.getMessage());
        } catch (IOException problem) {
            fail(WENT_WRONG, "Expected to start workers and to write files, but that failed (" + problem + ").");
        }
    }

    private static void perform(DemoOptions options) throws IOException, InterruptedException {
        boolean isLive = RawTerminal.canBeUsed();
        DemoFolder demoFolder = DemoFolder.open(options, isLive);
        DemoSession session = new DemoSession(options, demoFolder);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(session::close)); // at any end of this process, including Ctrl-C
        try {
            if (isLive) {
                new InteractiveDemo(session).run();
            } else {
                tell(session);
            }
        } catch (RuntimeException | IOException problem) {
            if (!session.isClosed()) { // otherwise it was stopped, which explains the problem
                throw problem;
            }
        }
    }

    private static void tell(DemoSession session) throws IOException, InterruptedException {
        ConsoleMessages console = new ConsoleMessages(System.out);
        WorkerPool pool = session.open(console, Plan.Pace.PIPE);
        ScriptedDemo story = new ScriptedDemo(new DemoRun(pool, session.stepLog(), console), console);
        story.tell();
        story.check(pool.settings(), session.stepLog());
    }

    private static void fail(int exitCode, @Nullable String message) {
        System.err.println("dormouse demo: " + Optional.ofNullable(message).orElse("It went wrong."));
        System.exit(exitCode);
    }
}
