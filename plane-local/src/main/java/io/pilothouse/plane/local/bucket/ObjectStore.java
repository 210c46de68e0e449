package io.pilothouse.plane.local.bucket;

import java.nio.file.Path;
import java.util.OptionalLong;

/** One bucket, opened. Every call may be repeated, and is tried again by itself where the store is at fault. */
public interface ObjectStore {
    /** How long an object is; empty where there is none, or where these credentials may not know. */
    OptionalLong size(String name) throws BucketFault;

    /** Writes a file as an object, which is there as a whole or not at all. */
    void put(String name, Path file) throws BucketFault;

    /** Writes an object into a file. */
    void get(String name, Path file) throws BucketFault;

    /** Removes an object and what was begun of it; does nothing where it, or its bucket, is gone. */
    void delete(String name) throws BucketFault;
}
