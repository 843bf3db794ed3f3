package dev.dormouse.examples.demo;

import dev.dormouse.error.DormouseException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The demo behind {@code ./dormouse demo}. Ends with 0 when the {@link Story} went as it is told. */
public final class Demo {
    private static final int WENT_WRONG = 1;
    private static final int WRONG_USAGE = 2;
    private static final int PATIENCE_IN_SECONDS = 120;

    private Demo() {}

    public static void main(String[] args) throws InterruptedException {
        if (List.of(args).equals(List.of("--help")) || List.of(args).equals(List.of("-h"))) {
            System.out.println("usage: ./dormouse demo\n\nA workflow survives kill -9. Takes no arguments.");
            return;
        }
        if (args.length > 0) {
            fail(WRONG_USAGE, "Expected no arguments, but got '" + String.join(" ", args) + "'. Leave them out.");
        }
        CompletableFuture.delayedExecutor(PATIENCE_IN_SECONDS, TimeUnit.SECONDS).execute(Demo::giveUp);
        try {
            perform(Stage.open());
        } catch (WentWrong | DormouseException problem) {
            fail(WENT_WRONG, problem.getMessage());
        } catch (IOException problem) {
            fail(WENT_WRONG, "Expected to start workers and to write files, but that failed (" + problem + ").");
        }
    }

    private static void perform(Stage stage) throws IOException, InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(stage::clear)); // also on Ctrl-C
        try {
            new Story(stage, new Narrator(System.out)).tell();
        } catch (RuntimeException | IOException problem) {
            if (!stage.isCleared()) { // or else it was stopped, and no wonder
                throw problem;
            }
        }
    }

    private static void giveUp() {
        fail(WENT_WRONG, "Expected the story to end within " + PATIENCE_IN_SECONDS + " s, but it did not. Try again.");
    }

    private static void fail(int exitCode, @Nullable String message) {
        System.err.println("dormouse demo: " + message);
        System.exit(exitCode);
    }
}
