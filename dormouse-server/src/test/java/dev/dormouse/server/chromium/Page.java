package dev.dormouse.server.chromium;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import tools.jackson.databind.JsonNode;

/**
 * A page as a person uses it: elements are found by their visible words, and waited for. It records console errors and
 * requested URLs.
 */
public final class Page implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * Finds elements that can be clicked or filled in by their accessible name: only visible ones, and only those of
     * the topmost dialog.
     */
    private static final String FINDERS = """
            const scope = () => document.querySelector('[role=dialog]') || document;
            const shown = e => e.getClientRects().length > 0;
            const nameOf = e => (e.getAttribute('aria-label') || (e.labels && e.labels[0] && e.labels[0].firstElementChild.textContent) || e.textContent).trim();
            const named = (css, name) => [...scope().querySelectorAll(css)].find(e => shown(e) && nameOf(e) === name);
            const atRest = e => {
              const r = e.getBoundingClientRect(), place = r.x + ' ' + r.y, same = window.lastPlace === place;
              window.lastPlace = place;
              return same;
            };
            const text = css => [...document.querySelectorAll(css)].map(e => e.textContent.trim()).join('\\n');
            """;

    private final DevTools tools;
    private final String context;
    private final String target;
    private final String session;
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final Map<String, String> sent = Collections.synchronizedMap(new LinkedHashMap<>());
    private final List<String> answers = new CopyOnWriteArrayList<>();

    private Page(DevTools tools, String context, String target, String session) {
        this.tools = tools;
        this.context = context;
        this.target = target;
        this.session = session;
    }

    static Page open(DevTools tools) {
        return open(
                tools,
                tools.call("", "Target.createBrowserContext", Map.of())
                        .get("browserContextId")
                        .asString());
    }

    private static Page open(DevTools tools, String context) {
        Map<String, ?> window = Map.of("url", "about:blank", "browserContextId", context, "newWindow", true);
        String target =
                tools.call("", "Target.createTarget", window).get("targetId").asString();
        String session = tools.call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
                .get("sessionId")
                .asString();
        Page page = new Page(tools, context, target, session);
        tools.listen(page::note);
        List.of("Page.enable", "Runtime.enable", "Network.enable", "Log.enable")
                .forEach(domain -> page.call(domain, Map.of()));
        return page.size(1400, 776).look("light");
    }

    /** Opens another page of the same browser: cookies, storage, workers and connections are shared. */
    public Page another() {
        return open(tools, context);
    }

    /** Executes a script in each document before any of the document's own. */
    public Page before(String script) {
        call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
        return this;
    }

    /** Makes the page believe that it is hidden behind another tab, or shown again. */
    public Page hide(boolean hidden) {
        run("Object.defineProperty(document, 'hidden', {configurable: true, get: () => " + hidden + "}); "
                + "document.dispatchEvent(new Event('visibilitychange'))");
        return this;
    }

    private void note(JsonNode event) {
        if (!session.equals(event.path("sessionId").asString(""))) {
            return;
        }
        JsonNode parameters = event.get("params");
        switch (event.get("method").asString()) {
            case "Network.requestWillBeSent" -> {
                requests.add(parameters.path("request").path("url").asString());
                sent.put(
                        parameters.path("requestId").asString(),
                        parameters.path("request").path("url").asString());
            }
            case "Network.requestServedFromCache" ->
                sent.remove(parameters.path("requestId").asString());
            case "Network.responseReceived" -> received(parameters);
            case "Runtime.exceptionThrown" -> complaints.add(parameters.toString());
            case "Runtime.consoleAPICalled" -> complain(parameters, parameters.path("type"));
            case "Log.entryAdded" ->
                complain(parameters, parameters.path("entry").path("level"));
            default -> {}
        }
    }

    private void received(JsonNode parameters) {
        JsonNode response = parameters.path("response");
        answers.add(response.path("status").asInt() + " " + response.path("url").asString());
        if (response.path("fromDiskCache").asBoolean()) {
            sent.remove(parameters.path("requestId").asString());
        }
    }

    private void complain(JsonNode parameters, JsonNode level) {
        if (List.of("error", "warning", "assert").contains(level.asString())) {
            complaints.add(parameters.toString());
        }
    }

    private JsonNode call(String method, Map<String, ?> parameters) {
        return tools.call(session, method, parameters);
    }

    public Page size(int width, int height) {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", width < 500));
        return this;
    }

    /** Emulates the system's color scheme, "light" or "dark", and its preference for no animations. */
    public Page look(String scheme) {
        Map<String, String> colors = Map.of("name", "prefers-color-scheme", "value", scheme);
        Map<String, String> motion = Map.of("name", "prefers-reduced-motion", "value", "reduce");
        call("Emulation.setEmulatedMedia", Map.of("features", List.of(colors, motion)));
        return this;
    }

    public Page visit(String url) {
        call("Page.navigate", Map.of("url", url));
        return this;
    }

    /** Executes a script in the page. */
    public Page load(String script) {
        call("Runtime.evaluate", Map.of("expression", script));
        return this;
    }

    /** Returns the value of a JavaScript expression as text. */
    public String read(String expression) {
        return run("return String(" + expression + ")").asString();
    }

    /** Waits until a JavaScript expression is true, even if another document is loaded meanwhile. */
    public Page until(String expression) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return poll(expression);
            } catch (DevTools.Refused left) {
                if (System.nanoTime() > end) {
                    throw left;
                }
            }
        }
    }

    private Page poll(String expression) {
        run("""
                let last = '';
                for (const end = Date.now() + %d; Date.now() < end; ) {
                  try { if (%s) return true; } catch (e) { last = e; }
                  await new Promise(next => setTimeout(next, 30));
                }
                throw new Error(%s + last + '\\n' + document.body.innerText.slice(0, 1500));""".formatted(PATIENCE.toMillis(), expression, quoted("Waited in vain for " + expression + " ")));
        return this;
    }

    public Page untilText(String css, String part) {
        return until("text(" + quoted(css) + ").includes(" + quoted(part) + ")");
    }

    /** Clicks the element with this name, with the mouse. */
    public Page click(String name) {
        return press("named('a, button, [role=tab], summary, input', " + quoted(name) + ")");
    }

    private Page press(String element) {
        until(element + " && !" + element + ".disabled");
        run("window.lastPlace = null; " + element + ".scrollIntoView({block: 'center'})");
        until("atRest(" + element + ")"); // what loads above it can still move it away from the mouse
        JsonNode at = run("const e = " + element + "; "
                + "const r = e.getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2};");
        for (String type : List.of("mousePressed", "mouseReleased")) {
            call(
                    "Input.dispatchMouseEvent",
                    Map.of("type", type, "x", at.get("x"), "y", at.get("y"), "button", "left", "clickCount", 1));
        }
        return this;
    }

    /** Replaces the text of the field with this label. */
    public Page fill(String label, String text) {
        String field = "named('input, textarea, select', " + quoted(label) + ")";
        press(field);
        run(field + ".select()");
        call("Input.insertText", Map.of("text", text));
        return this;
    }

    public Page key(String key) {
        String text = key.length() == 1 ? key : "";
        call("Input.dispatchKeyEvent", Map.of("type", "keyDown", "key", key, "text", text));
        call("Input.dispatchKeyEvent", Map.of("type", "keyUp", "key", key));
        return this;
    }

    public Page screenshot(Path file) throws IOException {
        String data = call("Page.captureScreenshot", Map.of("format", "png", "optimizeForSpeed", true))
                .get("data")
                .asString();
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(data));
        return this;
    }

    /** Writes a screenshot of the whole document, up to 2000 pixels high. */
    public Page wholePicture(Path file) throws IOException {
        JsonNode now =
                run("return {width: innerWidth, height: innerHeight, whole: document.documentElement.scrollHeight};");
        int width = now.get("width").asInt();
        size(width, Math.min(2000, now.get("whole").asInt()));
        return screenshot(file).size(width, now.get("height").asInt());
    }

    public List<String> complaints() {
        return complaints;
    }

    public List<String> requests() {
        return requests;
    }

    /** Returns the URLs that were requested from a server, without those that came from the browser's cache. */
    public List<String> sent() {
        synchronized (sent) {
            return List.copyOf(sent.values());
        }
    }

    /** Returns the status and URL of each response: "200 http://…". */
    public List<String> answers() {
        return answers;
    }

    private JsonNode run(String body) {
        String expression = "(async () => {" + FINDERS + body + "})()";
        JsonNode answer =
                call("Runtime.evaluate", Map.of("expression", expression, "awaitPromise", true, "returnByValue", true));
        if (answer.has("exceptionDetails")) {
            JsonNode details = answer.get("exceptionDetails");
            throw new AssertionError(
                    details.path("exception").path("description").asString(details.toString()));
        }
        return answer.get("result").path("value");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    @Override
    public void close() {
        tools.call("", "Target.closeTarget", Map.of("targetId", target));
    }
}
