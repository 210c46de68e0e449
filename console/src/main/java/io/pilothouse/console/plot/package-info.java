/** Plots without scripts: numbers over time as the path of an SVG, and as people read them. */
@NullMarked
package io.pilothouse.console.plot;

import org.jspecify.annotations.NullMarked;
