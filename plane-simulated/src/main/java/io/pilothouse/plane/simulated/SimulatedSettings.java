package io.pilothouse.plane.simulated;

import io.pilothouse.core.setting.SettingShape;
import io.pilothouse.core.setting.SettingTable;
import io.pilothouse.core.setting.SettingValues;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** Some settings that every ClickHouse has, with its types and defaults, for services with nothing behind them. */
public final class SimulatedSettings {
    private static final BigInteger MAX = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    private static final SettingValues COUNT = new SettingValues.Whole(BigInteger.ZERO, MAX, false);
    private static final SettingValues POSITIVE = new SettingValues.Whole(BigInteger.ONE, MAX, false);
    private static final SettingValues THREADS = new SettingValues.Whole(BigInteger.ZERO, MAX, true);
    private static final SettingValues SECONDS =
            new SettingValues.Fraction(BigDecimal.ZERO, BigDecimal.valueOf(1L << 31), false);
    private static final SettingValues FLAG = new SettingValues.Flag(false);
    private static final SettingValues OVERFLOW = new SettingValues.Words(List.of("throw", "break"), false);

    public static final SettingTable TABLE = SettingTable.of(
            List.of(
                    of("async_insert", FLAG, "0", "Whether inserts are collected and written together."),
                    new SettingShape(
                            "compatibility",
                            SettingValues.VERSION,
                            "",
                            "The version whose defaults the settings have.",
                            "Another version's defaults can make queries fail or slow."),
                    of("join_use_nulls", FLAG, "0", "Whether cells without a match are NULL."),
                    of("max_block_size", POSITIVE, "65409", "How many rows are read at once."),
                    of("max_concurrent_queries_for_user", COUNT, "0", "How many queries of one user run at a time."),
                    of("max_execution_time", SECONDS, "0", "After how many seconds a query ends; 0 for never."),
                    of("max_insert_threads", COUNT, "0", "How many threads an INSERT SELECT writes with."),
                    of("max_memory_usage", COUNT, "0", "How many bytes one query may take."),
                    of("max_result_rows", COUNT, "0", "How many rows an answer may have; 0 for any number."),
                    of("max_threads", THREADS, "auto", "How many threads one query runs on."),
                    of("readonly", SettingValues.OF_THE_PROGRAM, "0", "Whether queries may only read."),
                    of("result_overflow_mode", OVERFLOW, "throw", "What happens when an answer has too many rows.")),
            null);

    private SimulatedSettings() {}

    private static SettingShape of(String name, SettingValues values, String byDefault, String description) {
        return new SettingShape(name, values, byDefault, description, null);
    }
}
