package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.ListOptions;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.RunList;
import dev.dormouse.server.request.ApiProblem;
import dev.dormouse.server.request.PageCursors;
import dev.dormouse.server.request.ReadBudget;
import dev.dormouse.server.request.TextValues;
import dev.dormouse.server.view.RunView;
import dev.dormouse.store.run.RunKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** A lookup of runs by id, and lists of runs. */
final class RunLookup {
    private static final int MAX_PAGES = 10;
    private static final Set<RunKind> OTHERS = EnumSet.of(RunKind.TIMER, RunKind.SCHEDULE, RunKind.EVENT);

    private final Dormouse dormouse;

    RunLookup(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /**
     * Returns the run that the path and the parameter {@code run} name.
     *
     * @throws ApiProblem 404 if it does not exist
     */
    WorkflowHandle<JsonNode> find(Call call) {
        return find(call.value("id"), call.params().id("run"));
    }

    /**
     * Returns the run that a request may change. Timers, schedules and events have their own paths and roles.
     *
     * @throws ApiProblem 400 if the id is not that of a workflow
     */
    WorkflowHandle<JsonNode> findWorkflow(Call call) {
        checkIsWorkflow("{id}", call.value("id"));
        return find(call);
    }

    static void checkIsWorkflow(String path, String workflowId) {
        if (OTHERS.contains(RunKind.of(workflowId))) {
            throw ApiProblem.bad(
                    path,
                    "Expected the id of a workflow, but " + TextValues.shown(workflowId)
                            + " is one within Dormouse, of a timer, a schedule or an event. Use /timers or /schedules.");
        }
    }

    /**
     * Returns the run that a message goes to. Messages always go to the latest run, so a named run must be open.
     *
     * @throws ApiProblem 409 if the named run has ended
     */
    WorkflowHandle<JsonNode> findOpen(Call call) {
        WorkflowHandle<JsonNode> run = findWorkflow(call);
        if (call.params().id("run").isPresent()) {
            LifecycleApi.checkOpen(run);
        }
        return run;
    }

    WorkflowHandle<JsonNode> find(String workflowId, Optional<UUID> runId) {
        Optional<WorkflowHandle<JsonNode>> found = runId.isPresent()
                ? dormouse.find(workflowId, runId.get(), JsonNode.class)
                : dormouse.find(workflowId, JsonNode.class);
        return found.orElseThrow(() -> ApiProblem.notFound(
                ErrorCode.RUN_NOT_FOUND,
                "Expected a run" + runId.map(id -> " " + id).orElse("") + " of workflow id "
                        + TextValues.shown(workflowId) + ", but there is none. Start it first, or check the id."));
    }

    /**
     * Returns the latest runs of a workflow id, the latest first, among the first thousand that a search finds. Stores
     * order them differently, and with several shards other ids with the same prefix may come first.
     */
    List<RunDescription> ofId(String workflowId, int max) {
        List<RunDescription> runs = new ArrayList<>();
        ListOptions options = ListOptions.ALL.withWorkflowIdPrefix(workflowId).withLimit(100);
        Optional<String> next = Optional.empty();
        int pages = 0;
        do {
            RunList page = dormouse.list(next.map(options::withPage).orElse(options));
            page.runs().stream()
                    .filter(run -> run.workflowId().equals(workflowId))
                    .forEach(runs::add);
            boolean isPast = !runs.isEmpty()
                    && page.runs().stream().anyMatch(run -> !run.workflowId().equals(workflowId));
            next = isPast ? Optional.empty() : page.next();
        } while (next.isPresent() && ++pages < MAX_PAGES);
        runs.sort(Comparator.comparing(RunDescription::startedAt)
                .thenComparing(run -> run.runId().toString())
                .reversed());
        return List.copyOf(runs.subList(0, Math.min(max, runs.size())));
    }

    /** Returns a page. It is full, or the last one, or has what {@value ReadBudget#MAX} reads found. */
    RunPageView page(ListOptions asked) {
        ReadBudget reads = new ReadBudget();
        boolean isSearch = asked.workflowIdPrefix().isPresent();
        ListOptions options = isSearch ? asked : asked.withWorkflowsOnly();
        int limit = options.limit();
        List<RunView> items = new ArrayList<>();
        Optional<String> next = options.page();
        do {
            ListOptions more = options.withLimit(limit - items.size());
            RunList page = dormouse.list(next.map(more::withPage).orElse(more));
            page.runs().stream().map(RunView::of).forEach(items::add);
            next = page.next();
        } while (items.size() < limit && next.isPresent() && reads.isOneLeft());
        boolean isEarly = items.size() < limit && !isSearch;
        Optional<Instant> searched = isEarly ? next.flatMap(PageCursors::time) : Optional.empty();
        return new RunPageView(items, next.map(PageCursors::encode), searched);
    }

    /**
     * A page of runs.
     *
     * @param searchedBackTo set if the page is not full although there may be more: all runs that were started later
     *     have been examined
     */
    record RunPageView(List<RunView> items, Optional<String> next, Optional<Instant> searchedBackTo) {}
}
