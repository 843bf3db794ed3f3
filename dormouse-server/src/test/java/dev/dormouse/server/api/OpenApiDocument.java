package dev.dormouse.server.api;

import dev.dormouse.server.view.ErrorView;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Builds the OpenAPI document from the router's table and from the response records. */
public final class OpenApiDocument {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final Pattern BRACE = Pattern.compile("\\{(\\w+)}");

    private final ObjectNode root = MAPPER.createObjectNode();
    private final OpenApiSchemas schemas;

    private OpenApiDocument() {
        root.put("openapi", "3.1.0");
        root.putObject("info")
                .put("title", "Dormouse")
                .put("version", "1")
                .put("description", "Durable workflows and timers. Instants and durations are written as in ISO 8601.")
                .putObject("license")
                .put("name", "Apache-2.0")
                .put("identifier", "Apache-2.0");
        root.putArray("servers").addObject().put("url", Router.BASE);
        root.putArray("security").addObject().putArray("token");
        root.putObject("paths");
        ObjectNode components = root.putObject("components");
        schemas = new OpenApiSchemas(components.putObject("schemas"));
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer");
    }

    public static String of(Router router) {
        OpenApiDocument document = new OpenApiDocument();
        Map<String, OpenApiOperation> operations = OpenApiOperations.all();
        router.routes().forEach(route -> {
            OpenApiOperation operation = operations.remove(route.method() + " " + route.pattern());
            if (operation == null) {
                throw new IllegalStateException(route.method() + " " + route.pattern() + " is not described");
            }
            document.add(route, operation);
        });
        if (!operations.isEmpty()) {
            throw new IllegalStateException(operations.keySet() + " are no routes");
        }
        document.addStream();
        return MAPPER.writeValueAsString(document.root) + "\n";
    }

    private ObjectNode operation(String method, String pattern, String summary) {
        ObjectNode paths = root.get("paths").asObject();
        ObjectNode path = paths.has(pattern) ? paths.get(pattern).asObject() : paths.putObject(pattern);
        ObjectNode operation = path.putObject(method.toLowerCase(Locale.ROOT));
        String id = (method.toLowerCase(Locale.ROOT) + pattern.replaceAll("[{}]", "")).replaceAll("/(\\w)", "-$1");
        operation.put("operationId", id).put("summary", summary);
        return operation;
    }

    private void add(Route route, OpenApiOperation described) {
        ObjectNode operation = operation(route.method(), route.pattern(), described.summary());
        operation.put("x-role", route.role().name().toLowerCase(Locale.ROOT));
        Matcher braces = BRACE.matcher(route.pattern());
        while (braces.find()) {
            parameter(operation, braces.group(1), "path");
        }
        route.parameters().forEach(name -> parameter(operation, name, "query"));
        if (!described.body().isEmpty()) {
            body(operation, described.body());
        }
        ObjectNode responses = operation.putObject("responses");
        new TreeMap<>(described.answers()).forEach((status, type) -> answer(responses, String.valueOf(status), type));
        answer(responses, "default", ErrorView.class);
    }

    private static void parameter(ObjectNode operation, String name, String in) {
        operation
                .withArray("/parameters")
                .addObject()
                .put("name", name)
                .put("in", in)
                .put("required", in.equals("path"))
                .putObject("schema")
                .put("type", "string");
    }

    private static void body(ObjectNode operation, List<String> fields) {
        ObjectNode schema = operation
                .putObject("requestBody")
                .putObject("content")
                .putObject("application/json")
                .putObject("schema");
        schema.put("type", "object");
        if (fields.equals(List.of("*"))) {
            return;
        }
        ObjectNode properties = schema.putObject("properties");
        for (String field : fields) {
            String[] parts = field.split("=", 2);
            String name = parts[0].replace("!", "");
            properties.set(name, kind(parts[1]));
            if (parts[0].endsWith("!")) {
                schema.withArray("/required").add(name);
            }
        }
        schema.put("additionalProperties", false);
    }

    private static ObjectNode kind(String kind) {
        ObjectNode schema = MAPPER.createObjectNode();
        switch (kind) {
            case "text" -> schema.put("type", "string");
            case "instant" -> schema.put("type", "string").put("format", "date-time");
            case "duration" -> schema.put("type", "string").put("format", "duration");
            case "number" -> schema.put("type", "integer");
            case "array" -> schema.put("type", "array");
            case "texts" -> schema.put("type", "array").putObject("items").put("type", "string");
            case "notes" ->
                schema.put("type", "object").putObject("additionalProperties").put("type", "string");
            default -> schema.put("description", "any JSON");
        }
        return schema;
    }

    private void answer(ObjectNode responses, String status, Type type) {
        ObjectNode response = responses.putObject(status);
        response.put("description", status.equals("default") ? "The error" : "The response");
        response.putObject("content").putObject("application/json").set("schema", schemas.of(type));
    }

    /** Adds the stream of live changes, the only path that is not a route. */
    private void addStream() {
        ObjectNode operation = operation(
                "GET",
                "/events/stream",
                "Live changes as server-sent events: pulse, nodes, and run for each named workflow");
        operation.put("x-role", "reader");
        parameter(operation, "workflow", "query");
        operation
                .putObject("responses")
                .putObject("200")
                .put("description", "An endless stream")
                .putObject("content")
                .putObject("text/event-stream");
    }
}
