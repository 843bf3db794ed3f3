package dev.dormouse.examples.digest;

import dev.dormouse.Dormouse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** Three comments become one mail. Arguments: the store, and the quiet period, such as {@code PT5M}. */
public final class DigestExample {
    private DigestExample() {}

    public static void main(String[] args) throws InterruptedException {
        Duration quiet = args.length > 1 ? Duration.parse(args[1]) : Duration.ofMillis(500);
        CountDownLatch sent = new CountDownLatch(1);
        Mail mail = (reader, comments) -> {
            System.out.println("One mail to " + reader + ": " + comments);
            sent.countDown();
        };
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Digest.class, () -> new DigestWorkflow(quiet, quiet.multipliedBy(12), 100))
                .activities(Mail.class, mail)
                .open()) {
            Digest digest = dormouse.workflow(Digest.class, "digest-ada");
            for (String text : List.of("First!", "I agree.", "So do I.")) {
                dormouse.signalWithStart(() -> digest.run("ada"), () -> digest.comment(text)); // starts it if needed
            }
            sent.await();
            dormouse.handle("digest-ada").terminate("end of the example");
        }
    }
}
