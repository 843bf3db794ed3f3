package dev.dormouse.examples.reminder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.inspect.HistoryEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReminderTest {
    private final List<String> mails = new CopyOnWriteArrayList<>();
    private final Dormouse dormouse = ReminderExample.builder(mails::add, Duration.ofMillis(100))
            .store("sqlite::memory:")
            .open();

    @AfterEach
    void close() {
        dormouse.close();
    }

    @Test
    void userWhoDoesNotPayIsRemindedTwice() {
        WorkflowHandle<String> handle = dormouse.start("reminder", "reminder-ada", String.class, "ada");
        assertThat(handle.result()).isEqualTo("reminded twice");
        assertThat(mails).containsExactly("Dear ada, please pay your bill.", "Dear ada, please do pay your bill!");
        assertThat(handle.history())
                .extracting(HistoryEvent::summary)
                .contains("step 'first' completed", "step 'look' completed", "step 'second' completed");
    }

    @Test
    void userWhoPaysIsRemindedOnce() {
        WorkflowHandle<String> handle = dormouse.start("reminder", "reminder-bob", String.class, "bob");
        assertThat(handle.result()).isEqualTo("paid");
        assertThat(mails).containsExactly("Dear bob, please pay your bill.");
    }
}
