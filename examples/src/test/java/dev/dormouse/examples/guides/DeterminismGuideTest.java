package dev.dormouse.examples.guides;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dormouse.Dormouse;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.lint.Finding;
import dev.dormouse.lint.WorkflowLint;
import dev.dormouse.testing.TestDormouse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pitfalls of docs/determinism.md, and the message of each. */
class DeterminismGuideTest {
    private static final Path PAGE = Path.of("../docs/determinism.md");

    @WorkflowInterface
    public interface Job {
        @WorkflowMethod
        String run(String input);
    }

    static class Clocks implements Job {
        @Override
        public String run(String input) {
            return "" + Instant.now();
        }
    }

    static class Randoms implements Job {
        @Override
        public String run(String input) {
            return "" + new Random().nextInt();
        }
    }

    static class Uuids implements Job {
        @Override
        public String run(String input) {
            return "" + UUID.randomUUID();
        }
    }

    static class Sleeps implements Job {
        @Override
        public String run(String input) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return input;
        }
    }

    static class Futures implements Job {
        @Override
        public String run(String input) {
            CompletableFuture<String> future = CompletableFuture.supplyAsync(() -> input);
            return "" + future.isDone();
        }
    }

    static class ParallelStreams implements Job {
        @Override
        public String run(String input) {
            return "" + List.of(input).parallelStream().count();
        }
    }

    static class Reads implements Job {
        @Override
        public String run(String input) {
            try {
                return Files.readString(Path.of(input));
            } catch (IOException e) {
                return "";
            }
        }
    }

    static class Variables implements Job {
        @Override
        public String run(String input) {
            return "" + System.getenv("REGION");
        }
    }

    static class Zones implements Job {
        @Override
        public String run(String input) {
            return "" + ZoneId.systemDefault();
        }
    }

    static class Locales implements Job {
        @Override
        public String run(String input) {
            return "" + Locale.getDefault();
        }
    }

    static class Statics implements Job {
        static int count;

        @Override
        public String run(String input) {
            return "" + count++;
        }
    }

    static class Identities implements Job {
        @Override
        public String run(String input) {
            return "" + System.identityHashCode(input);
        }
    }

    @ParameterizedTest
    @ValueSource(
            classes = {
                Clocks.class,
                Randoms.class,
                Uuids.class,
                Sleeps.class,
                Futures.class,
                ParallelStreams.class,
                Reads.class,
                Variables.class,
                Zones.class,
                Locales.class,
                Statics.class,
                Identities.class
            })
    void pageQuotesTheFinding(Class<? extends Job> pitfall) throws IOException {
        Finding finding = WorkflowLint.ofClasses(pitfall).findings().get(0);
        String message = finding.toString().substring(finding.location().length() + 2);

        assertThat(Files.readString(PAGE)).contains(message.replace(Statics.class.getName(), "com.acme.Orders"));
    }

    static class Unordered implements Job {
        @Override
        public String run(String input) {
            Set<Object> items = new HashSet<>(List.of(new Object(), new Object()));
            items.forEach(item -> Workflow.step("pack", () -> {}));
            return input;
        }
    }

    static class Singleton implements Job {
        static final AtomicInteger NUMBERS = new AtomicInteger();

        @Override
        public String run(String input) {
            Workflow.step("send " + NUMBERS.incrementAndGet(), () -> {});
            Workflow.sleep(Duration.ofDays(1));
            return "done";
        }
    }

    @SuppressWarnings("StringCaseLocaleUsage") // is the pitfall
    static class Formats implements Job {
        @Override
        public String run(String input) {
            return String.format("%.2f", 0.5) + input.toUpperCase();
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {Unordered.class, Singleton.class, Formats.class, ChangesInStep.class})
    void checkDoesNotFind(Class<? extends Job> pitfall) {
        assertThat(WorkflowLint.ofClasses(pitfall).findings()).isEmpty();
    }

    @Test
    void replayFindsWhatTheCheckDoesNot() throws IOException {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Job.class, Singleton::new))) {
            WorkflowHandle<String> handle = start(test);
            test.advance(Duration.ofDays(2));

            assertThat(handle.describe().status()).isEqualTo(RunStatus.STUCK);
            assertThat(handle.describe().trouble())
                    .contains("[DM4001]", "step 'send 1' completed", "step 'send 2'", "DeterminismGuideTest.java:");
            assertThat(Files.readString(PAGE)).contains("step 'send 1' completed");
        }
    }

    static class ChangesInStep implements Job {
        @Override
        public String run(String input) {
            List<String> sent = new ArrayList<>();
            Workflow.step("send", () -> {
                sent.add(input);
            });
            Workflow.sleep(Duration.ofDays(1));
            return "sent " + sent.size();
        }
    }

    static class ReturnsFromStep implements Job {
        @Override
        public String run(String input) {
            List<String> sent = new ArrayList<>();
            sent.add(Workflow.step("send", String.class, () -> "mail to " + input));
            Workflow.sleep(Duration.ofDays(1));
            return "sent " + sent.size();
        }
    }

    @Test
    void changesThatAStepMakesAreLostInAReplay() {
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Job.class, ChangesInStep::new))) {
            assertThat(start(test).result()).isEqualTo("sent 0");
        }
        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Job.class, ReturnsFromStep::new))) {
            assertThat(start(test).result()).isEqualTo("sent 1");
        }
    }

    static class Repeatable implements Job {
        @Override
        public String run(String input) {
            Instant now = Workflow.now(); // instead of Instant.now()
            UUID key = Workflow.randomUuid(); // instead of UUID.randomUUID()
            String region = Workflow.step("region", String.class, () -> "" + System.getenv("REGION"));
            Workflow.sleep(Duration.ofDays(1)); // instead of Thread.sleep
            return region + key + now;
        }
    }

    @Test
    void repeatableCodePassesTheCheckAndAReplay() {
        WorkflowLint.ofClasses(Repeatable.class).check();

        try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Job.class, Repeatable::new))) {
            assertThat(start(test).result()).contains("2030-01-01");
        }
    }

    private static WorkflowHandle<String> start(TestDormouse test) {
        Dormouse dormouse = test.dormouse();
        Job job = dormouse.workflow(Job.class, "job-1");
        return dormouse.start(() -> job.run("ada"));
    }
}
