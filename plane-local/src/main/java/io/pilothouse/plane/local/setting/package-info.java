/** What a database says about its settings. */
@NullMarked
package io.pilothouse.plane.local.setting;

import org.jspecify.annotations.NullMarked;
