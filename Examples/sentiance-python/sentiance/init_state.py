"""The progress of the initialisation."""


class InitState:
    NOT_INITIALIZED = "NOT_INITIALIZED"
    INIT_IN_PROGRESS = "INIT_IN_PROGRESS"
    INITIALIZED = "INITIALIZED"
    RESETTING = "RESETTING"
