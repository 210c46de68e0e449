package io.pilothouse.server.log;

/** How a log line is written: as key=value pairs for people and grep, or as one JSON object. */
public enum LogFormat {
    TEXT,
    JSON
}
