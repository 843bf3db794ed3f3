/**
 * The contract between the engine and the code of a run. {@link dev.dormouse.internal.run.RunCode} is the code, which
 * the replay implements; {@link dev.dormouse.internal.run.Session} is the engine's side. The code returns control by
 * {@code Session.next(Blocked)}; {@link dev.dormouse.internal.run.Evicted} and {@link
 * dev.dormouse.internal.run.CodeMismatch} unwind it. Internal: may change at any time.
 */
@NullMarked
package dev.dormouse.internal.run;

import org.jspecify.annotations.NullMarked;
