package dev.dormouse.examples.demo;

import dev.dormouse.examples.demo.News.Tone;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.time.Instant;

/** The demo at a terminal: it goes on until somebody quits it. */
final class Show {
    private static final Duration FRAME = Duration.ofMillis(100);
    private static final Duration LOOK_AT_SIZE = Duration.ofSeconds(1);
    private static final Duration SHOW_ENDED = Duration.ofSeconds(2);

    private final Venue venue;
    private final Charset charset = Charset.forName(System.getProperty("native.encoding", "US-ASCII"));
    private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, charset);
    private final Bulletin news = new Bulletin();
    private boolean isOver;

    Show(Venue venue) {
        this.venue = venue;
    }

    void run() throws IOException, InterruptedException {
        Crew crew = venue.open(new Narrator(System.out), Plan.Pace.EYE);
        Play play = new Play(crew, venue.stage().ledger(), news);
        try (Screen screen = new Screen(out)) {
            venue.use(screen);
            Keys.listen(System.in, key -> play.happen(() -> press(key, play)));
            perform(play, screen);
        }
        System.out.println("The orders are asleep in " + venue.stage().folder() + ".");
        System.out.println("Start the demo again, and they go on: what came due meanwhile fires then.");
    }

    private void perform(Play play, Screen screen) throws IOException, InterruptedException {
        Painter painter = new Painter(play, news, Glyphs.of(charset), System.getenv("NO_COLOR") == null);
        RawTerminal.Size size = RawTerminal.size();
        Instant lookedAt = Instant.now();
        play.open();
        while (!isOver) {
            play.goOn(FRAME);
            play.replaceEnded(SHOW_ENDED);
            if (lookedAt.plus(LOOK_AT_SIZE).isBefore(Instant.now())) {
                size = RawTerminal.size();
                lookedAt = Instant.now();
            }
            screen.draw(size, painter.paint(size));
        }
        news.tell(Tone.RECOVERY, "The workers are asked to stop; what is under way comes to a pause.");
        screen.draw(size, painter.paint(size));
        play.close();
    }

    private void press(int key, Play play) {
        switch (key) {
            case 'k' -> unless(play.kill(), "No worker is ready to be killed.");
            case 'a' -> unless(play.approve().isPresent(), "No order waits for approval.");
            case 'f' -> unless(play.forward().isPresent(), "No order sleeps.");
            case 'q', Keys.NONE -> isOver = true;
            default -> {}
        }
    }

    private void unless(boolean done, String excuse) {
        if (!done) {
            news.tell(Tone.PLAIN, excuse);
        }
    }
}
