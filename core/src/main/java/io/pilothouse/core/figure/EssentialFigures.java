package io.pilothouse.core.figure;

import io.pilothouse.core.figure.Figure.Source;
import java.util.Map;
import java.util.Set;

/** The figures that are enough to see whether a database is well, for those who do not want all of them. */
public final class EssentialFigures {
    private static final Map<Source, Set<String>> NAMES = Map.of(
            Source.EVENTS,
            words("""
                    Query SelectQuery InsertQuery AsyncInsertQuery FailedQuery FailedSelectQuery FailedInsertQuery
                    FailedAsyncInsertQuery QueryTimeMicroseconds SelectQueryTimeMicroseconds InsertQueryTimeMicroseconds
                    QueryMemoryLimitExceeded InsertedRows InsertedBytes SelectedRows SelectedBytes SelectedParts
                    SelectedRanges SelectedMarks Merge MergedRows MergedUncompressedBytes MergeTotalMilliseconds
                    MergesTimeMilliseconds MutationTotalMilliseconds DelayedInserts DelayedInsertsMilliseconds
                    RejectedInserts DelayedMutations RejectedMutations ReplicatedPartFetches
                    ReplicatedPartFailedFetches ReplicatedDataLoss NetworkReceiveBytes NetworkSendBytes
                    NetworkReceiveElapsedMicroseconds NetworkSendElapsedMicroseconds FileOpen Seek
                    ReadBufferFromFileDescriptorReadBytes WriteBufferFromFileDescriptorWriteBytes
                    ReadBufferFromS3Bytes WriteBufferFromS3Bytes S3ReadRequestsErrors S3WriteRequestsErrors
                    CachedReadBufferReadFromCacheBytes CachedReadBufferReadFromSourceBytes MarkCacheHits MarkCacheMisses
                    UncompressedCacheHits UncompressedCacheMisses QueryCacheHits QueryCacheMisses RealTimeMicroseconds
                    UserTimeMicroseconds SystemTimeMicroseconds OSCPUVirtualTimeMicroseconds OSCPUWaitMicroseconds
                    OSIOWaitMicroseconds OSReadBytes OSWriteBytes ZooKeeperTransactions ZooKeeperHardwareExceptions
                    ZooKeeperWaitMicroseconds ContextLock"""),
            Source.METRICS,
            words("""
                    Query Merge PartMutation ReplicatedFetch ReplicatedSend ReadonlyReplica DelayedInserts
                    PendingAsyncInsert TCPConnection HTTPConnection MySQLConnection PostgreSQLConnection
                    InterserverConnection MemoryTracking MergesMutationsMemoryTracking GlobalThread GlobalThreadActive
                    LocalThread LocalThreadActive QueryThread BackgroundMergesAndMutationsPoolTask
                    BackgroundMergesAndMutationsPoolSize BackgroundFetchesPoolTask BackgroundCommonPoolTask
                    BackgroundSchedulePoolTask OpenFileForRead OpenFileForWrite Read Write PartsActive PartsOutdated
                    PartsDeleting ZooKeeperSession ZooKeeperRequest ZooKeeperWatch KeeperAliveConnections
                    FilesystemCacheSize QueryCacheBytes QueryCacheEntries"""),
            Source.ASYNCHRONOUS_METRICS,
            words("""
                    Uptime LoadAverage1 LoadAverage5 LoadAverage15 OSUserTimeNormalized OSSystemTimeNormalized
                    OSIOWaitTimeNormalized OSIdleTimeNormalized OSMemoryTotal OSMemoryAvailable
                    OSMemoryFreeWithoutCached CGroupMaxCPU CGroupMemoryTotal CGroupMemoryUsed MemoryResident
                    MemoryVirtual MaxPartCountForPartition NumberOfDatabases NumberOfTables
                    TotalBytesOfMergeTreeTables TotalRowsOfMergeTreeTables TotalPartsOfMergeTreeTables
                    ReplicasMaxQueueSize ReplicasSumQueueSize ReplicasMaxAbsoluteDelay ReplicasMaxRelativeDelay
                    DiskAvailable_default DiskUsed_default DiskTotal_default MarkCacheBytes UncompressedCacheBytes
                    FilesystemCacheBytes jemalloc.resident jemalloc.allocated"""),
            Source.ERRORS,
            Set.of());

    private EssentialFigures() {}

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    /** Whether it is one of them. */
    public static boolean has(Figure figure) {
        return NAMES.getOrDefault(figure.source(), Set.of()).contains(figure.name());
    }
}
