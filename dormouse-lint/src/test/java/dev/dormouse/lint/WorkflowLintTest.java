package dev.dormouse.lint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.lint.fixtures.Allowed;
import dev.dormouse.lint.fixtures.Job;
import dev.dormouse.lint.fixtures.Pitfalls;
import dev.dormouse.lint.fixtures.Shapes;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pitfalls of {@link Pitfalls} and {@link Shapes}, and their allowed twins. */
class WorkflowLintTest {

    @ParameterizedTest
    @CsvSource({
        "Millis, CLOCK, java.lang.System.currentTimeMillis",
        "Nanos, CLOCK, java.lang.System.nanoTime",
        "InstantNow, CLOCK, java.time.Instant.now",
        "LocalDates, CLOCK, java.time.LocalDate.now",
        "LocalDateTimes, CLOCK, java.time.LocalDateTime.now",
        "ZonedDateTimes, CLOCK, java.time.ZonedDateTime.now",
        "OffsetDateTimes, CLOCK, java.time.OffsetDateTime.now",
        "SystemClock, CLOCK, java.time.Clock.systemUTC",
        "GivenClock, CLOCK, java.time.Clock.instant",
        "NewDate, CLOCK, new java.util.Date",
        "Calendars, CLOCK, java.util.Calendar.getInstance",
        "StaticInstant, CLOCK, java.time.Instant.now",
        "FieldInstant, CLOCK, java.time.Instant.now",
        "MathRandom, RANDOM, java.lang.Math.random",
        "NewRandom, RANDOM, new java.util.Random",
        "LocalRandom, RANDOM, java.util.concurrent.ThreadLocalRandom.current",
        "Secure, RANDOM, new java.security.SecureRandom",
        "RandomUuid, RANDOM, java.util.UUID.randomUUID",
        "UuidReference, RANDOM, java.util.UUID.randomUUID",
        "Shuffled, RANDOM, java.util.Collections.shuffle",
        "Sleep, THREAD, java.lang.Thread.sleep",
        "UnitSleep, THREAD, java.util.concurrent.TimeUnit.sleep",
        "NewThread, THREAD, new java.lang.Thread",
        "OwnThread, THREAD, dev.dormouse.lint.fixtures.Pitfalls$OwnThread$Worker.start",
        "Pool, THREAD, java.util.concurrent.Executors.newCachedThreadPool",
        "Async, THREAD, java.util.concurrent.CompletableFuture.runAsync",
        "Parallel, THREAD, java.util.ArrayList.parallelStream",
        "ForkJoin, THREAD, java.util.concurrent.ForkJoinPool.commonPool",
        "ObjectWait, THREAD, java.lang.Object.wait",
        "Locked, THREAD, java.util.concurrent.locks.Lock.lock",
        "Latch, THREAD, java.util.concurrent.CountDownLatch.await",
        "Taker, THREAD, java.util.concurrent.BlockingQueue.take",
        "FilesRead, IO, java.nio.file.Files.readString",
        "Reader, IO, new java.io.FileReader",
        "FileExists, IO, java.io.File.exists",
        "Sockets, IO, new java.net.Socket",
        "Urls, IO, java.net.URL.openStream",
        "Hosts, IO, java.net.InetAddress.getLocalHost",
        "Http, IO, java.net.http.HttpClient.newHttpClient",
        "Jdbc, IO, java.sql.DriverManager.getConnection",
        "Pooled, IO, javax.sql.DataSource.getConnection",
        "StandardIn, IO, java.lang.System.in",
        "Variable, ENVIRONMENT, java.lang.System.getenv",
        "Property, ENVIRONMENT, java.lang.System.getProperty",
        "Zone, ENVIRONMENT, java.time.ZoneId.systemDefault",
        "CounterRead, STATIC_STATE, dev.dormouse.lint.fixtures.Pitfalls.counter",
        "CounterWrite, STATIC_STATE, dev.dormouse.lint.fixtures.Pitfalls.counter",
        "IdentityHash, IDENTITY_HASH, java.lang.System.identityHashCode",
    })
    void pitfallIsFound(String fixture, Rule rule, String found) throws ClassNotFoundException {
        List<Finding> findings = WorkflowLint.ofClasses(Class.forName(Pitfalls.class.getName() + "$" + fixture))
                .findings();

        assertThat(findings)
                .extracting(Finding::rule, Finding::found)
                .contains(tuple(rule, found))
                .allSatisfy(row -> assertThat(row.toList().get(0)).isEqualTo(rule));
        assertThat(findings).allSatisfy(finding -> {
            assertThat(finding.file()).isEqualTo("Pitfalls.java");
            assertThat(finding.line()).isPositive();
        });
    }

    /** So that no fixture is forgotten in the table above. */
    @Test
    void everyFixtureHasOneRule() {
        List<Finding> findings = WorkflowLint.ofClasses(Pitfalls.class).findings();

        assertThat(findings.stream()
                        .map(finding -> finding.path().get(0))
                        .map(label -> label.substring(0, label.lastIndexOf('.')))
                        .distinct())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Pitfalls.class.getClasses())
                        .filter(Job.class::isAssignableFrom)
                        .map(Class::getName)
                        .toList());
        assertThat(Stream.of(Rule.values()).filter(rule -> rule != Rule.UNREADABLE))
                .allSatisfy(
                        rule -> assertThat(findings).extracting(Finding::rule).contains(rule));
    }

    @Test
    void stepsActivitiesAndRepeatableValuesAreAllowed() {
        WorkflowLint lint = WorkflowLint.ofClasses(Allowed.class);

        assertThat(lint.findings()).isEmpty();
        assertThat(lint.workflows()).containsExactly(Allowed.class.getName());
        lint.check();
    }

    @Test
    void everyMethodThatDormouseCallsIsChecked() {
        assertThat(WorkflowLint.ofClasses(Shapes.Handlers.class).findings())
                .extracting(Finding::method)
                .containsExactlyInAnyOrder("prepare", "run", "signal", "update", "query");
    }

    @Test
    void callsAreFollowedThroughSuperclassesInterfacesAndHelpers() {
        String shapes = Shapes.class.getName();

        assertThat(WorkflowLint.ofClasses(Shapes.Inheriting.class).findings())
                .extracting(Finding::name, Finding::path)
                .containsExactlyInAnyOrder(
                        tuple(
                                shapes + "$Helper.third",
                                List.of(
                                        shapes + "$Base.run",
                                        shapes + "$Inheriting.work",
                                        shapes + "$Helper.first",
                                        shapes + "$Helper.second",
                                        shapes + "$Helper.third")),
                        tuple(
                                shapes + "$Special.helper",
                                List.of(
                                        shapes + "$Base.run",
                                        shapes + "$Inheriting.work",
                                        shapes + "$Special.helper")));
    }

    @Test
    void lambdasCallbacksAndMethodReferencesAreFollowed() {
        String shapes = Shapes.class.getName();

        assertThat(WorkflowLint.ofClasses(Shapes.Lambdas.class).findings())
                .extracting(Finding::name)
                .containsExactlyInAnyOrder(shapes + "$Lambdas.run", shapes + "$Lambdas$1.run", shapes + "$Lambdas.now");
    }

    @Test
    void callsThroughAnInterfaceReachItsImplementations() {
        assertThat(WorkflowLint.ofClasses(Shapes.Priced.class).findings())
                .extracting(Finding::name)
                .containsExactly(Shapes.DailyPrices.class.getName() + ".load");
    }

    @Test
    void activityThatIsCalledWithoutAStubIsWorkflowCode() {
        assertThat(WorkflowLint.ofClasses(Shapes.WithoutStub.class).findings())
                .extracting(Finding::name, Finding::rule)
                .containsExactly(
                        tuple(Allowed.SmtpMail.class.getName() + ".send", Rule.CLOCK),
                        tuple(Allowed.SmtpMail.class.getName() + ".send", Rule.RANDOM));
    }

    @Test
    void workflowFunctionsAreChecked() {
        assertThat(WorkflowLint.ofClasses(Shapes.Functions.class).findings())
                .extracting(Finding::method, Finding::rule)
                .containsExactlyInAnyOrder(tuple("register", Rule.CLOCK), tuple("reference", Rule.CLOCK));
        assertThat(WorkflowLint.ofClasses(Shapes.FunctionClass.class).findings())
                .extracting(Finding::method)
                .containsExactly("run");
    }

    @Test
    void interfaceStandsForItsImplementations() {
        assertThat(WorkflowLint.ofClasses(Shapes.Full.class).workflows())
                .containsExactly(Shapes.Handlers.class.getName());
    }

    @Test
    void acceptedFindingsAreLeftOut() {
        WorkflowLint lint = WorkflowLint.ofClasses(Shapes.Handlers.class, Pitfalls.Sleep.class);
        String handlers = Shapes.Handlers.class.getName();

        assertThat(lint.accept("CLOCK:" + handlers + ".run", "clock:" + handlers + ".query")
                        .findings())
                .extracting(Finding::method, Finding::rule)
                .containsExactlyInAnyOrder(
                        tuple("run", Rule.THREAD),
                        tuple("prepare", Rule.CLOCK),
                        tuple("signal", Rule.CLOCK),
                        tuple("update", Rule.CLOCK));
        assertThat(lint.accept("CLOCK:" + handlers + ".*").accept("THREAD:*").findings())
                .isEmpty();
        assertThat(lint.accept("IO:" + handlers + ".*").findings()).hasSize(6);
        assertThat(lint.findings()).hasSize(6);
    }

    @Test
    void checkListsFindings() {
        assertThatThrownBy(() -> WorkflowLint.ofClasses(Pitfalls.Millis.class, Pitfalls.Variable.class)
                        .check())
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        problem -> assertThat(problem.code()).isEqualTo(ErrorCode.NOT_DETERMINISTIC))
                .hasMessageStartingWith("[DM5007] Expected workflow code that a replay can repeat, but found 1 error.")
                .hasMessageContaining("dev.dormouse.lint.fixtures.Pitfalls$Millis.run(Pitfalls.java:")
                .hasMessageContaining(
                        "error CLOCK: java.lang.System.currentTimeMillis. A replay reads a different time. "
                                + "Use Workflow.now().")
                .hasMessageContaining("warning ENVIRONMENT: java.lang.System.getenv");
    }

    @Test
    void warningsAloneDoNotThrow() {
        WorkflowLint lint = WorkflowLint.ofClasses(Pitfalls.Variable.class);

        assertThat(lint.findings()).extracting(Finding::severity).containsExactly(Severity.WARNING);
        lint.check();
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(strings = {"CLOCK", "CLOCK:", ":com.acme.Orders.run", "CLOCKS:com.acme.Orders.run"})
    void badAcceptedFindingIsRefused(String text) {
        WorkflowLint lint = WorkflowLint.ofClasses(Allowed.class);

        assertRefused(() -> lint.accept(text));
    }

    @Test
    void badArgumentsAreRefused() {
        assertRefused(() -> WorkflowLint.ofClasses());
        assertRefused(() -> WorkflowLint.ofClasses((Class<?>[]) null));
        assertRefused(() -> WorkflowLint.ofClasses((Class<?>) null));
        assertRefused(() -> WorkflowLint.ofClasses(String.class));
        assertRefused(() -> WorkflowLint.ofClasses(int.class));
        assertRefused(() -> WorkflowLint.ofClasses(Job[].class));
        assertRefused(() -> WorkflowLint.ofClasses(WorkflowLintTest.class));
        assertRefused(() -> WorkflowLint.of());
        assertRefused(() -> WorkflowLint.of((Path) null));
        assertRefused(() -> WorkflowLint.of(Path.of("missing.jar")));
        assertRefused(() -> WorkflowLint.of(Path.of("pom.xml")));
        assertRefused(() -> WorkflowLint.of(Path.of("src")));
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        DormouseException.class,
                        problem -> assertThat(problem.code()).isEqualTo(ErrorCode.BAD_ARGUMENT))
                .hasMessageStartingWith("[DM1012] Expected ")
                .hasMessageContaining(", but ");
    }
}
