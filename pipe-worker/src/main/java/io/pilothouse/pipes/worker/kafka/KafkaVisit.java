package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.worker.outside.Trouble;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** One consumer from its login to its end; what the library throws becomes what workers know. */
interface KafkaVisit<T> {
    T read(Consumer<byte[], byte[]> consumer) throws Trouble, InterruptedException;

    static <T> T with(Map<String, Object> login, Duration closesWithin, KafkaVisit<T> visit)
            throws Trouble, InterruptedException {
        try {
            Consumer<byte[], byte[]> consumer =
                    new KafkaConsumer<>(login, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            try {
                return visit.read(consumer);
            } finally {
                consumer.close(CloseOptions.timeout(closesWithin));
            }
        } catch (InterruptException interrupted) {
            throw new InterruptedException(interrupted.getMessage());
        } catch (KafkaException failure) {
            throw KafkaTrouble.of(failure);
        }
    }
}
