package dev.dormouse.examples.tutorial;

import dev.dormouse.Dormouse;
import dev.dormouse.server.DormouseServer;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** A node that executes invoices until it is stopped, with the dashboard. */
public class InvoiceService {
    public static void main(String[] args) throws InterruptedException {
        Map<String, String> settings = System.getenv();
        Dormouse dormouse = Dormouse.builder()
                .store(settings.getOrDefault("STORE", "sqlite:invoices.db"))
                .buildId("invoices-1")
                .workflow(Invoice.class, InvoiceWorkflow::new)
                .activities(Post.class, new ConsolePost())
                .open();
        DormouseServer server = DormouseServer.builder()
                .dormouse(dormouse)
                .port(Integer.parseInt(settings.getOrDefault("PORT", "7070")))
                .start();
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> { // at SIGTERM and Ctrl-C
                            server.close();
                            dormouse.close();
                            stopped.countDown();
                        }));
        System.out.println("Dashboard at " + server.url() + ", process "
                + ProcessHandle.current().pid());
        stopped.await();
    }
}
