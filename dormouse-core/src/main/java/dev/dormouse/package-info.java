/**
 * The public API: durable workflows as ordinary Java. This page is a tutorial; the build compiles its examples.
 *
 * <h2>The first workflow</h2>
 *
 * <p>A workflow is an interface with one {@link dev.dormouse.WorkflowMethod}, and a class that implements it. Side
 * effects are in activities, which are interfaces too.
 *
 * <pre>{@code
 * @WorkflowInterface
 * public interface Trial {
 *     @WorkflowMethod
 *     String run(String user);
 * }
 *
 * @ActivityInterface
 * public interface Mail {
 *     void welcome(String user);
 *     void trialIsOver(String user);
 * }
 *
 * public static class TrialWorkflow implements Trial {
 *     private final Mail mail = Workflow.activities(Mail.class);
 *
 *     @Override
 *     public String run(String user) {
 *         mail.welcome(user);
 *         Workflow.sleep(Duration.ofDays(30));
 *         mail.trialIsOver(user);
 *         return "done";
 *     }
 * }
 * }</pre>
 *
 * <p>{@link dev.dormouse.Dormouse} starts and executes runs. A run is one execution of a workflow under a workflow id
 * that you choose. Starting the same id twice gives one run, so a start can be repeated after an error.
 *
 * <pre>{@code
 * Mail smtp = new SmtpMail();
 * try (Dormouse node = Dormouse.builder()
 *         .store("sqlite:trial.db")
 *         .workflow(Trial.class, TrialWorkflow::new)
 *         .activities(Mail.class, smtp)
 *         .open()) {
 *     Trial trial = node.workflow(Trial.class, "trial-ada");
 *     WorkflowHandle<String> handle = node.start(() -> trial.run("ada"));
 *     System.out.println(handle.result());
 * }
 * }</pre>
 *
 * <h2>Replay, and the one rule</h2>
 *
 * <p>A run survives any crash, because its code is executed again from its beginning, with the recorded results of all
 * its steps. So workflow code must depend only on its input and on the values that {@link dev.dormouse.Workflow}
 * returns: no clock, no random numbers, no I/O, no threads of its own. Use {@link dev.dormouse.Workflow#now},
 * {@link dev.dormouse.Workflow#randomUuid} and {@link dev.dormouse.Workflow#async(java.util.concurrent.Callable)}
 * instead.
 *
 * <h2>Steps</h2>
 *
 * <p>A call of an activity is a step. So is a lambda with a name. Once the result of a step is committed, it is never
 * executed again. A step that was in flight during a crash is executed a second time, so use
 * {@link dev.dormouse.Activity#idempotencyKey} for calls that must not be repeated.
 * {@link dev.dormouse.Workflow#transaction(String, TransactionAction)} executes a step exactly once, in the store's own
 * database.
 *
 * <pre>{@code
 * String receipt = Workflow.step("charge", String.class, () -> chargeCard("ada", 20));
 * Workflow.transaction("book", connection -> {
 *     try (PreparedStatement insert = connection.prepareStatement("insert into booking values (?)")) {
 *         insert.setString(1, receipt);
 *         insert.executeUpdate();
 *     }
 * });
 * }</pre>
 *
 * <h2>Errors and retries</h2>
 *
 * <p>A step that fails is retried with growing delays, by default indefinitely. {@link dev.dormouse.ActivityOptions}
 * limit it. After the last attempt the call throws {@link dev.dormouse.error.ActivityFailedException}. A workflow that
 * throws an exception has failed, and {@link dev.dormouse.WorkflowHandle#retry} continues it from the failed step.
 * {@link dev.dormouse.Compensate} and {@link dev.dormouse.Saga} undo completed steps.
 *
 * <pre>{@code
 * ActivityOptions careful = ActivityOptions.DEFAULT
 *         .withAttemptTimeout(Duration.ofSeconds(30))
 *         .withRetry(RetryPolicy.DEFAULT.withMaxAttempts(5));
 * try {
 *     Workflow.step("charge", careful, String.class, () -> chargeCard("ada", 20));
 * } catch (ActivityFailedException declined) {
 *     Workflow.step("remind", () -> remind("ada"));
 * }
 * }</pre>
 *
 * <p>Every error of Dormouse is a {@link dev.dormouse.error.DormouseException} with a code such as {@code [DM1003]}.
 *
 * <h2>Waiting</h2>
 *
 * <p>{@link dev.dormouse.Workflow#sleep} and {@link dev.dormouse.Workflow#await(java.util.function.Supplier)} may last
 * for months: a run that waits is a row in the database, without a thread. {@link dev.dormouse.UpdatableTimer} is a
 * wait whose end can be moved, and {@link dev.dormouse.timer.Timers} are timers without a workflow.
 *
 * <h2>Signals, queries and updates</h2>
 *
 * <p>A signal sends something to a run, a query reads its fields, and an update changes it and returns an answer. They
 * are methods of the workflow interface.
 *
 * <pre>{@code
 * @WorkflowInterface
 * public interface Order {
 *     @WorkflowMethod
 *     String process(String item);
 *
 *     @SignalMethod
 *     void paid(String receipt);
 *
 *     @QueryMethod
 *     String receipt();
 *
 *     @UpdateMethod
 *     int changeNumber(int number);
 * }
 *
 * public static class OrderWorkflow implements Order {
 *     private String receipt = "";
 *     private int number = 1;
 *
 *     @Override
 *     public String process(String item) {
 *         boolean paid = Workflow.await(Duration.ofDays(7), () -> !receipt.isEmpty());
 *         return paid ? number + " " + item : "not paid";
 *     }
 *
 *     @Override
 *     public void paid(String newReceipt) {
 *         receipt = newReceipt;
 *     }
 *
 *     @Override
 *     public String receipt() {
 *         return receipt;
 *     }
 *
 *     @Override
 *     public int changeNumber(int newNumber) {
 *         number = newNumber;
 *         return number;
 *     }
 * }
 * }</pre>
 *
 * <p>Callers use the methods of a stub, or the names on a {@link dev.dormouse.WorkflowHandle}:
 *
 * <pre>{@code
 * Order order = dormouse.workflow(Order.class, "order-17");
 * dormouse.start(() -> order.process("books"));
 * order.changeNumber(2);
 * order.paid("receipt-4711");
 * dormouse.handle("order-17").cancel("the customer left");
 * }</pre>
 *
 * <h2>Children and parallel work</h2>
 *
 * <pre>{@code
 * Order child = Workflow.child(Order.class, "order-18");
 * Promise<String> books = Workflow.async(() -> child.process("books"));
 * List<String> receipts = Workflow.parallel(List.of("ada", "bob"), 10, user ->
 *         Workflow.step("charge", String.class, () -> chargeCard(user, 20)));
 * String result = books.get();
 * }</pre>
 *
 * <h2>Changed code</h2>
 *
 * <p>Code is compared with the history of each run that it executes. A run that does not match is stuck, loses nothing,
 * and continues when matching code is deployed. Guard a change that open runs would meet:
 *
 * <pre>{@code
 * if (Workflow.version("reminder", 0, 1) == 1) {
 *     Workflow.step("remind", () -> remind("ada"));
 * }
 * }</pre>
 *
 * <h2>Tests and production</h2>
 *
 * <p>{@code TestDormouse} of the module dormouse-testing runs a workflow in simulated time:
 *
 * <pre>{@code
 * try (TestDormouse test = TestDormouse.open(builder -> builder.workflow(Order.class, OrderWorkflow::new))) {
 *     Order order = test.dormouse().workflow(Order.class, "order-1");
 *     String result = order.process("books"); // "not paid", after seven days that take milliseconds
 * }
 * }</pre>
 *
 * <p>In production, open one {@code Dormouse} per process, on PostgreSQL if there are several processes. Name each
 * build with {@link dev.dormouse.DormouseBuilder#buildId}, choose {@link dev.dormouse.DormouseBuilder#retention}, and
 * close the {@code Dormouse} when the process ends, so that other nodes continue its runs at once.
 * {@link dev.dormouse.Dormouse#client} is for processes that only start and watch workflows.
 */
@NullMarked
package dev.dormouse;

import org.jspecify.annotations.NullMarked;
