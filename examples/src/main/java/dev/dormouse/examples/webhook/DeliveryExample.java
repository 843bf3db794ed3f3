package dev.dormouse.examples.webhook;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.dormouse.Dormouse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that delivers an event to a receiver that fails twice. Arguments: the store, and the pause after the first
 * failure, such as {@code PT10S}.
 */
public final class DeliveryExample {
    private DeliveryExample() {}

    public static void main(String[] args) throws IOException {
        Duration firstPause = args.length > 1 ? Duration.parse(args[1]) : Duration.ofMillis(50);
        HttpServer receiver = receiver();
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Delivery.class, () -> new DeliveryWorkflow(firstPause))
                .activities(Sender.class, new HttpSender())
                .open()) {
            URI uri = URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + "/events");
            Delivery delivery = dormouse.workflow(Delivery.class, "delivery-of-order-7-paid");
            System.out.println("The event is " + delivery.deliver(uri, "{\"order\": 7, \"paid\": true}") + ".");
        } finally {
            receiver.stop(0);
        }
    }

    private static HttpServer receiver() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/events", exchange -> answer(exchange, requests.incrementAndGet() > 2 ? 204 : 503));
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        System.out.println("Received " + body + ", answers " + status + ".");
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }
}
