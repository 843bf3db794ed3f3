/**
 * The documentation site: reads docs/site.json and the Markdown of the repository, and writes static HTML with a search
 * index, a page for each error code, llms.txt, and a check of all links.
 */
@NullMarked
package dev.dormouse.site;

import org.jspecify.annotations.NullMarked;
