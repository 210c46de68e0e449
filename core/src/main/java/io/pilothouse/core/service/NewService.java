package io.pilothouse.core.service;

/** A service that was just made, with the password that is shown this once. */
public record NewService(ServiceView view, String password) {
    @Override
    public String toString() {
        return "NewService[" + view.service().id() + "]";
    }
}
