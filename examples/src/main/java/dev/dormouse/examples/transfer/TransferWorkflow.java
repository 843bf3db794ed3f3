package dev.dormouse.examples.transfer;

import dev.dormouse.Workflow;

/** One transaction step. */
public class TransferWorkflow implements Transfer {
    private final Accounts accounts;

    public TransferWorkflow(Accounts accounts) {
        this.accounts = accounts;
    }

    @Override
    public int transfer(String from, String to, int cents) {
        return Workflow.transaction("transfer", Integer.class, connection -> {
            int balance = accounts.add(connection, from, -cents);
            accounts.add(connection, to, cents);
            return balance;
        });
    }
}
