package dev.dormouse.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.QueueOptions;
import dev.dormouse.RetryPolicy;
import dev.dormouse.SagaOptions;
import dev.dormouse.StartOptions;
import dev.dormouse.TimerPolicy;
import dev.dormouse.timer.TimerOptions;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares docs/settings.md with the settings that exist. */
class SettingsPageTest {
    private static final Path PAGE = Path.of("../docs/settings.md");

    @Test
    void everyBuilderSettingIsOnThePage() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(methodsReturning(DormouseBuilder.class))
                .hasSizeGreaterThan(25)
                .allSatisfy(setting -> assertThat(page).contains("| `" + setting + "` |"));
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                ActivityOptions.class,
                ChildOptions.class,
                QueueOptions.class,
                RetryPolicy.class,
                SagaOptions.class,
                StartOptions.class,
                TimerOptions.class,
                TimerPolicy.class
            })
    void everyOptionIsInATableOfItsClass(Class<?> options) throws IOException {
        String lines = linesAbout(options.getSimpleName());

        assertThat(methodsReturning(options).filter(name -> name.startsWith("with")))
                .isNotEmpty()
                .allSatisfy(option -> assertThat(lines).containsPattern("[`.]" + option + "`"));
    }

    /** Returns the table whose head names the class, and all lines that name it before an option. */
    private static String linesAbout(String options) throws IOException {
        StringBuilder lines = new StringBuilder();
        boolean isInTable = false;
        for (String line : Files.readAllLines(PAGE)) {
            isInTable = line.startsWith("| `" + options + "` |") || (isInTable && line.startsWith("|"));
            if (isInTable || line.startsWith("| `" + options + ".")) {
                lines.append(line).append('\n');
            }
        }
        return lines.toString();
    }

    private static Stream<String> methodsReturning(Class<?> type) {
        return Stream.of(type.getMethods())
                .filter(method -> method.getReturnType() == type)
                .map(Method::getName)
                .distinct();
    }
}
