/** Workflow code as a user would write it, outside of Dormouse's own packages: errors name lines of these files. */
package dev.dormouse.workflows;
