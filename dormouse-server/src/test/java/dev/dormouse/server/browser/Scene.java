package dev.dormouse.server.browser;

import dev.dormouse.server.DormouseServer;
import dev.dormouse.server.chromium.Page;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A page or a dialog of the {@link Gallery}.
 *
 * @param name the name of its screenshot
 * @param server returns the server that has it
 * @param hash the page
 * @param actions what to do on the page
 * @param isDialog true if a dialog is open afterwards
 */
record Scene(
        String name, Function<Gallery, DormouseServer> server, String hash, Consumer<Page> actions, boolean isDialog) {

    private static final String LOADED = "document.querySelector('.card') && !document.querySelector('.loading')";

    /** True if the page of schedules shows why the last run of one has failed; an element that is hidden has no height. */
    static final String SHOWS_LAST_FAILURE = "[...document.querySelectorAll('td .red')].some(e => "
            + "e.textContent.includes('last run is failed') && e.getBoundingClientRect().height > 0)";

    static final List<Scene> PAGES = List.of(
            page(
                    "overview",
                    "",
                    p -> p.until("document.querySelector('.histogram') && document.querySelector('.list')")),
            page("workflows", "workflows", p -> p.untilText("table", "invoice-1")),
            page("workflows-picked", "workflows", Scene::pickAll),
            page("workflows-none", "workflows?prefix=zzz"),
            page("run", "workflows/order-1", p -> p.untilText(".banner", "Waiting for")),
            page("run-sleeping", "workflows/order-2", p -> p.untilText(".banner", "sleep")),
            page("run-history", "workflows/order-2?tab=history", p -> p.click("Details of event 0")),
            page("run-values", "workflows/order-2?tab=values"),
            page("run-waits", "workflows/order-2?tab=waits"),
            page("run-attributes", "workflows/order-2?tab=attributes"),
            page("run-children", "workflows/family-1?tab=children"),
            page("run-long-id", "workflows/customer-4711%2Fsubscription-renewal%2F2026-11-16T08:23:09Z%2Feurope-west"),
            page("run-retried", "workflows/charge-retried", p -> p.untilText(".banner", "tries again")),
            page("run-retried-waits", "workflows/charge-retried?tab=waits"),
            page("run-failed", "workflows/charge-failed", p -> p.untilText(".banner", "Failed")),
            page("run-failed-values", "workflows/charge-failed?tab=values"),
            page("run-stuck", "workflows/brittle-1", p -> p.untilText(".banner", "Stuck")),
            page("run-completed", "workflows/hello-1"),
            page("run-cancelled", "workflows/cancelled-1"),
            page("run-terminated", "workflows/terminated-1"),
            page("run-timed-out", "workflows/late-1", p -> p.untilText(".banner", "Timed out")),
            page("run-unserved", "workflows/invoice-1"),
            page("run-missing", "workflows/none-1"),
            page("dag", "workflows/trip-1", p -> p.untilText(".note", "waits for an approval")),
            page("dag-large", "workflows/wide-1", p -> p.untilText(".dag", "step-199")),
            page("dag-large-fit", "workflows/wide-1", p -> p.click("Fit")),
            page("timers", "timers"),
            page("timers-own", "timers?view=own", p -> p.untilText("table", "bank")),
            page("timers-sql", "timers?kind=sql"),
            page("timers-sql-failed", "timers?view=sql"),
            page("timer", "timers/charge-1", p -> p.untilText(".banner", "The bank")),
            page("timer-far", "timers/far"),
            page("timer-sql", "timers/1?of=sql"),
            page("timer-sql-failed", "timers/2?of=sql"),
            page("timer-missing", "timers/none-1"),
            page("schedules", "schedules", p -> p.until(SHOWS_LAST_FAILURE)),
            page("schedules-toast", "schedules", p -> p.click("Trigger poll").untilText(".toast", "Triggered")),
            page("nodes", "nodes"),
            page("nowhere", "nowhere"),
            of("empty-overview", g -> g.empty, "", p -> {}, false),
            of("empty-workflows", g -> g.empty, "workflows", p -> {}, false),
            of("empty-timers", g -> g.empty, "timers", p -> {}, false),
            of("empty-timers-own", g -> g.empty, "timers?view=own", p -> {}, false),
            of("empty-timers-sql", g -> g.empty, "timers?view=sql", p -> {}, false),
            of("empty-schedules", g -> g.empty, "schedules", p -> {}, false),
            of("offline", g -> g.empty, "", Scene::goOffline, false),
            of("login", g -> g.closed, "", p -> p.untilText(".login", "token"), false),
            of("login-refused", g -> g.closed, "", Scene::logInWrongly, false),
            of("logged-in", g -> g.closed, "", Scene::logIn, false),
            of("logged-out", g -> g.closed, "", p -> p.click("Log out").untilText(".login", "token"), false));

    static final List<Scene> DIALOGS = List.of(
            dialog("keys", "", p -> p.key("?")),
            dialog("start", "workflows", p -> p.click("Start a workflow …")),
            dialog("start-refused", "workflows", Scene::startWrongly),
            dialog("batch-cancel", "workflows", p -> pickAll(p).click("Cancel …")),
            dialog("batch-signal", "workflows", p -> pickAll(p).click("Signal …")),
            dialog("batch-terminate", "workflows", p -> pickAll(p).click("Terminate …")),
            dialog("batch-retry-refused", "workflows?prefix=nap", Scene::retryOpenRuns),
            dialog("signal", "workflows/order-1", p -> p.click("Signal …")),
            dialog(
                    "query",
                    "workflows/order-1",
                    p -> p.click("Query …").click("Ask").untilText(".dialog", "Answer")),
            dialog("update", "workflows/order-1", p -> p.click("Update …")),
            dialog("reset", "workflows/order-1", p -> p.click("Reset …")),
            dialog("cancel", "workflows/order-1", p -> p.click("Cancel")),
            dialog("terminate", "workflows/order-1", p -> p.click("Terminate")),
            dialog(
                    "terminate-long-id",
                    "workflows/customer-4711%2Fsubscription-renewal%2F2026-11-16T08:23:09Z%2Feurope-west",
                    p -> p.click("Terminate")),
            dialog("move", "workflows/order-1", p -> p.click("Move …")),
            dialog("move-at", "workflows/order-1", p -> p.click("Move …").click("at a time")),
            dialog("time-out-now", "workflows/order-1", p -> p.click("Time out now")),
            dialog("fire-now", "workflows/order-2", p -> p.click("Fire now")),
            dialog("try-now", "workflows/charge-retried", p -> p.click("Try now")),
            dialog("retry", "workflows/charge-failed", p -> p.click("Retry")),
            dialog("approve", "workflows/trip-1", p -> p.click("Approve")),
            dialog("reject", "workflows/trip-1", p -> p.click("Reject")),
            dialog("timer-add", "timers", p -> p.click("Add a timer …")),
            dialog("timer-fire", "timers/far", p -> p.click("Fire far now")),
            dialog("timer-move", "timers/far", p -> p.click("Move far")),
            dialog("timer-cancel", "timers/far", p -> p.click("Cancel far")),
            dialog("timer-sql-cancel", "timers/1?of=sql", p -> p.click("Cancel 1")),
            dialog(
                    "schedule-create",
                    "schedules",
                    p -> p.click("Create a schedule …").untilText(".dialog .note", "06:00:00")),
            dialog(
                    "schedule-create-every",
                    "schedules",
                    p -> p.click("Create a schedule …").click("every so often")),
            dialog(
                    "schedule-create-refused",
                    "schedules",
                    p -> p.click("Create a schedule …").fill("Cron", "never").untilText(".dialog", "DM")),
            dialog("schedule-delete", "schedules", p -> p.click("Delete poll")));

    private static Scene page(String name, String hash) {
        return page(name, hash, p -> {});
    }

    private static Scene page(String name, String hash, Consumer<Page> actions) {
        return of(name, g -> g.full, hash, actions, false);
    }

    private static Scene dialog(String name, String hash, Consumer<Page> actions) {
        return of("dialog-" + name, g -> g.full, hash, actions, true);
    }

    private static Scene of(
            String name,
            Function<Gallery, DormouseServer> server,
            String hash,
            Consumer<Page> actions,
            boolean isDialog) {
        return new Scene(name, server, hash, actions, isDialog);
    }

    /** Shows the scene on a page. */
    void show(Page page, Gallery gallery) {
        String url = server.apply(gallery).url();
        page.visit(url + "/#/between")
                .until("document.title === 'Dormouse · Dormouse' || document.querySelector('.login')");
        page.visit(url + "/#/" + hash).until(LOADED);
        actions.accept(page);
        page.until(isDialog ? "document.querySelector('[role=dialog]')" : "document.querySelector('.card')");
    }

    void leave(Page page) {
        if (isDialog) {
            page.key("Escape").until("!document.querySelector('[role=dialog]')");
        }
    }

    private static Page pickAll(Page page) {
        return page.until("document.querySelector('table')").load("document.querySelector('th input').click()");
    }

    private static void startWrongly(Page page) {
        page.click("Start a workflow …")
                .fill("Type", "hello")
                .fill("Input", "not JSON")
                .click("Start");
        page.untilText(".dialog [role=alert]", "Expected JSON");
    }

    private static void retryOpenRuns(Page page) {
        pickAll(page).click("Retry …").click("Retry 1 run").untilText(".dialog [role=alert]", "refused");
    }

    private static void goOffline(Page page) {
        page.untilText(".tools", "live").load("window.fetch = () => Promise.reject(new Error('offline'))");
        page.load("location.hash = '#/nodes'").untilText(".note.red", "has not answered since");
        page.load("location.hash = '#/'").untilText(".stat", "Completed today");
    }

    private static void logInWrongly(Page page) {
        page.fill("Token", "wrong").click("Log in").untilText(".login [role=alert]", "Expected");
    }

    private static void logIn(Page page) {
        page.fill("Token", Gallery.TOKEN).click("Log in").untilText(".tools", "Log out");
    }
}
