package dev.dormouse.benchmarks.system.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.StartWorkflowOptions;
import dev.dbos.transact.workflow.Workflow;
import dev.dormouse.benchmarks.database.BenchDatabase;
import dev.dormouse.benchmarks.system.MessageEngine;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** DBOS messages to a workflow. Since DBOS has no updates, the answer to a question is a DBOS event. */
final class DbosMail implements MessageEngine {
    private static final String TELL = "tell";
    private static final String ASK = "ask";
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final DbosApp app;
    private final Talking talking;
    private final Map<String, Integer> asked = new ConcurrentHashMap<>();

    private DbosMail(DbosApp app) {
        this.app = app;
        this.talking = app.dbos().registerProxy(Talking.class, new Implementation(app.dbos()));
        app.dbos().launch();
    }

    static DbosMail open(BenchDatabase database) {
        return new DbosMail(new DbosApp(database));
    }

    @Override
    public void begin(String id) {
        begin(id, TELL);
        begin(id, ASK);
    }

    /** Starts one workflow for each kind of message, because a workflow waits for one kind at a time. */
    private void begin(String id, String topic) {
        app.dbos().startWorkflow(() -> talking.listen(topic), new StartWorkflowOptions(id + topic));
    }

    @Override
    public void tell(String id) {
        app.dbos().send(id + TELL, 1, TELL);
    }

    @Override
    public void ask(String id) {
        int number = asked.merge(id, 1, Integer::sum);
        app.dbos().send(id + ASK, number, ASK);
        Optional<Integer> answer = app.dbos().getEvent(id + ASK, String.valueOf(number), PATIENCE);
        if (answer.isEmpty()) {
            throw new IllegalStateException("Expected an answer of " + id + ", but there is none.");
        }
    }

    @Override
    public void close() {
        app.close();
    }

    /** The interface of the DBOS proxy. */
    interface Talking {
        void listen(String topic);
    }

    /** The workflow, which ends after a while without messages. */
    static final class Implementation implements Talking {
        private static final Duration SILENCE = Duration.ofSeconds(3);

        private final DBOS dbos;

        Implementation(DBOS dbos) {
            this.dbos = dbos;
        }

        @Override
        @Workflow(name = "listen")
        public void listen(String topic) {
            for (var mail = dbos.<Integer>recv(topic, SILENCE);
                    mail.isPresent();
                    mail = dbos.<Integer>recv(topic, SILENCE)) {
                if (topic.equals(ASK)) {
                    dbos.setEvent(String.valueOf(mail.get()), mail.get() + 1);
                }
            }
        }
    }
}
