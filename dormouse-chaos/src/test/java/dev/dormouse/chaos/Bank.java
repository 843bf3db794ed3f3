package dev.dormouse.chaos;

import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;

/**
 * A workflow that books an amount in a transaction: a row in the ledger, in which nothing keeps a second one from being
 * there, and a new balance of the one account.
 */
final class Bank implements WorkflowFunction<String, String> {
    static final String TYPE = "bank";
    static final String BOOK = "book";

    private static final long BETWEEN_NANOS = 5_000_000;

    private final Journal.Writer journal;
    private final String prefix;

    /** @param prefix before the names of tables */
    Bank(Journal.Writer journal, String prefix) {
        this.journal = journal;
        this.prefix = prefix;
    }

    @Override
    public String run(WorkflowContext ctx, String amount) {
        ctx.step("ask", () -> write(ctx, "ask"));
        int balance = ctx.transaction(BOOK, Integer.class, connection -> book(ctx, connection, amount));
        ctx.step("tell", () -> {
            write(ctx, "tell");
            Hold.at(Hold.Point.NEXT_STEP, ctx.info().workflowId(), journal);
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
        Hold.at(Hold.Point.IN_FUNCTION, id, journal);
        Hold.expectCommit(id);
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
        journal.write(Deed.Kind.BEGAN, ctx.info().workflowId(), ctx.info().runId(), step);
    }
}
