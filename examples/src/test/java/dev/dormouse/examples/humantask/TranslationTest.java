package dev.dormouse.examples.humantask;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class TranslationTest {
    private final TaskList list = new TaskList();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder ->
            builder.workflow(Translation.class, TranslationWorkflow::new).activities(People.class, list));

    private static WorkflowHandle<String> start(TestDormouse test) {
        Translation translation = test.dormouse().workflow(Translation.class, "translation");
        WorkflowHandle<String> handle = test.dormouse().start(() -> translation.translate("Haselmaus"));
        test.advance(Duration.ofMinutes(1));
        return handle;
    }

    @Test
    void answerCountsAfterACrashAndOnlyOnce(TestDormouse test) {
        start(test);
        String token = list.tasks().remove().token();
        test.restart().completeActivity(token, "dormouse");
        assertThat(test.dormouse().handle("translation", String.class).result()).isEqualTo("dormouse");
        assertThat(list.tasks()).isEmpty();
        assertThat(catchThrowableOfType(
                                DormouseException.class, () -> test.dormouse().completeActivity(token, "another"))
                        .code())
                .isEqualTo(ErrorCode.TOKEN_USED);
    }

    @Test
    void newTaskReplacesOneThatWasForgotten(TestDormouse test) {
        WorkflowHandle<String> handle = start(test);
        test.advance(Duration.ofDays(3));
        String forgotten = list.tasks().remove().token();
        String current = list.tasks().remove().token();
        assertThat(catchThrowableOfType(
                                DormouseException.class, () -> test.dormouse().completeActivity(forgotten, "too late"))
                        .code())
                .isEqualTo(ErrorCode.TOKEN_USED);
        test.dormouse().completeActivity(current, "dormouse");
        assertThat(handle.result()).isEqualTo("dormouse");
    }

    @Test
    void textStaysAsItIsIfNobodyHasTime(TestDormouse test) {
        assertThat(start(test).result()).isEqualTo("(Haselmaus)");
        assertThat(list.tasks()).hasSize(2);
    }
}
