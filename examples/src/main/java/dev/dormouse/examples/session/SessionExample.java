package dev.dormouse.examples.session;

import dev.dormouse.Dormouse;
import dev.dormouse.timer.TimerId;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Ada logs out, Bob forgets it. Arguments: the store, and the idle time, such as {@code PT30M}. */
public final class SessionExample {
    private SessionExample() {}

    public static void main(String[] args) throws InterruptedException {
        Duration idle = args.length > 1 ? Duration.parse(args[1]) : Duration.ofMillis(500);
        CountDownLatch expired = new CountDownLatch(1);
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .open()) {
            Sessions sessions = new Sessions(dormouse, idle, session -> {
                System.out.println("Expired: " + session);
                expired.countDown();
            });
            TimerId ada = sessions.open("ada");
            TimerId bob = sessions.open("bob");
            System.out.println("Ada is active: " + sessions.touch(ada));
            System.out.println("Ada logs out: " + sessions.close(ada));
            expired.await();
            System.out.println("Bob is active: " + sessions.touch(bob));
        }
    }
}
