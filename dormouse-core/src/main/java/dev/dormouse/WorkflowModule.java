package dev.dormouse;

/**
 * The workflows of a program, for whoever runs or replays them without knowing them: {@code dormouse dev app.jar}, or
 * {@code dormouse history replay}. A jar names its modules in {@code META-INF/services/dev.dormouse.WorkflowModule}; they
 * have a public constructor without parameters.
 *
 * <pre>{@code
 * public final class Workflows implements WorkflowModule {
 *   @Override public void register(DormouseBuilder builder) {
 *     builder.workflow(Trial.class, TrialWorkflow::new).activities(Mail.class, new SmtpMail());
 *   }
 * }
 * }</pre>
 */
public interface WorkflowModule {

    /** Registers workflows and activities. The store and all that concerns it are chosen by whoever calls this. */
    void register(DormouseBuilder builder);

    /** Called once when the Dormouse is open: for handlers of timers, schedules, and what must always run. */
    default void opened(Dormouse dormouse) {}
}
