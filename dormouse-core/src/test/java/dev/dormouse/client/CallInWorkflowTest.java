package dev.dormouse.client;

import static dev.dormouse.support.SimulatedDormouse.assertClear;
import static dev.dormouse.support.SimulatedDormouse.simulate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.dormouse.Dormouse;
import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.StartOptions;
import dev.dormouse.TimerHandle;
import dev.dormouse.TypeRef;
import dev.dormouse.UpdateMethod;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowFunction;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.WorkflowInterface;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.WorkflowException;
import dev.dormouse.inspect.Monitor;
import dev.dormouse.schedule.Schedules;
import dev.dormouse.support.SimulatedDormouse;
import dev.dormouse.timer.SqlTimers;
import dev.dormouse.timer.Timers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Client calls in workflow code, which are refused with the durable alternative. */
class CallInWorkflowTest {
    /** Methods without side effects or remote calls, as declaring type and name. */
    private static final Set<String> ALLOWED = Set.of(
            "Dormouse.workflow",
            "Dormouse.handle",
            "Dormouse.timers",
            "Dormouse.sqlTimers",
            "Dormouse.schedules",
            "Dormouse.profile",
            "WorkflowHandle.workflowId",
            "WorkflowHandle.runId",
            "WorkflowHandle.timer");

    @WorkflowInterface
    interface Other {
        @WorkflowMethod
        String run(String text);

        @SignalMethod
        void tell(String text);

        @UpdateMethod
        String ask(String text);

        @QueryMethod
        String look();
    }

    static final class OtherWorkflow implements Other {
        private final List<String> told = new ArrayList<>();

        @Override
        public String run(String text) {
            Workflow.await(() -> told.contains("end"));
            return String.join(" ", told);
        }

        @Override
        public void tell(String text) {
            told.add(text);
        }

        @Override
        public String ask(String text) {
            told.add(text);
            return text;
        }

        @Override
        public String look() {
            return String.join(" ", told);
        }
    }

    /** Opens a node whose workflow "w" executes the given code, and starts a run "other" that it can call. */
    private static Dormouse open(
            SimulatedDormouse sim, AtomicReference<Dormouse> self, WorkflowFunction<String, String> code) {
        Dormouse dormouse = sim.open(node -> SimulatedDormouse.echo(node)
                .workflow(Other.class, OtherWorkflow::new)
                .workflow("w", String.class, String.class, code));
        self.set(dormouse);
        dormouse.timers().handle("h", String.class, text -> sim.log("fired " + text));
        dormouse.start(() -> dormouse.workflow(Other.class, "other").run(""));
        return dormouse;
    }

    @Test
    void signalIsNotRepeatedByReplays() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            Dormouse dormouse = open(sim, self, (ctx, input) -> {
                try {
                    self.get().find("other", String.class).orElseThrow().signal("tell", "hi");
                } catch (DormouseException refused) {
                    sim.log(refused.getMessage());
                }
                for (int i = 0; i < 4; i++) {
                    ctx.sleep(Duration.ofHours(1));
                }
                ctx.signal("other", "tell", "end");
                return "done";
            });
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("done");
            assertThat(sim.result(dormouse.find("other", String.class).orElseThrow()))
                    .isEqualTo("end");
        });
    }

    @Test
    void uncaughtRefusalFailsTheRunAndNamesTheRemedy() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            AtomicReference<WorkflowHandle<String>> other = new AtomicReference<>();
            Dormouse dormouse = open(sim, self, (ctx, input) -> {
                other.get().signal("tell", "hi");
                return "done";
            });
            other.set(dormouse.find("other", String.class).orElseThrow());
            WorkflowException failed = sim.failure(dormouse.start("w", "w", String.class, ""));
            assertThat(failed.getMessage()).contains("[DM1009] Expected ").contains("Workflow.signal(…)");
        });
    }

    /** Returns calls by the durable alternative that their error must name. */
    private static Map<String, Consumer<Dormouse>> calls() {
        Map<String, Consumer<Dormouse>> calls = new LinkedHashMap<>();
        calls.put(
                "Workflow.child(…)",
                dormouse -> dormouse.workflow(Other.class, "new").run(""));
        calls.put(" Workflow.child(…)", dormouse -> dormouse.start("Other", "new", String.class, ""));
        calls.put(
                "Workflow.signal(…)",
                dormouse -> dormouse.workflow(Other.class, "other").tell("x"));
        calls.put("Workflow.newTimer(…)", dormouse -> dormouse.timers().after(Duration.ZERO, "h", "x"));
        calls.put("step", dormouse -> dormouse.publish("event", "x"));
        calls.put(" step", dormouse -> dormouse.workflow(Other.class, "other").ask("x"));
        calls.put("  step", dormouse -> dormouse.workflow(Other.class, "other").look());
        calls.put("   step", dormouse -> dormouse.schedules().trigger("s"));
        return calls;
    }

    @Test
    void eachNamesTheDurableWay() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            Map<String, Throwable> refused = new LinkedHashMap<>();
            Dormouse dormouse = open(sim, self, (ctx, input) -> {
                calls().forEach((way, call) -> refused.put(way, catchThrowable(() -> call.accept(self.get()))));
                return "done";
            });
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("done");
            assertThat(refused).hasSize(calls().size());
            refused.forEach((way, problem) -> {
                assertClear(problem, ErrorCode.NOT_ALLOWED_HERE);
                assertThat(problem).hasMessageContaining(way.strip());
            });
        });
    }

    /** A workflow that makes the call in every place where its code runs. */
    public static final class Everywhere implements Other {
        private final Supplier<String> call;
        private String handled = "";

        Everywhere(Supplier<String> call) {
            this.call = call;
        }

        @Override
        public String run(String text) {
            String inBranch = Workflow.async(call::get).get();
            List<String> inCondition = new ArrayList<>();
            Workflow.await(() -> inCondition.add(call.get()));
            String[] inScope = {""};
            Workflow.newCancellationScope(() -> inScope[0] = call.get()).run();
            Workflow.await(() -> !handled.isEmpty());
            return String.join(" ", call.get(), inBranch, inCondition.get(0), inScope[0], handled);
        }

        @Override
        public void tell(String text) {
            handled = call.get();
        }

        @Override
        public String ask(String text) {
            return call.get();
        }

        @Override
        public String look() {
            return call.get();
        }
    }

    @Test
    void branchesConditionsAndHandlersAreWorkflowCode() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            Supplier<String> call = () -> {
                Throwable refused = catchThrowable(() -> self.get().publish("event", "x"));
                return refused instanceof DormouseException known ? known.code().label() : "went through";
            };
            Dormouse dormouse = sim.open(node -> node.workflow(Other.class, () -> new Everywhere(call)));
            self.set(dormouse);
            Other stub = dormouse.workflow(Other.class, "w");
            WorkflowHandle<String> handle = dormouse.start(() -> stub.run(""));
            assertThat(stub.ask("")).isEqualTo("DM1009");
            assertThat(stub.look()).isEqualTo("DM1009");
            stub.tell("");
            assertThat(sim.result(handle)).isEqualTo("DM1009 DM1009 DM1009 DM1009 DM1009");
            dormouse.publish("event", "outside");
        });
    }

    @Test
    void allOfThemAreAllowedInSteps() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            Dormouse dormouse = open(
                    sim,
                    self,
                    (ctx, input) -> ctx.step("all", String.class, () -> {
                        Dormouse here = self.get();
                        Other other = here.workflow(Other.class, "other");
                        here.publish("event", "x");
                        here.timers().after(Duration.ZERO, "h", "x");
                        other.tell("a");
                        other.ask("b");
                        String looked = other.look();
                        other.tell("end");
                        return looked + " / "
                                + here.find("other", String.class).orElseThrow().result();
                    }));
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("a b / a b end");
            sim.await("the timer", () -> sim.count("fired x") == 1);
        });
    }

    @Test
    void monitorsMayCallDormouseFromTheThreadThatNotifiesThem() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            List<Throwable> problems = new ArrayList<>();
            Dormouse dormouse = sim.open(node -> node.workflow("w", String.class, String.class, (ctx, input) -> {
                        ctx.sleep(Duration.ofHours(1));
                        return ctx.step("s", String.class, () -> "done");
                    })
                    .monitor(new Monitor() {
                        @Override
                        public void replayed(Monitor.Replayed event) {
                            Throwable problem = catchThrowable(() -> self.get().now());
                            problems.add(problem == null ? new Throwable("none") : problem);
                        }
                    }));
            self.set(dormouse);
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("done");
            assertThat(problems).isNotEmpty().allMatch(problem -> "none".equals(problem.getMessage()));
        });
    }

    // ---- the whole API

    @Test
    void everyMethodIsRefusedOrKnownToBeHarmless() {
        simulate(sim -> {
            AtomicReference<Dormouse> self = new AtomicReference<>();
            AtomicReference<WorkflowHandle<String>> other = new AtomicReference<>();
            List<String> allowed = new ArrayList<>();
            List<String> allowedOfLatest = new ArrayList<>();
            Dormouse dormouse = open(sim, self, (ctx, input) -> {
                tryAll(allowed, Dormouse.class, self.get());
                tryAll(allowed, WorkflowHandle.class, other.get());
                tryAll(allowedOfLatest, WorkflowHandle.class, self.get().handle("other"));
                tryAll(allowed, TimerHandle.class, other.get().timer("t"));
                tryAll(allowed, Timers.class, self.get().timers());
                tryAll(allowed, SqlTimers.class, self.get().sqlTimers());
                tryAll(allowed, Schedules.class, self.get().schedules());
                return "done";
            });
            other.set(dormouse.find("other", String.class).orElseThrow());
            assertThat(sim.result(dormouse.start("w", "w", String.class, ""))).isEqualTo("done");
            assertThat(allowed).isSubsetOf(ALLOWED);
            assertThat(allowedOfLatest).containsOnly("WorkflowHandle.workflowId", "WorkflowHandle.timer");
        });
    }

    private static void tryAll(List<String> allowed, Class<?> type, Object target) {
        Stream.of(type.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .sorted(Comparator.comparing(Method::toString))
                .forEach(method -> {
                    Throwable problem = call(method, target);
                    if (!(problem instanceof DormouseException refused)
                            || refused.code() != ErrorCode.NOT_ALLOWED_HERE) {
                        allowed.add(type.getSimpleName() + "." + method.getName());
                    }
                });
    }

    private static @Nullable Throwable call(Method method, Object target) {
        Object[] arguments = Stream.of(method.getParameterTypes())
                .map(CallInWorkflowTest::any)
                .toArray();
        try {
            method.setAccessible(true);
            method.invoke(target, arguments);
            return null;
        } catch (InvocationTargetException thrown) {
            return thrown.getCause();
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static @Nullable Object any(Class<?> type) {
        Map<Class<?>, Object> values = Map.ofEntries(
                Map.entry(String.class, "x"),
                Map.entry(Class.class, String.class),
                Map.entry(TypeRef.class, TypeRef.of(String.class)),
                Map.entry(Duration.class, Duration.ofSeconds(1)),
                Map.entry(Instant.class, Instant.EPOCH),
                Map.entry(UUID.class, new UUID(0, 0)),
                Map.entry(List.class, List.of()),
                Map.entry(Optional.class, Optional.empty()),
                Map.entry(Object[].class, new Object[0]),
                Map.entry(int.class, 1),
                Map.entry(StartOptions.class, StartOptions.DEFAULT));
        return type.isInterface() && !values.containsKey(type)
                ? Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, args) -> null)
                : values.get(type);
    }
}
