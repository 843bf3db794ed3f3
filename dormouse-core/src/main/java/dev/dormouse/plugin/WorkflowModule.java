package dev.dormouse.plugin;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;

/**
 * The workflows of a program, for tools that execute or replay them: {@code dormouse dev app.jar}, or
 * {@code dormouse history replay}. A jar lists its modules in {@code META-INF/services/dev.dormouse.plugin.WorkflowModule};
 * each has a public constructor without parameters.
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

    /** Registers workflows and activities. The tool that calls this chooses the store and its settings. */
    void register(DormouseBuilder builder);

    /**
     * Registers timer handlers and schedules, and starts workflows that must always run. Called once, when the Dormouse
     * is open. Default: does nothing.
     */
    default void opened(Dormouse dormouse) {}
}
