package dev.dormouse.error;

/** Every error that a user can see has one stable code, so that it can be searched for: {@code [DM1003]}. */
public enum ErrorCode {
    // 1xxx: how the library is called
    UNKNOWN_WORKFLOW_TYPE(1001),
    BAD_WORKFLOW_INTERFACE(1002),
    PAYLOAD_NOT_SERIALIZABLE(1003),
    PAYLOAD_TOO_LARGE(1004),
    PAYLOAD_DOES_NOT_FIT(1005),
    BAD_SETTING(1006),
    INSTANT_OUT_OF_RANGE(1007),
    OUTSIDE_WORKFLOW(1008),
    NOT_ALLOWED_HERE(1009),
    UNKNOWN_ACTIVITY(1010),
    BAD_ACTIVITY_INTERFACE(1011),
    BAD_ARGUMENT(1012),
    DORMOUSE_CLOSED(1013),
    BAD_STUB_CALL(1014),
    UNKNOWN_SIGNAL(1015),
    UNKNOWN_QUERY(1016),
    UNKNOWN_UPDATE(1017),
    PROMISE_TIMEOUT(1018),
    TIMER_REFUSED(1019),
    OUTSIDE_ACTIVITY(1020),
    BAD_TOKEN(1021),
    BAD_SCHEDULE(1022),
    BAD_DAG(1023),
    DAG_DATA(1024),
    DAG_CHANGED(1025),

    // 2xxx: the store
    UNKNOWN_STORE(2001),
    SCHEMA_TOO_NEW(2002),
    SCHEMA_MISSING(2003),
    STORE_IN_USE(2004),
    STORE_UNAVAILABLE(2005),
    STORE_FAILED(2006),
    NOT_SUPPORTED_BY_STORE(2007),
    SCHEMA_DAMAGED(2008),
    READ_ONLY(2009),

    // 3xxx: runs
    RUN_NOT_FOUND(3001),
    RUN_CLOSED(3002),
    WORKFLOW_ID_TAKEN(3003),
    RUN_FAILED(3004),
    RUN_TERMINATED(3005),
    RUN_TIMED_OUT(3006),
    RESULT_TIMEOUT(3007),
    STEP_FAILED(3008),
    RUN_CANCELED(3009),
    UPDATE_REJECTED(3010),
    UPDATE_FAILED(3011),
    NOT_ANSWERED(3012),
    QUERY_FAILED(3013),
    CHILD_FAILED(3014),
    COMPENSATION_FAILED(3015),
    ATTEMPT_TIMED_OUT(3016),
    ATTEMPT_OVER(3017),
    TOKEN_USED(3018),
    RETRY_REFUSED(3020),
    RESET_REFUSED(3021),
    RUN_REPLACED(3022),
    SCHEDULE_NOT_FOUND(3023),
    DAG_FAILED(3024),
    DAG_TIMED_OUT(3025),
    DAG_NOT_FOUND(3026),
    TIMER_NOT_FOUND(3027),
    TIMER_GONE(3028),

    // 4xxx: replay
    CODE_DOES_NOT_MATCH(4001),
    HISTORY_DAMAGED(4002),
    HISTORY_TOO_LONG(4003),
    TOO_MANY_TAKEOVERS(4004),
    HISTORY_TOO_NEW(4005),
    CONDITION_READS_CLOCK(4006),
    HANDLER_FAILED(4007),

    // 5xxx: the test kit
    NOTHING_GOES_ON(5001),
    TEST_OUT_OF_PATIENCE(5002),
    NOT_A_TEST_THREAD(5003),
    TEST_ENDED(5004),
    NODE_KILLED(5005),
    BAD_HISTORY_FILE(5006),

    // 6xxx: the server
    SERVER_NEEDS_TOKEN(6001),
    BAD_REQUEST(6002),
    NOT_FOUND(6003),
    METHOD_NOT_ALLOWED(6004),
    NOT_AUTHENTICATED(6005),
    ROLE_MISSING(6006),
    FORGED_REQUEST(6007),
    SERVER_READ_ONLY(6008),
    REQUEST_TOO_LARGE(6009),
    NOT_JSON(6010),
    TOO_MANY_REQUESTS(6011),
    SERVER_FAILED(6012),
    SERVER_NOT_STARTED(6013);

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    /** Whether somebody has called the library in a way that will not do next time either. */
    public boolean isMistake() {
        return number < 2000 && this != DORMOUSE_CLOSED && this != PROMISE_TIMEOUT;
    }

    /** The code as it stands in messages, such as {@code DM1003}. */
    public String label() {
        return "DM" + number;
    }
}
