package dev.dormouse.server;

import dev.dormouse.server.api.Route;
import dev.dormouse.server.api.Router;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Random requests: most of them nearly valid, some not at all. */
final class RandomRequest {
    private static final List<String> IDS = List.of(
            "order-1",
            "none",
            "!t",
            "%s",
            "$e",
            "a/b",
            "ü",
            "\u0000",
            "\uD800",
            "x".repeat(600),
            "..",
            " ",
            "#x",
            "nap",
            "release",
            "echo",
            "preview",
            "histogram",
            "batch",
            "DM1001",
            "timer-1",
            "nightly",
            "dm1-abc");
    private static final List<String> TEXTS = List.of(
            "\"\"",
            "\"x\"",
            "\"echo\"",
            "\"order-1\"",
            "\"remind\"",
            "\"approve\"",
            "\"state\"",
            "\"PT1S\"",
            "\"PT-9S\"",
            "\"P99999999999D\"",
            "\"2031-01-01T00:00:00Z\"",
            "\"-999999999-01-01T00:00:00Z\"",
            "\"0 3 * * *\"",
            "\"* * * * * * *\"",
            "\"UTC\"",
            "\"Moon/Base\"",
            "\"cancel\"",
            "\"SKIP\"",
            "\"START_NEW\"",
            "\"all PT1H\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "\"<script>\"",
            "null",
            "true",
            "1",
            "-1",
            "2147483648",
            "1e999",
            "1e99999999999",
            "0.1",
            "[]",
            "{}",
            "[1,[2,[3]]]",
            "{\"a\":{\"b\":null}}",
            "[\"order-1\",\"none\"]",
            "[null]");
    private static final List<String> FIELDS = List.of(
            "type",
            "id",
            "input",
            "startAt",
            "startDelay",
            "executionTimeout",
            "memo",
            "queue",
            "idReuse",
            "name",
            "arguments",
            "key",
            "wait",
            "reason",
            "events",
            "at",
            "in",
            "action",
            "ids",
            "handler",
            "payload",
            "cron",
            "zone",
            "every",
            "anchor",
            "workflow",
            "timer",
            "overlap",
            "catchUp",
            "jitter",
            "idPrefix",
            "note",
            "from",
            "to",
            "by",
            "comment",
            "result",
            "message",
            "steps",
            "version",
            "",
            "typo");
    private static final List<String> METHODS =
            List.of("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "BREW", "");

    /** Valid bodies, by the end of a route's path. */
    private static final Map<String, String> GOOD = Map.ofEntries(
            Map.entry("/workflows", "{'type':'echo','id':'order-1','input':[1],'memo':{'a':'b'}}"),
            Map.entry("/signal", "{'name':'approve','arguments':['ada']}"),
            Map.entry("/update", "{'name':'addPieces','arguments':[1],'id':'u','wait':'PT0.2S'}"),
            Map.entry("/query", "{'name':'state'}"),
            Map.entry("/cancel", "{'reason':'why not'}"),
            Map.entry("/terminate", "{'reason':'why not'}"),
            Map.entry("/retry", "{}"),
            Map.entry("/reset", "{'events':1}"),
            Map.entry("/move", "{'in':'PT1H'}"),
            Map.entry("/batch", "{'action':'retry','ids':['order-1','none']}"),
            Map.entry("/timers", "{'handler':'remind','in':'PT1H','id':'timer-1','payload':{}}"),
            Map.entry("/fire", "{}"),
            Map.entry("/schedules", "{'id':'nightly','every':'PT1H','workflow':'echo','input':1}"),
            Map.entry("/schedules/{id}", "{'cron':'0 3 * * *','zone':'UTC','timer':'remind'}"),
            Map.entry("/pause", "{'note':'x'}"),
            Map.entry("/resume", "{}"),
            Map.entry("/trigger", "{}"),
            Map.entry("/backfill", "{'from':'2026-01-01T00:00:00Z','to':'2026-01-01T03:00:00Z'}"),
            Map.entry("/dags/{name}", "{'name':'nap','steps':[{'id':'s','sleep':{'for':'PT1H'}}]}"),
            Map.entry("/validate", "{'name':'nap','steps':[{'id':'s','sleep':{'for':'PT1H'}}]}"),
            Map.entry("/start", "{'id':'order-1','input':{}}"),
            Map.entry("/events", "{'name':'paid','payload':{'a':1},'key':'k'}"),
            Map.entry("/complete", "{'result':1}"),
            Map.entry("/fail", "{'message':'x'}"),
            Map.entry("/approve", "{'by':'ada'}"),
            Map.entry("/reject", "{'comment':'no'}"));

    private final Random random;
    private final List<Route> routes;

    RandomRequest(Random random, List<Route> routes) {
        this.random = random;
        this.routes = routes;
    }

    <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    Route route() {
        return any(routes);
    }

    String method(Route route) {
        return random.nextInt(20) == 0 ? any(METHODS) : route.method();
    }

    String path(Route route) {
        StringBuilder path = new StringBuilder(Router.BASE);
        for (String part : route.pattern().substring(1).split("/", -1)) {
            boolean isValue = part.startsWith("{") || random.nextInt(40) == 0;
            String id = random.nextBoolean() ? any(List.of("order-1", "timer-1", "nightly", "nap")) : any(IDS);
            path.append('/').append(isValue ? encoded(id) : part);
        }
        return random.nextInt(50) == 0
                ? path.append(any(List.of("/", "//", "/x", "%", "%zz", "%ff"))).toString()
                : path.toString();
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
    }

    Map<String, List<String>> query(Route route) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        List<String> names = new ArrayList<>(route.parameters());
        names.add("typo");
        for (String name : names) {
            if (random.nextInt(name.equals("typo") ? 50 : 3) == 0) {
                String value = any(TEXTS);
                String text = value.startsWith("\"")
                        ? ApiClient.MAPPER.readTree(value).stringValue()
                        : value;
                query.put(name, random.nextInt(20) == 0 ? List.of(text, text) : List.of(text));
            }
        }
        return query;
    }

    static String text(Map<String, List<String>> query) {
        StringBuilder text = new StringBuilder();
        query.forEach((name, values) -> values.forEach(value ->
                text.append(text.isEmpty() ? "?" : "&").append(name).append("=").append(encoded(value))));
        return text.toString();
    }

    String body(Route route) {
        String body = random.nextInt(3) > 0 ? nearlyGood(route) : nonsense();
        return route.pattern().endsWith("/update") ? patientFor(body) : body;
    }

    /** Limits the wait, so that no request waits a minute for a run that has not started. */
    private static String patientFor(String body) {
        try {
            return ApiClient.MAPPER.readTree(body) instanceof ObjectNode update && !update.hasNonNull("wait")
                    ? update.put("wait", "PT0.1S").toString()
                    : body;
        } catch (JacksonException | NumberFormatException notJson) {
            return body;
        }
    }

    private String nearlyGood(Route route) {
        String end = GOOD.containsKey(route.pattern())
                ? route.pattern()
                : route.pattern().substring(route.pattern().lastIndexOf('/'));
        ObjectNode body = (ObjectNode)
                ApiClient.MAPPER.readTree(GOOD.getOrDefault(end, "{}").replace('\'', '"'));
        if (random.nextBoolean()) {
            List<String> names = new ArrayList<>(body.propertyNames());
            names.add(any(FIELDS));
            String name = any(names);
            String value = any(TEXTS);
            return random.nextBoolean() || value.contains("e999")
                    ? body.without(List.of(name)).toString()
                    : body.set(name, ApiClient.MAPPER.readTree(value)).toString();
        }
        return body.toString();
    }

    private String nonsense() {
        return switch (random.nextInt(12)) {
            case 0 -> "";
            case 1 -> any(TEXTS);
            case 2 ->
                any(List.of("{", "[1,", "nonsense", "\"\\u12\"", "{\"a\":1,\"a\":2}", "[".repeat(2_000), "\uFEFF{}"));
            default -> object();
        };
    }

    private String object() {
        Map<String, String> fields = new LinkedHashMap<>();
        int number = random.nextInt(7);
        for (int i = 0; i < number; i++) {
            fields.put(any(FIELDS), any(TEXTS));
        }
        StringBuilder object = new StringBuilder("{");
        fields.forEach((name, value) -> object.append(object.length() == 1 ? "" : ",")
                .append('"')
                .append(name)
                .append("\":")
                .append(value));
        return object.append('}').toString();
    }
}
