/** Tests of what the command that certifies Terraform modules decides by itself. */
@NullMarked
package io.pilothouse.server.certify;

import org.jspecify.annotations.NullMarked;
