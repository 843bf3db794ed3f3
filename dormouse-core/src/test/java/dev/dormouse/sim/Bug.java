package dev.dormouse.sim;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.run.RunProgress;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryRow;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Renewal;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.testing.memory.MemoryStore;
import dev.dormouse.testing.memory.RowEdit;
import dev.dormouse.testing.sim.SimWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Store defects, each of which is planted into a simulation that must detect it. */
public enum Bug {
    /** Commits are not fenced at all. */
    NO_FENCE {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean fenceHolds(RunRow row, Fence fence) {
                    return true;
                }
            };
        }
    },
    /** A position of a history can be written again: neither an append nor the record of a takeover conflicts. */
    POSITION_WRITTEN_TWICE {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean isFree(@Nullable HistoryRow there) {
                    return true;
                }
            };
        }
    },
    /** Commits and appends of an earlier epoch are applied, although a failover has lost events before them. */
    APPEND_AFTER_A_GAP {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean fitsEpoch(String epoch, String current) {
                    return true;
                }
            };
        }
    },
    /** The event that records a takeover does not end the appends of the previous owner. */
    TAKEOVER_ENDS_NO_APPENDS {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean isFree(@Nullable HistoryRow there) {
                    return there == null || EventCodec.decode(there.payload()).get(0) instanceof Event.TakenOver;
                }
            };
        }
    },
    /** The first events of a run, which its own row keeps, are lost when the run pauses. */
    FIRST_EVENTS_LOST_AT_PAUSE {
        @Override
        public MemoryStore plant(SimWorld world) {
            Set<UUID> paused = new HashSet<>();
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected void write(RunRow before, RunRow after, Consumer<RunRow> table) {
                    if (RunProgress.isPaused(after.status())) {
                        paused.add(after.runId());
                    }
                    super.write(before, after, table);
                }

                @Override
                public synchronized List<HistoryRow> histories(int shard, List<UUID> runIds) {
                    return super.histories(shard, runIds).stream()
                            .filter(row -> row.seq() > 0 || !paused.contains(row.runId()))
                            .toList();
                }
            };
        }
    },
    /** A run is suspended although mail came in that it has not seen. */
    NO_MAIL_CHECK {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean mailHolds(RunRow row, Fence fence) {
                    return true;
                }
            };
        }
    },
    /** A message takes a run from its live owner. */
    MAIL_PULLS_LEASED_ALARM {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected Instant alarmAfterDelivery(RunRow row, Instant now, Duration leasePeriod) {
                    boolean isWoken = row.status() == RunStatus.WAITING || row.lease() != RunRow.NO_LEASE;
                    return isWoken ? now : row.wakeAt();
                }
            };
        }
    },
    /** Alarms and timers come a millisecond early. */
    MILLISECOND_EARLY {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean isReached(Instant instant, Instant now) {
                    return super.isReached(instant.minusMillis(1), now);
                }
            };
        }
    },
    /** A renewal that was on its way when its run was parked is applied to it, and moves its alarm. */
    PARKED_RUN_RENEWED {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean isRenewable(RunRow row, Renewal renewal) {
                    return super.isRenewable(row, renewal) || row.status() == RunStatus.PARKED;
                }
            };
        }
    },
    /** The alarm is set in a second transaction, which a crash can prevent. */
    ALARM_OUTSIDE_TRANSACTION {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected void write(RunRow before, RunRow after, Consumer<RunRow> table) {
                    RowEdit first = new RowEdit(after);
                    first.wakeAt = null;
                    table.accept(first.toRow());
                    if (world.caller() != null && world.random().nextInt(50) == 0) {
                        world.caller().kill();
                    } else {
                        table.accept(after);
                    }
                }
            };
        }
    },
    /** Every expired lease makes its run suspicious, even if no code has begun under it. */
    EVERY_DEATH_IS_A_STRIKE {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected boolean mayHaveBegun(RunRow row) {
                    return true;
                }

                @Override
                protected boolean isOnProbation(RunRow row) {
                    return true;
                }
            };
        }
    },
    /** Keys are forgotten with the mail that was consumed, so that a second delivery counts again. */
    KEY_DELETED_WITH_MAIL {
        @Override
        public MemoryStore plant(SimWorld world) {
            return new MemoryStore(world.storeClock(), 1) {
                @Override
                protected List<String> keysForgotten(RunRow after, List<InboxMessage> consumed) {
                    return consumed.stream().map(InboxMessage::key).toList();
                }
            };
        }
    };

    /** Returns a store with this defect. */
    public abstract MemoryStore plant(SimWorld world);
}
