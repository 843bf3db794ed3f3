package dev.dormouse.internal.embedded;

import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.dormouse.Dormouse;
import dev.dormouse.IdReuse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Log lines about starts that find a run with another input under their workflow id. */
class RepeatedStartsTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(RepeatedStarts.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private List<String> lines() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private void run(WorkflowFunction<Object, String> code, Consumer<Dormouse> body) {
        simulate(sim -> {
            log.list.clear(); // of the seed before
            body.accept(sim.open(node -> node.workflow("w", Object.class, String.class, code)));
        });
    }

    @Test
    void anotherInputIsLogged() {
        run((ctx, input) -> "done", dormouse -> {
            dormouse.start("w", "order-7", String.class, "a").result(Duration.ofMinutes(1));
            dormouse.start("w", "order-7", String.class, "b");
            dormouse.start("w", "order-7", String.class, "c"); // within the same second: not looked at
        });
        assertThat(lines())
                .singleElement()
                .asString()
                .startsWith(
                        "Workflow id 'order-7' (type 'w') was started again with a different input, which has no effect")
                .contains("IdReuse.REJECT");
    }

    @Test
    void sameInputIsNotLogged() {
        Map<String, Integer> one = new LinkedHashMap<>();
        one.put("a", 1);
        one.put("b", 2);
        Map<String, Integer> turned = new LinkedHashMap<>();
        turned.put("b", 2);
        turned.put("a", 1);
        run((ctx, input) -> "done", dormouse -> {
            dormouse.start("w", "order-7", String.class, one).result(Duration.ofMinutes(1));
            dormouse.start("w", "order-7", String.class, turned);
        });
        assertThat(lines()).isEmpty();
    }

    @Test
    void inputOfARunThatContinuesAnotherIsNotCompared() {
        run(
                (ctx, input) -> {
                    if (input.equals("first")) {
                        ctx.continueAsNew("second");
                    }
                    return ctx.waitForSignal(Duration.ofHours(1)).isPresent() ? "told" : "timed out";
                },
                dormouse -> {
                    dormouse.start("w", "order-7", String.class, "first");
                    WorkflowHandle<String> again = dormouse.start("w", "order-7", String.class, "first");
                    again.result(Duration.ofHours(2));
                    dormouse.start(
                            "w",
                            "order-7",
                            StartOptions.DEFAULT.withIdReuse(IdReuse.RETURN_CLOSED),
                            String.class,
                            "first");
                });
        assertThat(lines()).isEmpty();
    }

    @Test
    void signalWithStartIsNotLogged() {
        run((ctx, input) -> ctx.waitForSignal(Duration.ofHours(1)).orElseThrow().name(), dormouse -> {
            dormouse.start("w", "order-7", String.class, "a");
            dormouse.signalWithStart("w", "order-7", StartOptions.DEFAULT, String.class, List.of("b"), "go", "now");
        });
        assertThat(lines()).isEmpty();
    }
}
