/** Tests of calls from outside of workflows: starts, handles, results and lists of runs. */
package dev.dormouse.client;
