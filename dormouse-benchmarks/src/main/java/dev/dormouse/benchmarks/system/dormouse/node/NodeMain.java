package dev.dormouse.benchmarks.system.dormouse.node;

import dev.dormouse.Dormouse;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * The main class of a process with a Dormouse in it. Reads commands line by line and answers each with a line. Ends
 * with its input at any time, so that it never outlives the process that started it.
 */
final class NodeMain {
    static final String OK = "ok";

    private NodeMain() {}

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        BlockingQueue<String> commands = listen();
        HeldRuns held = new HeldRuns();
        Dormouse dormouse = NodeCode.open(url, held);
        NodeProcessCommands able = new NodeProcessCommands(dormouse, held, url);
        say(OK);
        while (true) {
            say(answer(able, commands.take()));
        }
    }

    private static BlockingQueue<String> listen() {
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Thread reader = new Thread(() -> {
            try {
                input.lines().forEach(commands::add);
            } finally {
                Runtime.getRuntime().halt(0);
            }
        });
        reader.setDaemon(true);
        reader.start();
        return commands;
    }

    private static String answer(NodeProcessCommands able, String line) {
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
