package dev.dormouse.examples.digest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DigestTest {
    private final List<List<String>> mails = new ArrayList<>();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder -> builder.workflow(
                    Digest.class, () -> new DigestWorkflow(Duration.ofMinutes(5), Duration.ofHours(1), 2))
            .activities(Mail.class, (reader, comments) -> mails.add(comments)));

    private static void comment(Dormouse dormouse, String text) {
        Digest digest = dormouse.workflow(Digest.class, "digest");
        dormouse.signalWithStart(() -> digest.run("ada"), () -> digest.comment(text));
    }

    @Test
    void commentsInAQuietPeriodBecomeOneMailEvenAfterACrash(TestDormouse test) {
        comment(test.dormouse(), "a");
        test.advance(Duration.ofMinutes(4));
        comment(test.restart(), "b");
        test.advance(Duration.ofMinutes(4));
        assertThat(mails).isEmpty();
        test.advance(Duration.ofMinutes(1));
        assertThat(mails).containsExactly(List.of("a", "b"));
    }

    @Test
    void endlessDiscussionIsMailedEveryHourAndNoCommentIsLost(TestDormouse test) {
        for (int minute = 0; minute < 300; minute += 3) {
            comment(test.dormouse(), "at " + minute);
            test.advance(Duration.ofMinutes(3));
        }
        test.advance(Duration.ofMinutes(5));
        assertThat(mails).hasSizeBetween(5, 6); // in three runs
        assertThat(mails.stream().mapToInt(List::size).sum()).isEqualTo(100);
    }
}
