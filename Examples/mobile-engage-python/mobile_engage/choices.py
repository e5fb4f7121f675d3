"""What the documents leave to an SDK. Each default is what this SDK does; each other value is as legal."""
from dataclasses import dataclass


@dataclass
class Choices:
    # -- events
    batch_size: int = 50
    gather: float = 0.0  # seconds for which events wait for others to join them
    empty_attributes: bool = False  # `{}` where the app gave none; without it the member is absent
    application_members: bool = False  # language, version of SDK and app beside the events, as the iOS SDK has them
    hold_without_token: bool = True  # else events go without a token, until the server refuses them

    # -- sessions and the launch
    app_start: bool = True
    app_start_first: bool = False  # before session:start, and thus outside the session
    session_after_sign_out: bool = False
    session_ends_at_exit: bool = False

    # -- contacts and tokens
    skip_same_contact: bool = False  # a repeated sign-in of one process sends nothing
    skip_anonymous_sign_out: bool = True
    anonymous_query: str = "anonymous=true"
    identified_query: str = ""
    max_refreshes: int = 3  # for one request
    pause_after_refresh: float = 0.0
    push_again_after_refresh: bool = False
    token_on_client: bool = False  # the contact token goes with the registration too
    token_on_fetches: bool = True  # and with inbox and geo-fences

    # -- retrying
    pauses: tuple = (5.0, 10.0, 20.0, 40.0, 60.0)  # seconds; the last one repeats, and without any there is no timer
    jitter: bool = False  # each pause is drawn between its half and its whole
    retry_on_submit: bool = False
    honour_retry_after: bool = False
    redirect_is_final: bool = False

    # -- requests
    state_of_failures: bool = True  # a client state is kept whatever the status of its answer
    header_case: str = "usual"  # usual, lower, upper
    headers_reversed: bool = False
    sdk_mode: str | None = "production"
    content_type: str = "application/json"
    content_type_always: bool = False  # also where there is no body
    delete_body: bool = False  # `{}`
    keep_alive: bool = False
    chunked: bool = False
    fetches_in_line: bool = False  # inbox, geo-fences and deep links wait for the request that is open
    send_delay: float = 0.0
    json_sorted: bool = False
    json_indent: int | None = None
    json_ascii: bool = True

    # -- identity and storage
    counting_order: bool = False  # 1, 2, 3 … instead of the time
    client_id_form: str = "uuid"  # uuid, capitals, hex, with-code
    session_id_capitals: bool = False
    keep_legacy_id: bool = True
    late_writes: bool = False  # at the end of a turn of the event loop

    # -- change of the application code
    take_leave: bool = False  # the old application's push token is removed and its contact unlinked

    events_v4: bool = False
