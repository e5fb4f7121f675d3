"""The reasons why a call of the SDK fails, with the names of the Android SDK."""


class Reason:
    # reasons of invalid calls; these are raised, and no completion is called
    NOT_INITIALIZED = "NOT_INITIALIZED"
    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    # reasons of a creation
    SDK_RESET_IN_PROGRESS = "SDK_RESET_IN_PROGRESS"
    USER_CREATION_IN_PROGRESS = "USER_CREATION_IN_PROGRESS"
    USER_ALREADY_EXISTS = "USER_ALREADY_EXISTS"
    NETWORK_ERROR = "NETWORK_ERROR"
    SERVER_ERROR = "SERVER_ERROR"
    UNEXPECTED_ERROR = "UNEXPECTED_ERROR"
    APP_SIDE_LINKING_FAILED = "APP_SIDE_LINKING_FAILED"
    # further reasons of linking and of tokens
    NO_USER = "NO_USER"
    USER_ALREADY_LINKED = "USER_ALREADY_LINKED"
    USER_DISABLED_REMOTELY = "USER_DISABLED_REMOTELY"
    # reasons of an initialisation
    REINITIALIZATION_NOT_ALLOWED = "REINITIALIZATION_NOT_ALLOWED"
    EXCEPTION_OR_ERROR = "EXCEPTION_OR_ERROR"
    # reasons of a legacy initialisation
    INVALID_CREDENTIALS = "INVALID_CREDENTIALS"
    CHANGED_CREDENTIALS = "CHANGED_CREDENTIALS"
    SERVICE_UNREACHABLE = "SERVICE_UNREACHABLE"
    LINK_FAILED = "LINK_FAILED"
    REMOTE_DISABLED = "REMOTE_DISABLED"
    INITIALIZATION_ERROR = "INITIALIZATION_ERROR"
    # the reason of a reset
    SDK_INIT_IN_PROGRESS = "SDK_INIT_IN_PROGRESS"


class SentianceError(Exception):
    """`reason` is for the program, `details` is a text for its author."""

    def __init__(self, reason, details=""):
        super().__init__(details)
        self.reason, self.details = reason, details
