package io.pilothouse.pipes.worker.kafka;

import io.pilothouse.pipes.worker.outside.Trouble;
import io.pilothouse.pipes.worker.outside.Trouble.Owner;
import io.pilothouse.pipes.worker.outside.Trouble.SourceAway;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What an exception of the Kafka library means to the owner of a pipe; pure. */
final class KafkaTrouble {
    private KafkaTrouble() {}

    static Trouble of(KafkaException failure) {
        return switch (failure) {
            case SslAuthenticationException tls ->
                new Owner("The brokers and this server do not trust each other's certificates: " + tls.getMessage());
            case AuthenticationException refused ->
                new Owner("The brokers refuse the credentials: " + refused.getMessage());
            case AuthorizationException refused ->
                new Owner("The brokers do not allow this to be read: " + refused.getMessage());
            case InvalidTopicException _ -> new Owner("The topics of the source are no names of topics.");
            case UnknownTopicOrPartitionException _ -> new SourceAway("The brokers do not know the topic now.");
            case TimeoutException _ -> new SourceAway("The brokers do not answer.");
            // Its message may repeat what it was given, and that is a secret.
            case ConfigException config ->
                isAboutBrokers(config)
                        ? new SourceAway("The address of no broker can be found.")
                        : new Owner("The brokers, the certificate or the private key cannot be used as they are.");
            default -> opening(failure);
        };
    }

    /** A consumer that cannot be made hides the reason in its cause. */
    private static Trouble opening(KafkaException failure) {
        if (failure.getCause() instanceof KafkaException cause) {
            return of(cause);
        }
        return new SourceAway(
                "The brokers cannot be read from (" + failure.getClass().getSimpleName() + ").");
    }

    private static boolean isAboutBrokers(ConfigException failure) {
        return String.valueOf(failure.getMessage()).contains("bootstrap");
    }
}
