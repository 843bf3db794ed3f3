package dev.dormouse.remote.serve;

import static dev.dormouse.remote.wire.ValueWire.all;
import static dev.dormouse.remote.wire.ValueWire.readDuration;
import static dev.dormouse.remote.wire.ValueWire.readId;
import static dev.dormouse.remote.wire.ValueWire.readIds;
import static dev.dormouse.remote.wire.ValueWire.readInstant;
import static dev.dormouse.remote.wire.ValueWire.readInstants;

import com.google.protobuf.UnsafeByteOperations;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreProfile;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.v1.StoreProto.AnswerRequest;
import dev.dormouse.remote.v1.StoreProto.AnswerResponse;
import dev.dormouse.remote.v1.StoreProto.AppendRequest;
import dev.dormouse.remote.v1.StoreProto.AppendResponse;
import dev.dormouse.remote.v1.StoreProto.AskRequest;
import dev.dormouse.remote.v1.StoreProto.AskResponse;
import dev.dormouse.remote.v1.StoreProto.CancelSqlTimerRequest;
import dev.dormouse.remote.v1.StoreProto.CancelSqlTimerResponse;
import dev.dormouse.remote.v1.StoreProto.CensusRequest;
import dev.dormouse.remote.v1.StoreProto.CensusResponse;
import dev.dormouse.remote.v1.StoreProto.ClaimQueuedRequest;
import dev.dormouse.remote.v1.StoreProto.ClaimQueuedResponse;
import dev.dormouse.remote.v1.StoreProto.ClaimRequest;
import dev.dormouse.remote.v1.StoreProto.ClaimResponse;
import dev.dormouse.remote.v1.StoreProto.CommitRequest;
import dev.dormouse.remote.v1.StoreProto.CommitResponse;
import dev.dormouse.remote.v1.StoreProto.CountDueRequest;
import dev.dormouse.remote.v1.StoreProto.CountDueResponse;
import dev.dormouse.remote.v1.StoreProto.CountDueSqlTimersRequest;
import dev.dormouse.remote.v1.StoreProto.CountDueSqlTimersResponse;
import dev.dormouse.remote.v1.StoreProto.CurrentRequest;
import dev.dormouse.remote.v1.StoreProto.CurrentResponse;
import dev.dormouse.remote.v1.StoreProto.DefineRequest;
import dev.dormouse.remote.v1.StoreProto.DefineResponse;
import dev.dormouse.remote.v1.StoreProto.DefinitionRequest;
import dev.dormouse.remote.v1.StoreProto.DefinitionResponse;
import dev.dormouse.remote.v1.StoreProto.DefinitionsRequest;
import dev.dormouse.remote.v1.StoreProto.DefinitionsResponse;
import dev.dormouse.remote.v1.StoreProto.DeliverRequest;
import dev.dormouse.remote.v1.StoreProto.DeliverResponse;
import dev.dormouse.remote.v1.StoreProto.DueRunsRequest;
import dev.dormouse.remote.v1.StoreProto.DueRunsResponse;
import dev.dormouse.remote.v1.StoreProto.DueSqlTimersRequest;
import dev.dormouse.remote.v1.StoreProto.DueSqlTimersResponse;
import dev.dormouse.remote.v1.StoreProto.EraseNotesRequest;
import dev.dormouse.remote.v1.StoreProto.EraseNotesResponse;
import dev.dormouse.remote.v1.StoreProto.FailedSqlTimersRequest;
import dev.dormouse.remote.v1.StoreProto.FailedSqlTimersResponse;
import dev.dormouse.remote.v1.StoreProto.ForgetQuestionsRequest;
import dev.dormouse.remote.v1.StoreProto.ForgetQuestionsResponse;
import dev.dormouse.remote.v1.StoreProto.ForgetTalliesRequest;
import dev.dormouse.remote.v1.StoreProto.ForgetTalliesResponse;
import dev.dormouse.remote.v1.StoreProto.ForwardedRequest;
import dev.dormouse.remote.v1.StoreProto.ForwardedResponse;
import dev.dormouse.remote.v1.StoreProto.GetSqlTimerRequest;
import dev.dormouse.remote.v1.StoreProto.GetSqlTimerResponse;
import dev.dormouse.remote.v1.StoreProto.HelloRequest;
import dev.dormouse.remote.v1.StoreProto.HelloResponse;
import dev.dormouse.remote.v1.StoreProto.HistoriesRequest;
import dev.dormouse.remote.v1.StoreProto.HistoriesResponse;
import dev.dormouse.remote.v1.StoreProto.HistoryLengthRequest;
import dev.dormouse.remote.v1.StoreProto.HistoryLengthResponse;
import dev.dormouse.remote.v1.StoreProto.HistoryRequest;
import dev.dormouse.remote.v1.StoreProto.HistoryResponse;
import dev.dormouse.remote.v1.StoreProto.LastDueRequest;
import dev.dormouse.remote.v1.StoreProto.LastDueResponse;
import dev.dormouse.remote.v1.StoreProto.LastDueSqlTimerRequest;
import dev.dormouse.remote.v1.StoreProto.LastDueSqlTimerResponse;
import dev.dormouse.remote.v1.StoreProto.LeaveRequest;
import dev.dormouse.remote.v1.StoreProto.LeaveResponse;
import dev.dormouse.remote.v1.StoreProto.ListRunsRequest;
import dev.dormouse.remote.v1.StoreProto.ListRunsResponse;
import dev.dormouse.remote.v1.StoreProto.ListenRequest;
import dev.dormouse.remote.v1.StoreProto.ListenResponse;
import dev.dormouse.remote.v1.StoreProto.MailRequest;
import dev.dormouse.remote.v1.StoreProto.MailResponse;
import dev.dormouse.remote.v1.StoreProto.MoveSqlTimerRequest;
import dev.dormouse.remote.v1.StoreProto.MoveSqlTimerResponse;
import dev.dormouse.remote.v1.StoreProto.NodesRequest;
import dev.dormouse.remote.v1.StoreProto.NodesResponse;
import dev.dormouse.remote.v1.StoreProto.NoteRequest;
import dev.dormouse.remote.v1.StoreProto.NoteResponse;
import dev.dormouse.remote.v1.StoreProto.NotesRequest;
import dev.dormouse.remote.v1.StoreProto.NotesResponse;
import dev.dormouse.remote.v1.StoreProto.NotifyRequest;
import dev.dormouse.remote.v1.StoreProto.NotifyResponse;
import dev.dormouse.remote.v1.StoreProto.NowRequest;
import dev.dormouse.remote.v1.StoreProto.NowResponse;
import dev.dormouse.remote.v1.StoreProto.OutboxRequest;
import dev.dormouse.remote.v1.StoreProto.OutboxResponse;
import dev.dormouse.remote.v1.StoreProto.OutgoingRequest;
import dev.dormouse.remote.v1.StoreProto.OutgoingResponse;
import dev.dormouse.remote.v1.StoreProto.OverdueLanesRequest;
import dev.dormouse.remote.v1.StoreProto.OverdueLanesResponse;
import dev.dormouse.remote.v1.StoreProto.PurgeRequest;
import dev.dormouse.remote.v1.StoreProto.PurgeResponse;
import dev.dormouse.remote.v1.StoreProto.QuestionsRequest;
import dev.dormouse.remote.v1.StoreProto.QuestionsResponse;
import dev.dormouse.remote.v1.StoreProto.QueueDepthsRequest;
import dev.dormouse.remote.v1.StoreProto.QueueDepthsResponse;
import dev.dormouse.remote.v1.StoreProto.RecallRequest;
import dev.dormouse.remote.v1.StoreProto.RecallResponse;
import dev.dormouse.remote.v1.StoreProto.RememberRequest;
import dev.dormouse.remote.v1.StoreProto.RememberResponse;
import dev.dormouse.remote.v1.StoreProto.RenewRequest;
import dev.dormouse.remote.v1.StoreProto.RenewResponse;
import dev.dormouse.remote.v1.StoreProto.ReplyRequest;
import dev.dormouse.remote.v1.StoreProto.ReplyResponse;
import dev.dormouse.remote.v1.StoreProto.RunsRequest;
import dev.dormouse.remote.v1.StoreProto.RunsResponse;
import dev.dormouse.remote.v1.StoreProto.ShortenLeasesRequest;
import dev.dormouse.remote.v1.StoreProto.ShortenLeasesResponse;
import dev.dormouse.remote.v1.StoreProto.StartRequest;
import dev.dormouse.remote.v1.StoreProto.StartResponse;
import dev.dormouse.remote.v1.StoreProto.SubscribeRequest;
import dev.dormouse.remote.v1.StoreProto.SubscribeResponse;
import dev.dormouse.remote.v1.StoreProto.SubscriptionsRequest;
import dev.dormouse.remote.v1.StoreProto.SubscriptionsResponse;
import dev.dormouse.remote.v1.StoreProto.SweepRequest;
import dev.dormouse.remote.v1.StoreProto.SweepResponse;
import dev.dormouse.remote.v1.StoreProto.TalliesRequest;
import dev.dormouse.remote.v1.StoreProto.TalliesResponse;
import dev.dormouse.remote.v1.StoreProto.TallyRequest;
import dev.dormouse.remote.v1.StoreProto.TallyResponse;
import dev.dormouse.remote.v1.StoreProto.UnsubscribeRequest;
import dev.dormouse.remote.v1.StoreProto.UnsubscribeResponse;
import dev.dormouse.remote.v1.StoreProto.WakeStuckRequest;
import dev.dormouse.remote.v1.StoreProto.WakeStuckResponse;
import dev.dormouse.remote.wire.ClaimWire;
import dev.dormouse.remote.wire.ErrorWire;
import dev.dormouse.remote.wire.EventWire;
import dev.dormouse.remote.wire.PageWire;
import dev.dormouse.remote.wire.Protocol;
import dev.dormouse.remote.wire.RunWire;
import dev.dormouse.remote.wire.ValueWire;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Definition;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.Subscription;
import dev.dormouse.store.page.DuePlace;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operations of a store as gRPC calls. Batches go through the {@link StoreBatches}; all other calls go to the store on
 * the thread of the call. An error of the store is the status of the call, see {@link ErrorWire}. Thread-safe.
 */
final class StoreService extends StoreGrpc.StoreImplBase implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreService.class);

    private final Store store;
    private final StoreBatches batches;
    private final NoticeHub hub;
    private volatile @Nullable StoreProfile profile;

    /**
     * Creates the service of a store.
     *
     * @param writers runs the writers of batches, of which there are six for each shard
     */
    StoreService(Store store, Executor writers) {
        this.store = store;
        this.batches = new StoreBatches(store, writers);
        this.hub = new NoticeHub(store);
    }

    /** Runs the work of a call and answers it, unless the caller has gone while the call waited for a thread. */
    private static <A> void answer(StreamObserver<A> caller, Supplier<A> work) {
        if (!open(caller).isCancelled()) {
            send(caller, work);
        }
    }

    /** Returns a call whose answer is dropped if the caller has gone. */
    private static <A> ServerCallStreamObserver<A> open(StreamObserver<A> caller) {
        ServerCallStreamObserver<A> call = (ServerCallStreamObserver<A>) caller;
        call.setOnCancelHandler(() -> {});
        return call;
    }

    private static <A> void send(StreamObserver<A> caller, Supplier<A> work) {
        A answer;
        try {
            answer = work.get();
        } catch (RuntimeException | StackOverflowError e) {
            fail(caller, e);
            return;
        }
        caller.onNext(answer);
        caller.onCompleted();
    }

    private static void fail(StreamObserver<?> caller, Throwable problem) {
        LOG.debug("A call has failed.", problem);
        caller.onError(ErrorWire.write(problem));
    }

    /** Sends the entries of a call with the next batches, and answers the call when all outcomes are there. */
    private static <E, O, A> void merge(
            StreamObserver<A> caller,
            Supplier<BatchMerger<E, O>> merger,
            Supplier<List<E>> entries,
            Answer<O, A> answer) {
        ServerCallStreamObserver<A> call = open(caller);
        try {
            merger.get().submit(entries.get(), call::isCancelled, outcomes -> send(caller, () -> answer.of(outcomes)));
        } catch (RuntimeException e) {
            fail(caller, e);
        }
    }

    /** Converts the outcomes of a batch. */
    @FunctionalInterface
    private interface Answer<O, A> {
        A of(List<O> outcomes);
    }

    @Override
    public void hello(HelloRequest request, StreamObserver<HelloResponse> caller) {
        answer(caller, () -> {
            if (request.getProtocol() != Protocol.VERSION) {
                throw new StoreException(
                        ErrorCode.SERVER_INCOMPATIBLE,
                        "Expected a client that speaks protocol version " + Protocol.VERSION + ", but "
                                + request.getClient() + " speaks version " + request.getProtocol()
                                + ". Use the same version of Dormouse on both sides; update servers first.",
                        null);
            }
            StoreProfile about = profile();
            return HelloResponse.newBuilder()
                    .setProtocol(Protocol.VERSION)
                    .setShards(store.shards())
                    .setStoreKind(about.kind())
                    .setStoreName(about.name())
                    .setStoreVersion(about.version())
                    .setNow(ValueWire.write(Instant.now()))
                    .build();
        });
    }

    /** Returns the profile of the store, which is read once: a Hello must be quick, even if the database is slow. */
    private StoreProfile profile() {
        StoreProfile known = profile;
        if (known == null) {
            known = store.about();
            profile = known;
        }
        return known;
    }

    @Override
    public void start(StartRequest request, StreamObserver<StartResponse> caller) {
        merge(
                caller,
                () -> batches.of(request.getShard()).starts(),
                () -> all(request.getEntriesList(), RunWire::read),
                outcomes -> StartResponse.newBuilder()
                        .addAllOutcomes(all(outcomes, RunWire::write))
                        .build());
    }

    @Override
    public void commit(CommitRequest request, StreamObserver<CommitResponse> caller) {
        merge(
                caller,
                () -> batches.of(request.getShard()).commits(),
                () -> all(request.getEntriesList(), RunWire::read),
                outcomes -> CommitResponse.newBuilder()
                        .addAllOutcomes(all(outcomes, RunWire::write))
                        .build());
    }

    @Override
    public void append(AppendRequest request, StreamObserver<AppendResponse> caller) {
        merge(
                caller,
                () -> batches.of(request.getShard()).appends(),
                () -> all(request.getEntriesList(), RunWire::read),
                outcomes -> AppendResponse.newBuilder()
                        .addAllOutcomes(all(outcomes, RunWire::write))
                        .build());
    }

    @Override
    public void deliver(DeliverRequest request, StreamObserver<DeliverResponse> caller) {
        Duration leasePeriod = readDuration(request.getLeasePeriod());
        merge(
                caller,
                () -> batches.of(request.getShard()).deliveries(),
                () -> all(
                        request.getEntriesList(),
                        entry -> new StoreBatches.LeasedDelivery(RunWire.read(entry), leasePeriod)),
                outcomes -> DeliverResponse.newBuilder()
                        .addAllOutcomes(all(outcomes, RunWire::write))
                        .build());
    }

    @Override
    public void listen(ListenRequest request, StreamObserver<ListenResponse> caller) {
        try {
            hub.open((ServerCallStreamObserver<ListenResponse>) caller);
        } catch (RuntimeException e) {
            fail(caller, e);
        }
    }

    @Override
    public void now(NowRequest request, StreamObserver<NowResponse> caller) {
        answer(
                caller,
                () -> NowResponse.newBuilder()
                        .setNow(ValueWire.write(store.now(request.getShard())))
                        .build());
    }

    @Override
    public void claim(ClaimRequest request, StreamObserver<ClaimResponse> caller) {
        answer(
                caller,
                () -> ClaimResponse.newBuilder()
                        .setClaimed(
                                ClaimWire.write(store.claim(request.getShard(), ClaimWire.read(request.getClaim()))))
                        .build());
    }

    @Override
    public void claimQueued(ClaimQueuedRequest request, StreamObserver<ClaimQueuedResponse> caller) {
        answer(
                caller,
                () -> ClaimQueuedResponse.newBuilder()
                        .setClaimed(ClaimWire.write(
                                store.claimQueued(request.getShard(), ClaimWire.read(request.getClaim()))))
                        .build());
    }

    @Override
    public void renew(RenewRequest request, StreamObserver<RenewResponse> caller) {
        answer(
                caller,
                () -> RenewResponse.newBuilder()
                        .setRenewed(ClaimWire.write(store.renew(
                                request.getShard(),
                                all(request.getRenewalsList(), ClaimWire::read),
                                readDuration(request.getLeasePeriod()))))
                        .build());
    }

    @Override
    public void sweep(SweepRequest request, StreamObserver<SweepResponse> caller) {
        answer(
                caller,
                () -> SweepResponse.newBuilder()
                        .setSwept(ClaimWire.write(store.sweep(request.getShard(), ClaimWire.read(request.getSweep()))))
                        .build());
    }

    @Override
    public void leave(LeaveRequest request, StreamObserver<LeaveResponse> caller) {
        answer(caller, () -> {
            store.leave(request.getShard(), request.getNodeId());
            return LeaveResponse.getDefaultInstance();
        });
    }

    @Override
    public void nodes(NodesRequest request, StreamObserver<NodesResponse> caller) {
        answer(
                caller,
                () -> NodesResponse.newBuilder()
                        .addAllNodes(all(store.nodes(request.getShard()), ClaimWire::write))
                        .build());
    }

    @Override
    public void wakeStuck(WakeStuckRequest request, StreamObserver<WakeStuckResponse> caller) {
        answer(
                caller,
                () -> WakeStuckResponse.newBuilder()
                        .setCount(store.wakeStuck(request.getShard(), request.getLanesList(), request.getBuild()))
                        .build());
    }

    @Override
    public void shortenLeases(ShortenLeasesRequest request, StreamObserver<ShortenLeasesResponse> caller) {
        answer(
                caller,
                () -> ShortenLeasesResponse.newBuilder()
                        .setCount(store.shortenLeases(
                                request.getShard(),
                                request.getLanesList(),
                                readDuration(request.getLongest()),
                                readDuration(request.getLeasePeriod())))
                        .build());
    }

    @Override
    public void runs(RunsRequest request, StreamObserver<RunsResponse> caller) {
        answer(
                caller,
                () -> RunsResponse.newBuilder()
                        .addAllRuns(
                                all(store.runs(request.getShard(), readIds(request.getRunIdsList())), RunWire::write))
                        .build());
    }

    @Override
    public void current(CurrentRequest request, StreamObserver<CurrentResponse> caller) {
        answer(caller, () -> {
            CurrentResponse.Builder answer = CurrentResponse.newBuilder();
            store.current(request.getShard(), request.getWorkflowId())
                    .ifPresent(row -> answer.setRun(RunWire.write(row)));
            return answer.build();
        });
    }

    @Override
    public void history(HistoryRequest request, StreamObserver<HistoryResponse> caller) {
        answer(caller, () -> {
            HistoryResponse.Builder answer = HistoryResponse.newBuilder();
            store.history(request.getShard(), readId(request.getRunId()), request.getSeq())
                    .ifPresent(row -> answer.setRow(RunWire.write(row)));
            return answer.build();
        });
    }

    @Override
    public void historyLength(HistoryLengthRequest request, StreamObserver<HistoryLengthResponse> caller) {
        answer(
                caller,
                () -> HistoryLengthResponse.newBuilder()
                        .setLength(store.historyLength(request.getShard(), readId(request.getRunId())))
                        .build());
    }

    @Override
    public void histories(HistoriesRequest request, StreamObserver<HistoriesResponse> caller) {
        answer(
                caller,
                () -> HistoriesResponse.newBuilder()
                        .addAllRows(all(
                                store.histories(request.getShard(), readIds(request.getRunIdsList())), RunWire::write))
                        .build());
    }

    @Override
    public void mail(MailRequest request, StreamObserver<MailResponse> caller) {
        answer(
                caller,
                () -> MailResponse.newBuilder()
                        .addAllItems(all(
                                store.mail(
                                        request.getShard(),
                                        request.getWorkflowId(),
                                        request.getAfter(),
                                        request.getLimit()),
                                RunWire::write))
                        .build());
    }

    @Override
    public void listRuns(ListRunsRequest request, StreamObserver<ListRunsResponse> caller) {
        answer(caller, () -> {
            Optional<String> page = request.hasPage() ? Optional.of(request.getPage()) : Optional.empty();
            return ListRunsResponse.newBuilder()
                    .setPage(PageWire.write(store.list(
                            request.getShard(), PageWire.read(request.getFilter()), page, request.getLimit())))
                    .build();
        });
    }

    @Override
    public void outbox(OutboxRequest request, StreamObserver<OutboxResponse> caller) {
        answer(caller, () -> {
            Optional<String> page = request.hasPage() ? Optional.of(request.getPage()) : Optional.empty();
            return OutboxResponse.newBuilder()
                    .setPage(RunWire.write(store.outbox(request.getShard(), page, request.getLimit())))
                    .build();
        });
    }

    @Override
    public void outgoing(OutgoingRequest request, StreamObserver<OutgoingResponse> caller) {
        answer(
                caller,
                () -> OutgoingResponse.newBuilder()
                        .setPage(RunWire.write(store.outgoing(request.getShard(), readId(request.getId()))))
                        .build());
    }

    @Override
    public void forwarded(ForwardedRequest request, StreamObserver<ForwardedResponse> caller) {
        answer(caller, () -> {
            store.forwarded(request.getShard(), request.getEpoch(), readIds(request.getIdsList()));
            return ForwardedResponse.getDefaultInstance();
        });
    }

    @Override
    public void purge(PurgeRequest request, StreamObserver<PurgeResponse> caller) {
        answer(caller, () -> {
            Optional<UUID> after = request.hasAfter() ? Optional.of(readId(request.getAfter())) : Optional.empty();
            return PurgeResponse.newBuilder()
                    .setPurged(RunWire.write(store.purge(
                            request.getShard(), readInstant(request.getClosedBefore()), after, request.getLimit())))
                    .build();
        });
    }

    @Override
    public void note(NoteRequest request, StreamObserver<NoteResponse> caller) {
        answer(caller, () -> {
            store.note(request.getShard(), all(request.getNotesList(), EventWire::read));
            return NoteResponse.getDefaultInstance();
        });
    }

    @Override
    public void notes(NotesRequest request, StreamObserver<NotesResponse> caller) {
        answer(
                caller,
                () -> NotesResponse.newBuilder()
                        .addAllNotes(all(store.notes(request.getShard(), readId(request.getRunId())), EventWire::write))
                        .build());
    }

    @Override
    public void eraseNotes(EraseNotesRequest request, StreamObserver<EraseNotesResponse> caller) {
        answer(caller, () -> {
            store.erase(request.getShard(), all(request.getNotesList(), EventWire::read));
            return EraseNotesResponse.getDefaultInstance();
        });
    }

    @Override
    public void ask(AskRequest request, StreamObserver<AskResponse> caller) {
        answer(caller, () -> {
            store.ask(request.getShard(), EventWire.read(request.getQuestion()));
            return AskResponse.getDefaultInstance();
        });
    }

    @Override
    public void questions(QuestionsRequest request, StreamObserver<QuestionsResponse> caller) {
        answer(
                caller,
                () -> QuestionsResponse.newBuilder()
                        .addAllQuestions(all(
                                store.questions(request.getShard(), request.getLanesList(), request.getLimit()),
                                EventWire::write))
                        .build());
    }

    @Override
    public void reply(ReplyRequest request, StreamObserver<ReplyResponse> caller) {
        answer(caller, () -> {
            store.reply(
                    request.getShard(),
                    readId(request.getId()),
                    request.getAnswer().toByteArray());
            return ReplyResponse.getDefaultInstance();
        });
    }

    @Override
    public void answer(AnswerRequest request, StreamObserver<AnswerResponse> caller) {
        answer(caller, () -> {
            AnswerResponse.Builder answer = AnswerResponse.newBuilder();
            store.reply(request.getShard(), readId(request.getId()))
                    .ifPresent(bytes -> answer.setAnswer(UnsafeByteOperations.unsafeWrap(bytes)));
            return answer.build();
        });
    }

    @Override
    public void forgetQuestions(ForgetQuestionsRequest request, StreamObserver<ForgetQuestionsResponse> caller) {
        answer(
                caller,
                () -> ForgetQuestionsResponse.newBuilder()
                        .setCount(store.forget(
                                request.getShard(), readIds(request.getIdsList()), readDuration(request.getAge())))
                        .build());
    }

    @Override
    public void subscribe(SubscribeRequest request, StreamObserver<SubscribeResponse> caller) {
        answer(caller, () -> {
            store.subscribe(request.getShard(), all(request.getSubscriptionsList(), EventWire::read));
            return SubscribeResponse.getDefaultInstance();
        });
    }

    @Override
    public void unsubscribe(UnsubscribeRequest request, StreamObserver<UnsubscribeResponse> caller) {
        answer(caller, () -> {
            store.unsubscribe(request.getShard(), all(request.getSubscriptionsList(), EventWire::read));
            return UnsubscribeResponse.getDefaultInstance();
        });
    }

    @Override
    public void subscriptions(SubscriptionsRequest request, StreamObserver<SubscriptionsResponse> caller) {
        answer(caller, () -> {
            Subscription after = request.hasAfter() ? EventWire.read(request.getAfter()) : null;
            return SubscriptionsResponse.newBuilder()
                    .addAllSubscriptions(all(
                            store.subscriptions(
                                    request.getShard(),
                                    request.getEvent(),
                                    request.getKeysList(),
                                    after,
                                    request.getLimit()),
                            EventWire::write))
                    .build();
        });
    }

    @Override
    public void remember(RememberRequest request, StreamObserver<RememberResponse> caller) {
        answer(caller, () -> {
            store.remember(
                    request.getShard(), all(request.getEventsList(), EventWire::read), readDuration(request.getKeep()));
            return RememberResponse.getDefaultInstance();
        });
    }

    @Override
    public void recall(RecallRequest request, StreamObserver<RecallResponse> caller) {
        answer(
                caller,
                () -> RecallResponse.newBuilder()
                        .addAllEvents(all(
                                store.recall(
                                        request.getShard(),
                                        request.getEvent(),
                                        readDuration(request.getAge()),
                                        request.getLimit()),
                                EventWire::write))
                        .build());
    }

    @Override
    public void define(DefineRequest request, StreamObserver<DefineResponse> caller) {
        answer(
                caller,
                () -> DefineResponse.newBuilder()
                        .setDefined(store.define(
                                request.getShard(),
                                request.getName(),
                                request.getVersion(),
                                request.getBody().toByteArray()))
                        .build());
    }

    @Override
    public void definition(DefinitionRequest request, StreamObserver<DefinitionResponse> caller) {
        answer(caller, () -> {
            DefinitionResponse.Builder answer = DefinitionResponse.newBuilder();
            store.definition(request.getShard(), request.getName(), request.getVersion())
                    .ifPresent(definition -> answer.setDefinition(EventWire.write(definition)));
            return answer.build();
        });
    }

    @Override
    public void definitions(DefinitionsRequest request, StreamObserver<DefinitionsResponse> caller) {
        answer(caller, () -> {
            Definition after = request.hasAfter() ? EventWire.read(request.getAfter()) : null;
            return DefinitionsResponse.newBuilder()
                    .addAllDefinitions(all(
                            store.definitions(
                                    request.getShard(), readInstant(request.getSince()), after, request.getLimit()),
                            EventWire::write))
                    .build();
        });
    }

    @Override
    public void dueRuns(DueRunsRequest request, StreamObserver<DueRunsResponse> caller) {
        answer(caller, () -> {
            DuePlace after = request.hasAfter() ? PageWire.read(request.getAfter()) : null;
            return DueRunsResponse.newBuilder()
                    .setPage(PageWire.writeRuns(store.pages()
                            .due(
                                    request.getShard(),
                                    PageWire.readKinds(request.getKindsList()),
                                    after,
                                    request.getLimit())))
                    .build();
        });
    }

    @Override
    public void countDue(CountDueRequest request, StreamObserver<CountDueResponse> caller) {
        answer(
                caller,
                () -> CountDueResponse.newBuilder()
                        .setCounts(PageWire.write(store.pages()
                                .dueCounts(
                                        request.getShard(),
                                        PageWire.readKinds(request.getKindsList()),
                                        readInstant(request.getOverdueBefore()),
                                        readInstants(request.getBoundsList()))))
                        .build());
    }

    @Override
    public void lastDue(LastDueRequest request, StreamObserver<LastDueResponse> caller) {
        answer(caller, () -> {
            LastDueResponse.Builder answer = LastDueResponse.newBuilder();
            store.pages()
                    .lastDue(request.getShard(), PageWire.readKinds(request.getKindsList()))
                    .ifPresent(at -> answer.setAt(ValueWire.write(at)));
            return answer.build();
        });
    }

    @Override
    public void queueDepths(QueueDepthsRequest request, StreamObserver<QueueDepthsResponse> caller) {
        answer(
                caller,
                () -> QueueDepthsResponse.newBuilder()
                        .addAllDepths(PageWire.write(
                                store.pages().queueDepths(request.getShard(), readInstant(request.getNow()))))
                        .build());
    }

    @Override
    public void overdueLanes(OverdueLanesRequest request, StreamObserver<OverdueLanesResponse> caller) {
        answer(
                caller,
                () -> OverdueLanesResponse.newBuilder()
                        .addAllLanes(all(
                                store.pages().overdueLanes(request.getShard(), readInstant(request.getBefore())),
                                PageWire::write))
                        .build());
    }

    @Override
    public void census(CensusRequest request, StreamObserver<CensusResponse> caller) {
        answer(
                caller,
                () -> CensusResponse.newBuilder()
                        .setCounts(PageWire.write(
                                store.pages().census(request.getShard(), PageWire.readKinds(request.getKindsList()))))
                        .build());
    }

    @Override
    public void tally(TallyRequest request, StreamObserver<TallyResponse> caller) {
        answer(caller, () -> {
            store.pages()
                    .tally(
                            request.getShard(),
                            request.getNodeId(),
                            ClaimWire.read(request.getState()),
                            all(request.getTalliesList(), PageWire::read));
            return TallyResponse.getDefaultInstance();
        });
    }

    @Override
    public void tallies(TalliesRequest request, StreamObserver<TalliesResponse> caller) {
        answer(
                caller,
                () -> TalliesResponse.newBuilder()
                        .addAllTallies(all(
                                store.pages()
                                        .tallies(
                                                request.getShard(),
                                                readDuration(request.getLength()),
                                                readInstant(request.getFromSlot()),
                                                readInstant(request.getBeforeSlot())),
                                PageWire::write))
                        .build());
    }

    @Override
    public void forgetTallies(ForgetTalliesRequest request, StreamObserver<ForgetTalliesResponse> caller) {
        answer(
                caller,
                () -> ForgetTalliesResponse.newBuilder()
                        .setCount(store.pages()
                                .forgetTallies(
                                        request.getShard(),
                                        readDuration(request.getLength()),
                                        readInstant(request.getBefore())))
                        .build());
    }

    @Override
    public void dueSqlTimers(DueSqlTimersRequest request, StreamObserver<DueSqlTimersResponse> caller) {
        answer(caller, () -> {
            DuePlace after = request.hasAfter() ? PageWire.read(request.getAfter()) : null;
            return DueSqlTimersResponse.newBuilder()
                    .setPage(PageWire.writeTimers(store.sqlTimers().due(after, request.getLimit())))
                    .build();
        });
    }

    @Override
    public void countDueSqlTimers(CountDueSqlTimersRequest request, StreamObserver<CountDueSqlTimersResponse> caller) {
        answer(
                caller,
                () -> CountDueSqlTimersResponse.newBuilder()
                        .setCounts(PageWire.write(store.sqlTimers()
                                .dueCounts(
                                        readInstant(request.getOverdueBefore()),
                                        readInstants(request.getBoundsList()))))
                        .build());
    }

    @Override
    public void lastDueSqlTimer(LastDueSqlTimerRequest request, StreamObserver<LastDueSqlTimerResponse> caller) {
        answer(caller, () -> {
            LastDueSqlTimerResponse.Builder answer = LastDueSqlTimerResponse.newBuilder();
            store.sqlTimers().lastDue().ifPresent(at -> answer.setAt(ValueWire.write(at)));
            return answer.build();
        });
    }

    @Override
    public void failedSqlTimers(FailedSqlTimersRequest request, StreamObserver<FailedSqlTimersResponse> caller) {
        answer(
                caller,
                () -> FailedSqlTimersResponse.newBuilder()
                        .addAllTimers(all(store.sqlTimers().failed(request.getLimit()), PageWire::write))
                        .build());
    }

    @Override
    public void getSqlTimer(GetSqlTimerRequest request, StreamObserver<GetSqlTimerResponse> caller) {
        answer(caller, () -> {
            GetSqlTimerResponse.Builder answer = GetSqlTimerResponse.newBuilder();
            store.sqlTimers()
                    .get(PageWire.read(request.getId()))
                    .ifPresent(timer -> answer.setTimer(PageWire.write(timer)));
            return answer.build();
        });
    }

    @Override
    public void moveSqlTimer(MoveSqlTimerRequest request, StreamObserver<MoveSqlTimerResponse> caller) {
        answer(
                caller,
                () -> MoveSqlTimerResponse.newBuilder()
                        .setMoved(store.sqlTimers().move(PageWire.read(request.getId()), readInstant(request.getAt())))
                        .build());
    }

    @Override
    public void cancelSqlTimer(CancelSqlTimerRequest request, StreamObserver<CancelSqlTimerResponse> caller) {
        answer(
                caller,
                () -> CancelSqlTimerResponse.newBuilder()
                        .setCancelled(store.sqlTimers().cancel(PageWire.read(request.getId())))
                        .build());
    }

    @Override
    public void notify(NotifyRequest request, StreamObserver<NotifyResponse> caller) {
        answer(caller, () -> {
            hub.send(all(request.getNoticesList(), EventWire::read).stream()
                    .flatMap(Optional::stream)
                    .toList());
            return NotifyResponse.getDefaultInstance();
        });
    }

    /** Refuses what waits, and ends all streams. The store stays open. */
    @Override
    public void close() {
        batches.close();
        hub.close();
    }
}
