package dev.dormouse.store;

/** The contract of a store with transactions, in which a user's statements and a commit take effect together. */
public abstract class StoreContract extends SharedStoreContract
        implements TransactionContract, TransactionGuardContract {}
