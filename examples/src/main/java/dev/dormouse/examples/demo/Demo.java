package dev.dormouse.examples.demo;

import dev.dormouse.error.DormouseException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The demo behind {@code ./dormouse demo}: a {@link Show} at a terminal, a {@link Story} elsewhere. Ends with 0 when all
 * went as it is told, 1 when not, 2 when it was asked for something else.
 */
public final class Demo {
    private static final int WENT_WRONG = 1;
    private static final int WRONG_USAGE = 2;

    private Demo() {}

    public static void main(String[] args) throws InterruptedException {
        try {
            Options options = Options.of(args);
            if (options.isHelp()) {
                System.out.print(Options.USAGE);
                return;
            }
            perform(options);
            System.exit(0);
        } catch (Options.Wrong problem) {
            fail(WRONG_USAGE, problem.getMessage());
        } catch (WentWrong | DormouseException problem) {
            fail(WENT_WRONG, problem.getMessage());
        } catch (IOException problem) {
            fail(WENT_WRONG, "Expected to start workers and to write files, but that failed (" + problem + ").");
        }
    }

    private static void perform(Options options) throws IOException, InterruptedException {
        boolean isLive = RawTerminal.canBeUsed();
        Stage stage = Stage.open(options, isLive);
        Venue venue = new Venue(options, stage);
        Runtime.getRuntime().addShutdownHook(new Thread(venue::close)); // whatever ends this process, also Ctrl-C
        try {
            if (isLive) {
                new Show(venue).run();
            } else {
                tell(venue);
            }
        } catch (RuntimeException | IOException problem) {
            if (!venue.isClosed()) { // or else it was stopped, and no wonder
                throw problem;
            }
        }
    }

    private static void tell(Venue venue) throws IOException, InterruptedException {
        Narrator narrator = new Narrator(System.out);
        Crew crew = venue.open(narrator, Plan.Pace.PIPE);
        Story story = new Story(new Play(crew, venue.stage().ledger(), narrator), narrator);
        story.tell();
        story.check(crew.settings(), venue.stage().ledger());
    }

    private static void fail(int exitCode, @Nullable String message) {
        System.err.println("dormouse demo: " + Optional.ofNullable(message).orElse("It went wrong."));
        System.exit(exitCode);
    }
}
