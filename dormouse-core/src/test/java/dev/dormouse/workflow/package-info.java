/** Tests of workflow code: waits, sleeps, promises, coroutines and continue-as-new. */
package dev.dormouse.workflow;
