package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.term.TimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Checks that ask the API: reachability, clock, permissions, nodes and backlog. */
final class ApiChecks {
    private static final Duration SKEW = Duration.ofSeconds(1);

    private final ApiClient api;
    private final InstantSource clock;
    private final boolean isStore;

    ApiChecks(ApiClient api, InstantSource clock, boolean isStore) {
        this.api = api;
        this.clock = clock;
        this.isStore = isStore;
    }

    /** Adds findings one by one, so that a failed request does not discard earlier ones. */
    void addTo(List<Finding> findings) {
        Instant before = clock.instant();
        JsonNode info = api.get(ApiPath.of("info"));
        Instant after = clock.instant();
        findings.add(reachable(info));
        List<Finding> outages = outages(info);
        if (!outages.isEmpty()) {
            findings.addAll(outages); // other requests would fail
            return;
        }
        findings.add(Finding.good("schema", "is what this version needs"));
        findings.add(skew(info, before, after));
        if (!isStore) {
            findings.add(permissions(info));
        }
        findings.add(nodes());
        findings.addAll(health());
        findings.addAll(new FailureChecks(api).all());
    }

    private static Finding reachable(JsonNode info) {
        JsonNode store = info.path("store");
        return Finding.good(
                "reachable",
                "Dormouse " + ApiJson.text(info, "version") + " on " + ApiJson.text(store, "kind") + " "
                        + ApiJson.text(store, "version") + ", " + ApiJson.text(store, "name"));
    }

    private static List<Finding> outages(JsonNode info) {
        List<Finding> findings = new ArrayList<>();
        info.path("outages")
                .forEach(outage -> findings.add(Finding.bad(
                        "store",
                        ApiJson.text(outage, "text"),
                        "Bring the database back, or give it space; the server resumes by itself.")));
        return findings;
    }

    /** The clock there against the one here, which is asked before and after. */
    private static Finding skew(JsonNode info, Instant before, Instant after) {
        Instant there = ApiJson.instant(info, "now").orElse(before);
        Duration skew = there.isBefore(before)
                ? Duration.between(there, before)
                : there.isAfter(after) ? Duration.between(after, there) : Duration.ZERO;
        return skew.compareTo(SKEW) < 0
                ? Finding.good("clock", "differs by less than " + TimeFormat.span(SKEW) + " from the one here")
                : Finding.odd(
                        "clock",
                        "is " + TimeFormat.span(skew) + (there.isBefore(before) ? " behind" : " ahead of")
                                + " the one here",
                        "Timers fire by the database's clock. Let NTP set the clocks of both machines.");
    }

    private static Finding permissions(JsonNode info) {
        String role = ApiJson.text(info, "role");
        return info.path("readOnly").asBoolean(false)
                ? Finding.odd("permissions", "the server is read-only", "Changes need a server without read-only mode.")
                : Finding.good("permissions", "you are " + ApiJson.text(info, "caller") + " with the role " + role);
    }

    private Finding nodes() {
        Map<String, List<JsonNode>> nodes =
                ApiJson.items(api.get(ApiPath.of("nodes"))).collect(Collectors.groupingBy(NodeCommand::state));
        int alive = nodes.getOrDefault("alive", List.of()).size();
        List<JsonNode> silent = nodes.getOrDefault("silent", List.of());
        List<JsonNode> gone = nodes.getOrDefault("gone", List.of());
        if (alive == 0 && silent.isEmpty()) {
            return Finding.odd(
                    "nodes",
                    "none is alive",
                    "Nothing is executed until a program with your workflows opens this store, such as './dormouse dev'.");
        }
        List<String> states = new ArrayList<>();
        states.add(alive == 0 ? "none is alive" : alive + (alive == 1 ? " is alive" : " are alive"));
        if (silent.isEmpty() && gone.isEmpty()) {
            return Finding.good("nodes", states.get(0));
        }
        if (!silent.isEmpty()) {
            states.add(silent.size() + (silent.size() == 1 ? " is silent: " : " are silent: ") + names(silent));
        }
        if (!gone.isEmpty()) {
            states.add(gone.size() + " died or stood still within the last hour: " + names(gone));
        }
        return Finding.odd(
                "nodes",
                String.join(", ", states),
                "Their runs are taken over by others. See 'node list'; restart what should run.");
    }

    private static String names(List<JsonNode> nodes) {
        return nodes.stream().map(ApiChecks::name).collect(Collectors.joining(", "));
    }

    private static String name(JsonNode node) {
        String name = ApiJson.text(node, "name");
        return (name.isEmpty() ? ApiJson.text(node, "id") : name) + ", last seen " + ApiJson.text(node, "seenAt");
    }

    private List<Finding> health() {
        JsonNode overview = api.get(ApiPath.of("overview"));
        List<Finding> findings = new ArrayList<>();
        overview.path("unserved")
                .forEach(each -> findings.add(Finding.odd(
                        "unserved", each.path("text").asString(""), "See 'node list' for what nodes execute.")));
        findings.addAll(List.of(
                count(
                        overview,
                        "overdue",
                        "nothing is overdue",
                        " overdue",
                        "Nodes are down, overloaded, or lack the code: see 'timer list', 'node list'."),
                count(
                        overview,
                        "stuck",
                        "no run is stuck",
                        " runs are stuck",
                        "See 'workflow list --status stuck'; then deploy code that fits, or 'workflow retry'.")));
        return findings;
    }

    private static Finding count(JsonNode overview, String field, String none, String some, String advice) {
        JsonNode count = overview.path(field).path("count");
        return count.asLong(0) == 0
                ? Finding.good(field, none)
                : Finding.odd(
                        field,
                        (overview.path(field).path("exact").asBoolean(true) ? "" : "about ") + count.asLong(0) + some,
                        advice);
    }
}
