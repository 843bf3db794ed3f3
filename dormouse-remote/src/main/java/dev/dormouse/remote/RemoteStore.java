package dev.dormouse.remote;

import static dev.dormouse.remote.wire.ValueWire.all;
import static dev.dormouse.remote.wire.ValueWire.readInstant;
import static dev.dormouse.remote.wire.ValueWire.text;
import static dev.dormouse.remote.wire.ValueWire.texts;

import com.google.protobuf.UnsafeByteOperations;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreProfile;
import dev.dormouse.remote.v1.RunProto;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.v1.StoreProto.AnswerRequest;
import dev.dormouse.remote.v1.StoreProto.AnswerResponse;
import dev.dormouse.remote.v1.StoreProto.AppendRequest;
import dev.dormouse.remote.v1.StoreProto.AskRequest;
import dev.dormouse.remote.v1.StoreProto.ClaimQueuedRequest;
import dev.dormouse.remote.v1.StoreProto.ClaimRequest;
import dev.dormouse.remote.v1.StoreProto.CommitRequest;
import dev.dormouse.remote.v1.StoreProto.CurrentRequest;
import dev.dormouse.remote.v1.StoreProto.CurrentResponse;
import dev.dormouse.remote.v1.StoreProto.DefineRequest;
import dev.dormouse.remote.v1.StoreProto.DefinitionRequest;
import dev.dormouse.remote.v1.StoreProto.DefinitionResponse;
import dev.dormouse.remote.v1.StoreProto.DefinitionsRequest;
import dev.dormouse.remote.v1.StoreProto.DeliverRequest;
import dev.dormouse.remote.v1.StoreProto.EraseNotesRequest;
import dev.dormouse.remote.v1.StoreProto.ForgetQuestionsRequest;
import dev.dormouse.remote.v1.StoreProto.ForwardedRequest;
import dev.dormouse.remote.v1.StoreProto.HelloResponse;
import dev.dormouse.remote.v1.StoreProto.HistoriesRequest;
import dev.dormouse.remote.v1.StoreProto.HistoryLengthRequest;
import dev.dormouse.remote.v1.StoreProto.HistoryRequest;
import dev.dormouse.remote.v1.StoreProto.HistoryResponse;
import dev.dormouse.remote.v1.StoreProto.LeaveRequest;
import dev.dormouse.remote.v1.StoreProto.ListRunsRequest;
import dev.dormouse.remote.v1.StoreProto.MailRequest;
import dev.dormouse.remote.v1.StoreProto.NodesRequest;
import dev.dormouse.remote.v1.StoreProto.NoteRequest;
import dev.dormouse.remote.v1.StoreProto.NotesRequest;
import dev.dormouse.remote.v1.StoreProto.NowRequest;
import dev.dormouse.remote.v1.StoreProto.OutboxRequest;
import dev.dormouse.remote.v1.StoreProto.OutgoingRequest;
import dev.dormouse.remote.v1.StoreProto.PurgeRequest;
import dev.dormouse.remote.v1.StoreProto.QuestionsRequest;
import dev.dormouse.remote.v1.StoreProto.RecallRequest;
import dev.dormouse.remote.v1.StoreProto.RememberRequest;
import dev.dormouse.remote.v1.StoreProto.RenewRequest;
import dev.dormouse.remote.v1.StoreProto.ReplyRequest;
import dev.dormouse.remote.v1.StoreProto.RunsRequest;
import dev.dormouse.remote.v1.StoreProto.ShortenLeasesRequest;
import dev.dormouse.remote.v1.StoreProto.StartRequest;
import dev.dormouse.remote.v1.StoreProto.SubscribeRequest;
import dev.dormouse.remote.v1.StoreProto.SubscriptionsRequest;
import dev.dormouse.remote.v1.StoreProto.SweepRequest;
import dev.dormouse.remote.v1.StoreProto.UnsubscribeRequest;
import dev.dormouse.remote.v1.StoreProto.WakeStuckRequest;
import dev.dormouse.remote.wire.ClaimWire;
import dev.dormouse.remote.wire.EventWire;
import dev.dormouse.remote.wire.PageWire;
import dev.dormouse.remote.wire.RunWire;
import dev.dormouse.remote.wire.ServerAddress;
import dev.dormouse.remote.wire.ValueWire;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreTransaction;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.event.Note;
import dev.dormouse.store.event.PastEvent;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.OutboxPage;
import dev.dormouse.store.run.Purged;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.Renewed;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import dev.dormouse.store.timer.SqlTimerStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store behind a Dormouse server. Each operation is one call; nothing is cached or decided here.
 *
 * <p>A lost answer to a batch is {@code Unknown} for each of its entries. Other calls throw STORE_UNAVAILABLE, as those of
 * a database do; calls that change nothing are first repeated on the other servers. Operations on the caller's own
 * connection, and transactions of users, are not possible: they throw NOT_SUPPORTED_BY_STORE. Thread-safe.
 */
final class RemoteStore implements Store {
    private final ServerCalls calls;
    private final int shards;
    private final NoticeSender notices;
    private final RemotePages pages;
    private final RemoteSqlTimers sqlTimers;

    private RemoteStore(ServerCalls calls, int shards) {
        this.calls = calls;
        this.shards = shards;
        this.notices = new NoticeSender(calls::present);
        this.pages = new RemotePages(calls);
        this.sqlTimers = new RemoteSqlTimers(calls);
    }

    /**
     * Opens a store whose servers have these addresses. One of them must answer.
     *
     * @throws DormouseException STORE_UNAVAILABLE, SERVER_INCOMPATIBLE or the error of the store behind the server
     */
    static RemoteStore open(List<ServerAddress> addresses) {
        ServerCalls calls = new ServerCalls(addresses);
        try {
            return new RemoteStore(calls, calls.hello().getShards());
        } catch (RuntimeException e) {
            calls.close();
            throw e;
        }
    }

    @Override
    public int shards() {
        return shards;
    }

    @Override
    public Instant now(int shard) {
        NowRequest request = NowRequest.newBuilder().setShard(shard).build();
        return readInstant(calls.read(StoreGrpc.getNowMethod(), request).getNow());
    }

    /** Returns false: other nodes may use the same server. */
    @Override
    public boolean isExclusive() {
        return false;
    }

    /** Returns the profile of the store behind the server, without a file, because a file is on the server's machine. */
    @Override
    public StoreProfile about() {
        HelloResponse hello = calls.hello();
        return new StoreProfile(hello.getStoreKind(), hello.getStoreName(), hello.getStoreVersion(), Optional.empty());
    }

    @Override
    public List<StartOutcome> start(int shard, List<Start> batch) {
        return new BatchCall<Start, RunProto.Start, StartOutcome>(
                        RunWire::write,
                        entries -> all(
                                calls.call(
                                                StoreGrpc.getStartMethod(),
                                                StartRequest.newBuilder()
                                                        .setShard(shard)
                                                        .addAllEntries(entries)
                                                        .build())
                                        .getOutcomesList(),
                                RunWire::read),
                        StartOutcome.Rejected::new,
                        StartOutcome.Unknown::new)
                .run(batch);
    }

    @Override
    public List<CommitOutcome> commit(int shard, List<Commit> batch) {
        return new BatchCall<Commit, RunProto.Commit, CommitOutcome>(
                        RunWire::write,
                        entries -> all(
                                calls.call(
                                                StoreGrpc.getCommitMethod(),
                                                CommitRequest.newBuilder()
                                                        .setShard(shard)
                                                        .addAllEntries(entries)
                                                        .build())
                                        .getOutcomesList(),
                                RunWire::read),
                        CommitOutcome.Rejected::new,
                        CommitOutcome.Unknown::new)
                .run(batch);
    }

    @Override
    public List<CommitOutcome> append(int shard, List<HistoryAppend> batch) {
        return new BatchCall<HistoryAppend, RunProto.HistoryAppend, CommitOutcome>(
                        RunWire::write,
                        entries -> all(
                                calls.call(
                                                StoreGrpc.getAppendMethod(),
                                                AppendRequest.newBuilder()
                                                        .setShard(shard)
                                                        .addAllEntries(entries)
                                                        .build())
                                        .getOutcomesList(),
                                RunWire::read),
                        CommitOutcome.Rejected::new,
                        CommitOutcome.Unknown::new)
                .run(batch);
    }

    @Override
    public List<DeliverOutcome> deliver(int shard, List<Delivery> batch, Duration leasePeriod) {
        return new BatchCall<Delivery, RunProto.Delivery, DeliverOutcome>(
                        RunWire::write,
                        entries -> all(
                                calls.call(
                                                StoreGrpc.getDeliverMethod(),
                                                DeliverRequest.newBuilder()
                                                        .setShard(shard)
                                                        .addAllEntries(entries)
                                                        .setLeasePeriod(ValueWire.write(leasePeriod))
                                                        .build())
                                        .getOutcomesList(),
                                RunWire::read),
                        DeliverOutcome.Rejected::new,
                        DeliverOutcome.Unknown::new)
                .run(batch);
    }

    @Override
    public StartOutcome startWithin(Connection connection, int shard, Start start) {
        throw notWithin();
    }

    @Override
    public Optional<RunRow> currentWithin(Connection connection, int shard, String workflowId) {
        throw notWithin();
    }

    @Override
    public CommitOutcome commitWithin(Connection connection, int shard, String lane, Commit commit) {
        throw notWithin();
    }

    private static DormouseException notWithin() {
        return new DormouseException(
                ErrorCode.NOT_SUPPORTED_BY_STORE,
                "Expected a Dormouse on the database of the connection, but this one is connected to a Dormouse server. "
                        + "Call it outside of the transaction, with a workflow id that makes a repetition harmless, or "
                        + "open a Dormouse with the URL of the database.");
    }

    @Override
    public StoreTransaction begin(int shard) {
        throw new DormouseException(
                ErrorCode.NOT_SUPPORTED_BY_STORE,
                "Expected a node on a database, but this one is connected to a Dormouse server and has no connection to "
                        + "the server's database. Write in a step to a database of your own, or run this workflow on a "
                        + "node with the URL of the database.");
    }

    @Override
    public void backup(Path target) {
        throw new DormouseException(
                ErrorCode.NOT_SUPPORTED_BY_STORE,
                "Expected a store that can copy itself to a file, but this one is behind a Dormouse server. "
                        + "Make the backup where the server runs.");
    }

    @Override
    public Claimed claim(int shard, Claim claim) {
        ClaimRequest request = ClaimRequest.newBuilder()
                .setShard(shard)
                .setClaim(ClaimWire.write(claim))
                .build();
        return ClaimWire.read(calls.call(StoreGrpc.getClaimMethod(), request).getClaimed());
    }

    @Override
    public QueueClaimed claimQueued(int shard, QueueClaim claim) {
        ClaimQueuedRequest request = ClaimQueuedRequest.newBuilder()
                .setShard(shard)
                .setClaim(ClaimWire.write(claim))
                .build();
        return ClaimWire.read(
                calls.call(StoreGrpc.getClaimQueuedMethod(), request).getClaimed());
    }

    @Override
    public Renewed renew(int shard, List<Renewal> renewals, Duration leasePeriod) {
        RenewRequest request = RenewRequest.newBuilder()
                .setShard(shard)
                .addAllRenewals(all(renewals, ClaimWire::write))
                .setLeasePeriod(ValueWire.write(leasePeriod))
                .build();
        return ClaimWire.read(calls.read(StoreGrpc.getRenewMethod(), request).getRenewed());
    }

    @Override
    public Swept sweep(int shard, Sweep sweep) {
        SweepRequest request = SweepRequest.newBuilder()
                .setShard(shard)
                .setSweep(ClaimWire.write(sweep))
                .build();
        return ClaimWire.read(calls.read(StoreGrpc.getSweepMethod(), request).getSwept());
    }

    @Override
    public void leave(int shard, String nodeId) {
        calls.call(
                StoreGrpc.getLeaveMethod(),
                LeaveRequest.newBuilder()
                        .setShard(shard)
                        .setNodeId(text(nodeId))
                        .build());
    }

    @Override
    public List<NodeRow> nodes(int shard) {
        NodesRequest request = NodesRequest.newBuilder().setShard(shard).build();
        return all(calls.read(StoreGrpc.getNodesMethod(), request).getNodesList(), ClaimWire::read);
    }

    @Override
    public int wakeStuck(int shard, List<String> lanes, String build) {
        WakeStuckRequest request = WakeStuckRequest.newBuilder()
                .setShard(shard)
                .addAllLanes(texts(lanes))
                .setBuild(text(build))
                .build();
        return calls.call(StoreGrpc.getWakeStuckMethod(), request).getCount();
    }

    @Override
    public int shortenLeases(int shard, List<String> lanes, Duration longest, Duration leasePeriod) {
        ShortenLeasesRequest request = ShortenLeasesRequest.newBuilder()
                .setShard(shard)
                .addAllLanes(texts(lanes))
                .setLongest(ValueWire.write(longest))
                .setLeasePeriod(ValueWire.write(leasePeriod))
                .build();
        return calls.call(StoreGrpc.getShortenLeasesMethod(), request).getCount();
    }

    @Override
    public Optional<RunRow> run(int shard, UUID runId) {
        return runs(shard, List.of(runId)).stream().findFirst();
    }

    @Override
    public Optional<RunRow> current(int shard, String workflowId) {
        CurrentRequest request = CurrentRequest.newBuilder()
                .setShard(shard)
                .setWorkflowId(text(workflowId))
                .build();
        CurrentResponse answer = calls.read(StoreGrpc.getCurrentMethod(), request);
        return answer.hasRun() ? Optional.of(RunWire.read(answer.getRun())) : Optional.empty();
    }

    @Override
    public List<RunRow> runs(int shard, List<UUID> runIds) {
        RunsRequest request = RunsRequest.newBuilder()
                .setShard(shard)
                .addAllRunIds(ValueWire.writeIds(runIds))
                .build();
        return all(calls.read(StoreGrpc.getRunsMethod(), request).getRunsList(), RunWire::read);
    }

    @Override
    public Optional<HistoryRow> history(int shard, UUID runId, int seq) {
        HistoryRequest request = HistoryRequest.newBuilder()
                .setShard(shard)
                .setRunId(ValueWire.write(runId))
                .setSeq(seq)
                .build();
        HistoryResponse answer = calls.read(StoreGrpc.getHistoryMethod(), request);
        return answer.hasRow() ? Optional.of(RunWire.read(answer.getRow())) : Optional.empty();
    }

    @Override
    public int historyLength(int shard, UUID runId) {
        HistoryLengthRequest request = HistoryLengthRequest.newBuilder()
                .setShard(shard)
                .setRunId(ValueWire.write(runId))
                .build();
        return calls.read(StoreGrpc.getHistoryLengthMethod(), request).getLength();
    }

    @Override
    public List<HistoryRow> histories(int shard, List<UUID> runIds) {
        HistoriesRequest request = HistoriesRequest.newBuilder()
                .setShard(shard)
                .addAllRunIds(ValueWire.writeIds(runIds))
                .build();
        return all(calls.read(StoreGrpc.getHistoriesMethod(), request).getRowsList(), RunWire::read);
    }

    @Override
    public List<InboxMessage> mail(int shard, String workflowId, long after, int limit) {
        MailRequest request = MailRequest.newBuilder()
                .setShard(shard)
                .setWorkflowId(text(workflowId))
                .setAfter(after)
                .setLimit(limit)
                .build();
        return all(calls.read(StoreGrpc.getMailMethod(), request).getItemsList(), RunWire::read);
    }

    @Override
    public RunPage list(int shard, RunFilter filter, Optional<String> page, int limit) {
        ListRunsRequest.Builder request = ListRunsRequest.newBuilder()
                .setShard(shard)
                .setFilter(PageWire.write(filter))
                .setLimit(limit);
        page.ifPresent(token -> request.setPage(text(token)));
        return PageWire.read(
                calls.read(StoreGrpc.getListRunsMethod(), request.build()).getPage());
    }

    @Override
    public PageStore pages() {
        return pages;
    }

    @Override
    public SqlTimerStore sqlTimers() {
        return sqlTimers;
    }

    @Override
    public OutboxPage outbox(int shard, Optional<String> page, int limit) {
        OutboxRequest.Builder request =
                OutboxRequest.newBuilder().setShard(shard).setLimit(limit);
        page.ifPresent(token -> request.setPage(text(token)));
        return RunWire.read(
                calls.read(StoreGrpc.getOutboxMethod(), request.build()).getPage());
    }

    @Override
    public OutboxPage outgoing(int shard, UUID id) {
        OutgoingRequest request = OutgoingRequest.newBuilder()
                .setShard(shard)
                .setId(ValueWire.write(id))
                .build();
        return RunWire.read(calls.read(StoreGrpc.getOutgoingMethod(), request).getPage());
    }

    @Override
    public void forwarded(int shard, String epoch, List<UUID> ids) {
        calls.call(
                StoreGrpc.getForwardedMethod(),
                ForwardedRequest.newBuilder()
                        .setShard(shard)
                        .setEpoch(text(epoch))
                        .addAllIds(ValueWire.writeIds(ids))
                        .build());
    }

    @Override
    public Purged purge(int shard, Instant closedBefore, Optional<UUID> after, int limit) {
        PurgeRequest.Builder request = PurgeRequest.newBuilder()
                .setShard(shard)
                .setClosedBefore(ValueWire.write(closedBefore))
                .setLimit(limit);
        after.ifPresent(id -> request.setAfter(ValueWire.write(id)));
        return RunWire.read(
                calls.call(StoreGrpc.getPurgeMethod(), request.build()).getPurged());
    }

    @Override
    public void note(int shard, List<Note> batch) {
        calls.call(
                StoreGrpc.getNoteMethod(),
                NoteRequest.newBuilder()
                        .setShard(shard)
                        .addAllNotes(all(batch, EventWire::write))
                        .build());
    }

    @Override
    public List<Note> notes(int shard, UUID runId) {
        NotesRequest request = NotesRequest.newBuilder()
                .setShard(shard)
                .setRunId(ValueWire.write(runId))
                .build();
        return all(calls.read(StoreGrpc.getNotesMethod(), request).getNotesList(), EventWire::read);
    }

    @Override
    public void erase(int shard, List<Note> batch) {
        calls.call(
                StoreGrpc.getEraseNotesMethod(),
                EraseNotesRequest.newBuilder()
                        .setShard(shard)
                        .addAllNotes(all(batch, EventWire::write))
                        .build());
    }

    @Override
    public void ask(int shard, Question question) {
        calls.call(
                StoreGrpc.getAskMethod(),
                AskRequest.newBuilder()
                        .setShard(shard)
                        .setQuestion(EventWire.write(question))
                        .build());
    }

    @Override
    public List<Question> questions(int shard, List<String> lanes, int limit) {
        QuestionsRequest request = QuestionsRequest.newBuilder()
                .setShard(shard)
                .addAllLanes(texts(lanes))
                .setLimit(limit)
                .build();
        return all(calls.read(StoreGrpc.getQuestionsMethod(), request).getQuestionsList(), EventWire::read);
    }

    @Override
    public void reply(int shard, UUID id, byte[] answer) {
        calls.call(
                StoreGrpc.getReplyMethod(),
                ReplyRequest.newBuilder()
                        .setShard(shard)
                        .setId(ValueWire.write(id))
                        .setAnswer(UnsafeByteOperations.unsafeWrap(answer))
                        .build());
    }

    @Override
    public Optional<byte[]> reply(int shard, UUID id) {
        AnswerRequest request = AnswerRequest.newBuilder()
                .setShard(shard)
                .setId(ValueWire.write(id))
                .build();
        AnswerResponse answer = calls.read(StoreGrpc.getAnswerMethod(), request);
        return answer.hasAnswer() ? Optional.of(answer.getAnswer().toByteArray()) : Optional.empty();
    }

    @Override
    public int forget(int shard, List<UUID> ids, Duration age) {
        ForgetQuestionsRequest request = ForgetQuestionsRequest.newBuilder()
                .setShard(shard)
                .addAllIds(ValueWire.writeIds(ids))
                .setAge(ValueWire.write(age))
                .build();
        return calls.call(StoreGrpc.getForgetQuestionsMethod(), request).getCount();
    }

    @Override
    public void subscribe(int shard, List<Subscription> batch) {
        calls.call(
                StoreGrpc.getSubscribeMethod(),
                SubscribeRequest.newBuilder()
                        .setShard(shard)
                        .addAllSubscriptions(all(batch, EventWire::write))
                        .build());
    }

    @Override
    public void unsubscribe(int shard, List<Subscription> batch) {
        calls.call(
                StoreGrpc.getUnsubscribeMethod(),
                UnsubscribeRequest.newBuilder()
                        .setShard(shard)
                        .addAllSubscriptions(all(batch, EventWire::write))
                        .build());
    }

    @Override
    public List<Subscription> subscriptions(
            int shard, String event, Collection<String> keys, @Nullable Subscription after, int limit) {
        SubscriptionsRequest.Builder request = SubscriptionsRequest.newBuilder()
                .setShard(shard)
                .setEvent(text(event))
                .addAllKeys(texts(keys))
                .setLimit(limit);
        if (after != null) {
            request.setAfter(EventWire.write(after));
        }
        return all(
                calls.read(StoreGrpc.getSubscriptionsMethod(), request.build()).getSubscriptionsList(),
                EventWire::read);
    }

    @Override
    public void remember(int shard, List<PastEvent> batch, Duration keep) {
        calls.call(
                StoreGrpc.getRememberMethod(),
                RememberRequest.newBuilder()
                        .setShard(shard)
                        .addAllEvents(all(batch, EventWire::write))
                        .setKeep(ValueWire.write(keep))
                        .build());
    }

    @Override
    public List<PastEvent> recall(int shard, String event, Duration age, int limit) {
        RecallRequest request = RecallRequest.newBuilder()
                .setShard(shard)
                .setEvent(text(event))
                .setAge(ValueWire.write(age))
                .setLimit(limit)
                .build();
        return all(calls.read(StoreGrpc.getRecallMethod(), request).getEventsList(), EventWire::read);
    }

    @Override
    public boolean define(int shard, String name, int version, byte[] body) {
        DefineRequest request = DefineRequest.newBuilder()
                .setShard(shard)
                .setName(text(name))
                .setVersion(version)
                .setBody(UnsafeByteOperations.unsafeWrap(body))
                .build();
        return calls.call(StoreGrpc.getDefineMethod(), request).getDefined();
    }

    @Override
    public Optional<Definition> definition(int shard, String name, int version) {
        DefinitionRequest request = DefinitionRequest.newBuilder()
                .setShard(shard)
                .setName(text(name))
                .setVersion(version)
                .build();
        DefinitionResponse answer = calls.read(StoreGrpc.getDefinitionMethod(), request);
        return answer.hasDefinition() ? Optional.of(EventWire.read(answer.getDefinition())) : Optional.empty();
    }

    @Override
    public List<Definition> definitions(int shard, Instant since, @Nullable Definition after, int limit) {
        DefinitionsRequest.Builder request = DefinitionsRequest.newBuilder()
                .setShard(shard)
                .setSince(ValueWire.write(since))
                .setLimit(limit);
        if (after != null) {
            request.setAfter(EventWire.write(after));
        }
        return all(calls.read(StoreGrpc.getDefinitionsMethod(), request.build()).getDefinitionsList(), EventWire::read);
    }

    @Override
    public void notify(List<Notice> batch) {
        notices.add(batch);
    }

    @Override
    public AutoCloseable listen(Consumer<Notice> listener, Runnable gap) {
        return new NoticeListener(calls, listener, gap).start();
    }

    @Override
    public void close() {
        calls.close();
    }
}
