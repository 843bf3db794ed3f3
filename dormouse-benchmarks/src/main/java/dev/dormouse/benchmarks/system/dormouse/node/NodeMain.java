package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.Dormouse;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * A process with a Dormouse in it. Reads commands line by line and answers each with a line; ends when there is no more
 * input, so that it never outlives who started it.
 */
final class NodeMain {
    static final String OK = "ok";

    private NodeMain() {}

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        HeldRuns held = new HeldRuns();
        try (Dormouse dormouse = NodeCode.open(url, held)) {
            say(OK);
            NodeCommands able = new NodeCommands(dormouse, held, url);
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                say(answer(able, line));
            }
        } finally {
            Runtime.getRuntime().halt(0);
        }
    }

    private static String answer(NodeCommands able, String line) {
        try {
            return OK + " " + able.obey(line.split(" ", -1));
        } catch (Exception e) {
            return "failed: " + e;
        }
    }

    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println(line);
    }
}
