package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.ListOptions;
import dev.dormouse.RunDescription;
import dev.dormouse.RunList;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.engine.ActivityTypes;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.view.RunPageView;
import dev.dormouse.server.view.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import tools.jackson.databind.JsonNode;

/** Finds runs. */
final class Runs {
    /** A page of a list looks further for so long. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private static final int MOST_PAGES = 10;

    /** What ids of timers, schedules and events begin with. */
    private static final String OURS = "!%$";

    private final Dormouse dormouse;
    private final LongSupplier nanos;

    Runs(Dormouse dormouse) {
        this(dormouse, System::nanoTime);
    }

    Runs(Dormouse dormouse, LongSupplier nanos) {
        this.dormouse = dormouse;
        this.nanos = nanos;
    }

    /** The run that a path and the parameter {@code run} name. */
    WorkflowHandle<JsonNode> find(Call call) {
        return find(call.value("id"), call.params().id("run"));
    }

    WorkflowHandle<JsonNode> find(String workflowId, Optional<UUID> runId) {
        Optional<WorkflowHandle<JsonNode>> found = runId.isPresent()
                ? dormouse.find(workflowId, runId.get(), JsonNode.class)
                : dormouse.find(workflowId, JsonNode.class);
        return found.orElseThrow(() -> ApiProblem.notFound(
                ErrorCode.RUN_NOT_FOUND,
                "Expected a run" + runId.map(id -> " " + id).orElse("") + " of workflow id "
                        + Texts.shown(workflowId) + ", but there is none. Start it first, or check the id."));
    }

    /** The latest runs of a workflow id, the latest first. */
    List<RunDescription> ofId(String workflowId, int most) {
        List<RunDescription> runs = new ArrayList<>();
        ListOptions options = ListOptions.ALL.workflowIdPrefix(workflowId).limit(100);
        Optional<String> next = Optional.empty();
        int pages = 0;
        do {
            RunList page = dormouse.list(next.map(options::page).orElse(options));
            page.runs().stream()
                    .filter(run -> run.workflowId().equals(workflowId))
                    .forEach(run -> runs.add(0, run));
            boolean isPast = page.runs().stream().anyMatch(run -> !run.workflowId().equals(workflowId));
            next = isPast ? Optional.empty() : page.next();
        } while (next.isPresent() && ++pages < MOST_PAGES);
        return runs.subList(0, Math.min(most, runs.size()));
    }

    /** A page that is full, the last one, or as full as it could be made in time. */
    RunPageView page(ListOptions options) {
        int limit = options.limit();
        long end = nanos.getAsLong() + PATIENCE.toNanos();
        boolean withOurs = options.workflowIdPrefix().isPresent() || options.type().isPresent();
        List<RunView> items = new ArrayList<>();
        Optional<String> next = options.page();
        do {
            RunList page = dormouse.list(next.map(options::page).orElse(options).limit(limit - items.size()));
            page.runs().stream()
                    .filter(run -> withOurs || isWorkflow(run))
                    .map(RunView::of)
                    .forEach(items::add);
            next = page.next();
        } while (items.size() < limit && next.isPresent() && nanos.getAsLong() - end < 0);
        Optional<Instant> searched = items.size() < limit && options.workflowIdPrefix().isEmpty()
                ? next.flatMap(Cursors::time)
                : Optional.empty();
        return new RunPageView(items, next.map(Cursors::encode), searched);
    }

    private static boolean isWorkflow(RunDescription run) {
        return OURS.indexOf(run.workflowId().charAt(0)) < 0 && !ActivityTypes.isActivity(run.type());
    }
}
