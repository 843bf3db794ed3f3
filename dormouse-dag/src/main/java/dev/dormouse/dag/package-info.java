/**
 * Workflows as data, for pipelines that are described instead of programmed. A {@link dev.dormouse.dag.Dag} is built in
 * Java or read from JSON, checked, stored under its name and version, and executed by the same engine as all workflows:
 * a sleeping or waiting step is only a row in the store.
 *
 * <pre>{@code
 * Dag reminder = Dag.workflow("reminder")
 *         .task("order", "Shop.order")
 *         .waitForEvent("paid", "order.paid", Map.of("orderId", "$.steps.order.id"), Duration.ofDays(3)).after("order")
 *         .task("remind", "Mail.remind").after("paid").skipIf(Condition.at("$.steps.paid.timeout?").isNot(true))
 *         .build();
 * Dags dags = Dags.of(reminder);
 * try (Dormouse dormouse = Dormouse.builder()
 *         .store("sqlite:shop.db")
 *         .activities(Shop.class, shop).activities(Mail.class, mail)
 *         .with(dags)
 *         .open()) {
 *     DagRun run = dags.start("reminder", "order-17", Map.of("item", "lamp"));
 *     run.result();
 * }
 * }</pre>
 */
@NullMarked
package dev.dormouse.dag;

import org.jspecify.annotations.NullMarked;
