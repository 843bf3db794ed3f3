package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Checks for failures of user code and for takeovers, with no findings if there are none. */
final class FailureChecks {
    private static final int MOST = 100;

    private final ApiClient api;

    FailureChecks(ApiClient api) {
        this.api = api;
    }

    List<Finding> all() {
        String retries = " have failed and wait for their next attempt";
        return Stream.of(
                        takeovers(),
                        found(
                                ApiPath.of("workflows").with("status", "FAILED,TIMED_OUT"),
                                "failed",
                                "workflowId",
                                " runs have failed or timed out",
                                "See 'workflow list --status failed'; after the cause is gone, 'workflow retry'."),
                        found(
                                ApiPath.of("timers").with("kind", "retry"),
                                "steps",
                                "workflowId",
                                " steps" + retries,
                                "See 'workflow show' for the failure."),
                        timers("FAILED", " timers have failed"),
                        timers("PENDING", " timers" + retries),
                        found(
                                ApiPath.of("sql-timers", "failed"),
                                "sql timers",
                                "id",
                                " SQL timers have failed",
                                "See 'timer show --sql' for the error."),
                        found(
                                ApiPath.of("schedules"),
                                "schedules",
                                "id",
                                " schedules have failed the last time",
                                "See 'schedule show' for the failure."))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<Finding> takeovers() {
        JsonNode slots = api.get(ApiPath.of("throughput").with("span", "15m")).path("slots");
        long takeovers = ApiJson.stream(slots)
                .mapToLong(slot -> slot.path("takeovers").asLong(0))
                .sum();
        return takeovers == 0
                ? Optional.empty()
                : Optional.of(Finding.odd(
                        "takeovers",
                        takeovers + (takeovers == 1 ? " run was" : " runs were") + " taken over in the last 15 minutes",
                        "A node has died, or stood still for longer than its lease. The log of the node that took over "
                                + "names it; see 'node list'."));
    }

    private Optional<Finding> timers(String status, String some) {
        return found(
                ApiPath.of("timers").with("status", status), "timers", "id", some, "See 'timer show' for the failure.");
    }

    private Optional<Finding> found(ApiPath path, String check, String id, String some, String advice) {
        List<JsonNode> failed = ApiJson.items(api.get(path.with("limit", MOST)))
                .filter(FailureChecks::hasFailed)
                .toList();
        String count = failed.size() < MOST ? String.valueOf(failed.size()) : MOST + " or more";
        return failed.isEmpty()
                ? Optional.empty()
                : Optional.of(Finding.odd(
                        check, count + some + ", such as '" + ApiJson.text(failed.get(0), id) + "'", advice));
    }

    /** Lists of timers and schedules include healthy ones, whose field {@code lastFailure} is empty. */
    private static boolean hasFailed(JsonNode item) {
        return item.path("lastFailure").isMissingNode()
                || !ApiJson.text(item, "lastFailure").isEmpty();
    }
}
