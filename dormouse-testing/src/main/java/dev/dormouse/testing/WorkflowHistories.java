package dev.dormouse.testing;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.client.RunAccess;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.internal.history.json.HistoryJson;
import dev.dormouse.internal.history.json.SavedHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Histories of runs, exported as readable files, and a check that the present code still matches them. Save histories
 * of some real runs, keep them beside the tests, and find out before a deployment whether open runs will survive it.
 *
 * <pre>{@code
 * WorkflowHistories.export(dormouse, "trial-ada", Path.of("trial.json"));
 * …
 * WorkflowHistories.replay(Path.of("trial.json"), Trial.class, TrialWorkflow::new);
 * }</pre>
 *
 * <p>A replay executes no step and no activity, and needs no store. It returns if the code matches. Otherwise it throws
 * a {@link DormouseException} ({@code [DM4001]}) with the recorded event, the call that came instead and
 * its source line. The code of a closed run must also end in the same way.
 */
public final class WorkflowHistories {
    private WorkflowHistories() {}

    /**
     * Returns the history of a run as JSON. It contains inputs and results as they are stored: consider which data may
     * leave production.
     *
     * @throws DormouseException RUN_NOT_FOUND if the run was deleted; HISTORY_DAMAGED if its history is damaged;
     *     HISTORY_TOO_NEW if a newer version of Dormouse wrote it
     */
    public static String toJson(WorkflowHandle<?> run) {
        return HistoryJson.write(new SavedHistory(
                run.workflowId(), run.runId(), RunAccess.of(run).events()));
    }

    /**
     * Returns the history of the latest run of a workflow id as JSON.
     *
     * @throws DormouseException RUN_NOT_FOUND if there is none; HISTORY_DAMAGED if its history is damaged;
     *     HISTORY_TOO_NEW if a newer version of Dormouse wrote it
     */
    public static String toJson(Dormouse dormouse, String workflowId) {
        return toJson(dormouse.find(workflowId, Object.class)
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.RUN_NOT_FOUND,
                        "Expected a run of workflow id '" + workflowId
                                + "' to export, but there is none. Check the id.")));
    }

    /**
     * Writes the history of the latest run of a workflow id to a file, which is replaced if it exists.
     *
     * @throws DormouseException RUN_NOT_FOUND if there is none; HISTORY_DAMAGED if its history is damaged;
     *     HISTORY_TOO_NEW if a newer version of Dormouse wrote it
     * @throws UncheckedIOException if the file cannot be written
     */
    public static void export(Dormouse dormouse, String workflowId, Path file) {
        String json = toJson(dormouse, workflowId);
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, json);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /**
     * Replays a saved history against a workflow.
     *
     * @throws DormouseException CODE_DOES_NOT_MATCH if the code does not match the history; UNKNOWN_WORKFLOW_TYPE if
     *     its type is not registered; BAD_HISTORY_FILE if the text is not a history
     */
    public static <W> void replay(Path file, Class<W> type, Supplier<? extends W> implementation) {
        replay(file, builder -> builder.workflow(type, implementation));
    }

    /**
     * Replays a history, given as JSON, against a workflow.
     *
     * @throws DormouseException CODE_DOES_NOT_MATCH if the code does not match the history; UNKNOWN_WORKFLOW_TYPE if
     *     its type is not registered; BAD_HISTORY_FILE if the text is not a history
     */
    public static <W> void replay(String json, Class<W> type, Supplier<? extends W> implementation) {
        replay(json, builder -> builder.workflow(type, implementation));
    }

    /**
     * Replays a saved history against the workflow of its type among those registered by {@code setUp}. Use it also for
     * workflow functions and custom codecs.
     *
     * @throws DormouseException CODE_DOES_NOT_MATCH if the code does not match the history; UNKNOWN_WORKFLOW_TYPE if
     *     its type is not registered; BAD_HISTORY_FILE if the text is not a history
     */
    public static void replay(Path file, UnaryOperator<DormouseBuilder> setUp) {
        try {
            replay(HistoryJson.read(Files.readString(file), "history file " + file), setUp);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /**
     * Replays a history, given as JSON, against the workflow of its type among those registered by {@code setUp}. Use
     * it also for workflow functions and custom codecs.
     *
     * @throws DormouseException CODE_DOES_NOT_MATCH if the code does not match the history; UNKNOWN_WORKFLOW_TYPE if
     *     its type is not registered; BAD_HISTORY_FILE if the text is not a history
     */
    public static void replay(String json, UnaryOperator<DormouseBuilder> setUp) {
        replay(HistoryJson.read(json, "the history"), setUp);
    }

    private static void replay(SavedHistory history, UnaryOperator<DormouseBuilder> setUp) {
        ConfigurationAccess.replay(
                setUp.apply(Dormouse.builder()), history.workflowId(), history.runId(), history.events());
    }
}
