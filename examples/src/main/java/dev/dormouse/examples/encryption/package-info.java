/**
 * Payloads that are encrypted in the store: inputs, results and the texts of exceptions, but not ids and names.
 * The name of the key is stored with each payload, so that keys can be rotated while runs are open.
 */
@NullMarked
package dev.dormouse.examples.encryption;

import org.jspecify.annotations.NullMarked;
