/** Tests of definitions of workflows and activities: names, types and interfaces. */
package dev.dormouse.definition;
