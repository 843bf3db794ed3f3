package dev.dormouse.chaos.workload;

import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/**
 * A workflow that books an amount in a transaction: it inserts a row into the ledger table, which has no unique key
 * that would prevent a second one, and updates the balance of the only account.
 */
public final class BookingWorkflow implements WorkflowFunction<String, String> {
    public static final String TYPE = "bank";
    public static final String BOOK = "book";

    private static final long BETWEEN_NANOS = 5_000_000;

    private final WorkerJournal.Writer journal;
    private final String prefix;

    /** @param prefix the prefix of table names */
    public BookingWorkflow(WorkerJournal.Writer journal, String prefix) {
        this.journal = journal;
        this.prefix = prefix;
    }

    @Override
    public String run(WorkflowContext ctx, String amount) {
        ctx.step("ask", () -> write(ctx, "ask"));
        int balance = ctx.transaction(BOOK, Integer.class, connection -> book(ctx, connection, amount));
        ctx.step("tell", () -> {
            write(ctx, "tell");
            Breakpoint.at(Breakpoint.Point.NEXT_STEP, ctx.info().workflowId(), journal);
        });
        return balance >= Integer.parseInt(amount) ? "booked" : "lost";
    }

    private int book(WorkflowContext ctx, Connection connection, String amount) throws SQLException {
        write(ctx, BOOK);
        String id = ctx.info().workflowId();
        int number = Integer.parseInt(amount);
        change(connection, "insert into " + prefix + "ledger (workflow_id, amount) values (?, ?)", id, number);
        LockSupport.parkNanos(BETWEEN_NANOS);
        change(connection, "update " + prefix + "account set balance = balance + ?", number);
        Breakpoint.at(Breakpoint.Point.IN_FUNCTION, id, journal);
        Breakpoint.expectCommit(id);
        return balance(connection);
    }

    private static void change(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            statement.executeUpdate();
        }
    }

    private int balance(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select balance from " + prefix + "account");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private void write(WorkflowContext ctx, String step) {
        journal.write(
                JournalEntry.Kind.BEGAN, ctx.info().workflowId(), ctx.info().runId(), step);
    }
}
