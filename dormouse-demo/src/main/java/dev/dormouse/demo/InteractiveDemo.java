package dev.dormouse.demo;

import dev.dormouse.demo.order.Plan;
import dev.dormouse.demo.run.DemoMessages.Tone;
import dev.dormouse.demo.run.DemoRun;
import dev.dormouse.demo.run.WorkerPool;
import dev.dormouse.demo.screen.ConsoleMessages;
import dev.dormouse.demo.screen.KeyReader;
import dev.dormouse.demo.screen.RawTerminal;
import dev.dormouse.demo.screen.RecentMessages;
import dev.dormouse.demo.screen.ScreenGlyphs;
import dev.dormouse.demo.screen.ScreenPainter;
import dev.dormouse.demo.screen.TerminalScreen;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.Instant;

/** The demo at a terminal, which runs until the user quits. */
final class InteractiveDemo {
    private static final Duration FRAME = Duration.ofMillis(100);
    private static final Duration LOOK_AT_SIZE = Duration.ofSeconds(1);
    private static final Duration SHOW_ENDED = Duration.ofSeconds(2);

    private final DemoSession session;
    private final Charset charset = Charset.forName(System.getProperty("native.encoding", "US-ASCII"));
    private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, charset);
    private final RecentMessages news = new RecentMessages();
    private boolean isOver;

    InteractiveDemo(DemoSession session) {
        this.session = session;
    }

    void run() throws IOException, InterruptedException {
        WorkerPool pool = session.open(new ConsoleMessages(System.out), Plan.Pace.EYE);
        DemoRun demo = new DemoRun(pool, session.stepLog(), news);
        try (TerminalScreen screen = new TerminalScreen(out)) {
            session.use(screen);
            KeyReader.listen(System.in, key -> demo.submit(() -> press(key, demo)));
            perform(demo, screen);
        }
        System.out.println("The orders are asleep in " + session.demoFolder().folder() + ".");
        System.out.println("Start the demo again to resume them; timers that came due meanwhile fire then.");
    }

    private void perform(DemoRun demo, TerminalScreen screen) throws IOException, InterruptedException {
        ScreenPainter painter =
                new ScreenPainter(demo, news, ScreenGlyphs.of(charset), System.getenv("NO_COLOR") == null);
        RawTerminal.Size size = RawTerminal.size();
        Instant lookedAt = Instant.now();
        demo.open();
        while (!isOver) {
            demo.advance(FRAME);
            demo.replaceEnded(SHOW_ENDED);
            if (lookedAt.plus(LOOK_AT_SIZE).isBefore(Instant.now())) {
                size = RawTerminal.size();
                lookedAt = Instant.now();
            }
            screen.draw(size, painter.paint(size));
        }
        news.tell(Tone.RECOVERY, "The workers are asked to stop; what is under way comes to a pause.");
        screen.draw(size, painter.paint(size));
        demo.close();
    }

    private void press(int key, DemoRun demo) {
        switch (key) {
            case 'k' -> unless(demo.kill(), "No worker is ready to be killed.");
            case 'a' -> unless(demo.approve().isPresent(), "No order waits for approval.");
            case 'f' -> unless(demo.forward().isPresent(), "No order sleeps.");
            case 'q', KeyReader.NONE -> isOver = true;
            default -> {}
        }
    }

    private void unless(boolean done, String excuse) {
        if (!done) {
            news.tell(Tone.PLAIN, excuse);
        }
    }
}
