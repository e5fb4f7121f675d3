"""Choices that the documents leave open. The defaults are the choices of this SDK. The other values are legal, too."""
from dataclasses import dataclass


@dataclass
class Choices:
    # -- events
    batch_size: int = 50
    gather: float = 0.0  # seconds for which events wait for later events of the same request
    empty_attributes: bool = False  # send `{}` if the app passes no attributes; otherwise omit the member
    application_members: bool = False  # send language and versions beside the events, as the iOS SDK does
    hold_without_token: bool = True  # otherwise, send events without a token until the server refuses them

    # -- sessions and the launch
    app_start: bool = True
    app_start_first: bool = False  # report app:start before session:start, so outside the session
    session_after_sign_out: bool = False
    session_ends_at_exit: bool = False

    # -- contacts and tokens
    skip_same_contact: bool = False  # a repeated sign-in in the same process sends no request
    skip_anonymous_sign_out: bool = True
    anonymous_query: str = "anonymous=true"
    identified_query: str = ""
    max_refreshes: int = 3  # for each request
    pause_after_refresh: float = 0.0
    push_again_after_refresh: bool = False
    token_on_client: bool = False  # send the contact token with the registration, too
    token_on_fetches: bool = True  # send it with fetches of inbox and geo-fences

    # -- retrying
    pauses: tuple = (5.0, 10.0, 20.0, 40.0, 60.0)  # seconds; the last pause repeats; empty: no timer
    jitter: bool = False  # use a random pause between half and the whole of each pause
    retry_on_submit: bool = False
    honour_retry_after: bool = False
    redirect_is_final: bool = False

    # -- requests
    state_of_failures: bool = True  # store the client state of an answer with any status
    header_case: str = "usual"  # usual, lower, upper
    headers_reversed: bool = False
    sdk_mode: str | None = "production"
    content_type: str = "application/json"
    content_type_always: bool = False  # also without a body
    delete_body: bool = False  # send `{}` as the body of a DELETE request
    keep_alive: bool = False
    chunked: bool = False
    fetches_in_line: bool = False  # fetches and deep links wait for the open request
    send_delay: float = 0.0
    json_sorted: bool = False
    json_indent: int | None = None
    json_ascii: bool = True

    # -- identity and storage
    counting_order: bool = False  # 1, 2, 3 … instead of the time
    client_id_form: str = "uuid"  # uuid, capitals, hex, with-code
    session_id_capitals: bool = False
    keep_legacy_id: bool = True
    late_writes: bool = False  # write at the end of a turn of the event loop

    # -- change of the application code
    take_leave: bool = False  # remove the old push token and unlink the old contact

    events_v4: bool = False
