"""Defects. Each violates a requirement, which `defects.yaml` names. Authors of SDKs make such mistakes in any language:
a default that is not null, a flag that is never reset, an enum that is off by one, a wait that does not wait."""
import asyncio
import http.client
import os
import ssl
import threading
import types
from urllib.parse import quote, urlsplit

import sentiance.linkers as linkers
import sentiance.options as options_module
import sentiance.platform as platform_module
import sentiance.sdk as sdk_module
import sentiance.storage as storage
from patching import Changes, constant, replace
from sentiance.answers import BadAnswer, Configuration, Person, Token
from sentiance.device import Device
from sentiance.errors import Reason, SentianceError
from sentiance.legacy import LegacyInitialization
from sentiance.options import Creation, UserCreationOptions
from sentiance.platform import PlatformApi, Refused
from sentiance.sdk import Sentiance, UserInfo, digest
from sentiance.storage import Attempt, Store
from sentiance.transport import NoConnection, Transport

defects = Changes()
inject = defects.make
defect = defects.named

NOWHERE = "https://api.sentiance.invalid"  # never the real host


def patch_body(change):
    @replace(Sentiance, "creation_body")
    def make(original):
        def creation_body(self, creation, attempt):
            body = original(self, creation, attempt)
            change(self, creation, body)
            return body

        return creation_body


def patch_reasons(names):
    """Changes the reasons that a completion gets."""

    @replace(Sentiance, "complete")
    def make(original):
        def complete(self, completion, result=None, error=None):
            if error is not None and error.reason in names:
                error = SentianceError(names[error.reason], error.details)
            original(self, completion, result, error)

        return complete


def patch_obstacle(method, change):
    """Changes the obstacle that prevents a creation or a link: `change(sdk, obstacle)`."""

    @replace(Sentiance, method)
    def make(original):
        return lambda self: change(self, original(self))


def patch_settle(change):
    """Changes the last three arguments of a creation's result: `change(sdk, created, user_id, linked, configuration)`."""

    @replace(Sentiance, "settle_creation")
    def make(original):
        def settle_creation(self, creation, created, *rest):
            return original(self, creation, created, *change(self, created, *rest))

        return settle_creation


# -- creation options


@defect("options.no-credentials-are-empty")
def _():
    @replace(UserCreationOptions, "with_authentication_code")
    def make(original):
        def with_authentication_code(code):
            options = original(code)
            options.app_id = options.secret = ""
            return options

        return staticmethod(with_authentication_code)


@defect("options.nil-linker-reads-as-no-op")
def _():
    @replace(UserCreationOptions, "with_credentials")
    def make(original):
        return staticmethod(lambda app_id, secret, linker: original(app_id, secret, linker or linkers.NO_OP_LINKER))


@defect("options.url-has-a-default")
def _():
    @replace(UserCreationOptions, "__init__")
    def make(original):
        def init(self):
            original(self)
            self.platform_url = options_module.DEFAULT_PLATFORM_URL

        return init


@defect("options.url-ignored")
def _():
    options_module.base_url = lambda text: NOWHERE


@defect("options.first-url-sticks")
def _():
    seen = []

    def base_url(text, original=options_module.base_url):
        seen.append(original(text))
        return seen[0]

    options_module.base_url = base_url


@defect("options.url-lost-on-restart")
def _():
    @replace(Store, "document")
    def make(original):
        def document(self):
            kept = original(self)
            if kept["user"]:
                kept["user"]["platform_url"] = NOWHERE
            return kept

        return document


@defect("options.url-for-creation-alone")
def _():
    @replace(PlatformApi, "call")
    def make(original):
        def call(self, method, base, path, *rest, **named):
            return original(self, method, base if path == "/sdk/users" else NOWHERE, path, *rest, **named)

        return call


@defect("options.url-keeps-slash")
def _():
    @replace(options_module, "base_url")
    def make(original):
        return lambda text: original(text) + ("/" if text and text.endswith("/") else "")


@defect("options.url-loses-path")
def _():
    @replace(options_module, "base_url")
    def make(original):
        def base_url(text):
            parts = urlsplit(original(text))
            return f"{parts.scheme}://{parts.netloc}"

        return base_url


@defect("options.bad-url-crashes")
def _():
    @replace(options_module, "base_url")
    def make(original):
        def base_url(text):
            try:
                return original(text)
            except SentianceError:
                os._exit(70)  # URL(string:)! of Swift

        return base_url


@defect("options.no-op-asks-to-link")
def _():
    @replace(Sentiance, "creation_body")
    def make(original):
        def creation_body(self, creation, attempt):
            body = original(self, creation, attempt)
            if creation.linker is linkers.NO_OP_LINKER:
                body["linking"] = True
            return body

        return creation_body


@defect("options.nil-linker-asks-to-link")
def _():
    def change(sdk, creation, body):
        if creation.code is None and creation.linker is None:
            body["linking"] = True

    patch_body(change)


@defect("options.credentials-win")
def _():
    @replace(Creation, "__init__")
    def make(original):
        def init(self, options):
            if options.app_id is not None:
                options = types.SimpleNamespace(**{**vars(options), "authentication_code": None})
            original(self, options)

        return init


@defect("options.credentials-beside-the-code")
def _():
    @replace(Creation, "__init__")
    def make(original):
        def init(self, options):
            original(self, options)
            self.app_id, self.secret = options.app_id, options.secret

        return init

    def change(sdk, creation, body):
        if creation.code is not None and creation.app_id is not None:
            body.update(app_id=creation.app_id, secret=creation.secret)

    patch_body(change)


@defect("options.linker-called-with-a-code")
def _():
    @replace(Creation, "__init__")
    def make(original):
        def init(self, options):
            original(self, options)
            self.linker = options.linker

        return init


@defect("options.blank-code-sent")
def _():
    def check(name, value):
        if not value:
            raise SentianceError(Reason.INVALID_ARGUMENT, f"{name} is missing")

    Creation.check = staticmethod(check)


@defect("options.empty-code-sent")
def _():
    @replace(Creation, "check")
    def make(original):
        return staticmethod(lambda name, value: None if "code" in name and value is not None else original(name, value))


@defect("options.half-credentials-sent")
def _():
    @replace(Creation, "check")
    def make(original):
        return staticmethod(lambda name, value: None if "secret" in name or "app id" in name else original(name, value))


@defect("options.read-at-the-end")
def _():
    @replace(Sentiance, "create_user")
    def make(original):
        def create_user(self, options, completion):
            self.require_initialized()
            Creation(options)
            asyncio.get_running_loop().call_soon(original, self, options, completion)

        return create_user


@defect("options.code-in-referer")
def _():
    @replace(PlatformApi, "call")
    def make(original):
        async def call(self, method, base, path, token=None, body=None):
            self.referer = (body or {}).get("authentication_code")
            return await original(self, method, base, path, token, body)

        return call

    @replace(PlatformApi, "headers")
    def make_headers(original):
        def headers(self, *of):
            fields = original(self, *of)
            if self.referer:
                fields["Referer"] = "https://app.example.com/login?code=" + quote(self.referer)
            return fields

        return headers


@defect("options.secret-in-user-agent")
def _():
    @replace(Sentiance, "attempt_creation")
    def make(original):
        def attempt_creation(self, creation, attempt):
            if creation.secret:
                self.api.agent += f" app/{creation.app_id}:{creation.secret}"
            return original(self, creation, attempt)

        return attempt_creation


@defect("options.async-linker-read-as-sync")
def _():
    UserCreationOptions.user_linker = property(lambda self: linkers.links(self.linker) and self.linker or None)


# -- initialisation and state


@defect("init.not-needed")
def _():
    Sentiance.require_initialized = constant(None)


@defect("init.again-with-a-user")
def _():
    @replace(Sentiance, "initialize")
    def make(original):
        def initialize(self):
            self.init_phase = "NOT_INITIALIZED"
            original(self)

        return initialize


@defect("init.only-once")
def _():
    @replace(Sentiance, "initialize")
    def make(original):
        def initialize(self):
            if self.init_phase == "INITIALIZED":
                raise SentianceError(Reason.REINITIALIZATION_NOT_ALLOWED)
            original(self)

        return initialize


@defect("state.unknown-before-init")
def _():
    for name in ("user_exists", "is_user_linked"):
        @replace(Sentiance, name)
        def make(original):
            return lambda self: self.init_phase != "NOT_INITIALIZED" and original(self)


@defect("state.needs-init")
def _():
    for name in ("user_exists", "is_user_linked"):
        @replace(Sentiance, name)
        def make(original):
            def get(self):
                if self.init_phase == "NOT_INITIALIZED" and not self.running:
                    raise SentianceError(Reason.NOT_INITIALIZED)
                return original(self)

            return get


@defect("state.linked-forgotten-on-restart")
def _():
    @replace(Store, "document")
    def make(original):
        def document(self):
            kept = original(self)
            if kept["user"]:
                kept["user"]["linked"] = False
            return kept

        return document


@defect("state.user-in-memory")
def _():
    @replace(Store, "document")
    def make(original):
        return lambda self: {**original(self), "user": None}


@defect("state.anonymous-is-linked")
def _():
    Sentiance.is_user_linked = lambda self: self.user_exists()


# -- creation


@defect("creation.sent-twice")
def _():
    @replace(PlatformApi, "create")
    def make(original):
        async def create(self, base, body):
            created = await original(self, base, body)
            return await original(self, base, body) if "authentication_code" in body else created

        return create


@defect("creation.install-id-told")
def _():
    @replace(Sentiance, "info")
    def make(original):
        return lambda self: UserInfo(self.store.user.install_id, self.store.user.token)


@defect("creation.without-device")
def _():
    patch_body(lambda sdk, creation, body: body.pop("device"))


@defect("creation.without-app")
def _():
    patch_body(lambda sdk, creation, body: body.pop("app"))


@defect("creation.form-factor-capital")
def _():
    patch_body(lambda sdk, creation, body: body["device"].update(form_factor=body["device"]["form_factor"].upper()))


@defect("creation.switched-off-ignored")
def _():
    Configuration.enabled = property(lambda self: self.active)


@defect("creation.links-itself")
def _():
    @replace(Sentiance, "call_linker")
    def make(original):
        async def call_linker(self, linker, install_id):
            await original(self, linker, install_id)
            where = (self.install or self.store.user).platform_url
            await self.api.send(
                "POST", f"{where}/v2/users/{install_id}/link", self.api.headers(None, True), b'{"external_id": "me"}')

        return call_linker


@defect("creation.asks-for-a-code")
def _():
    @replace(Sentiance, "attempt_creation")
    def make(original):
        async def attempt_creation(self, creation, attempt):
            if creation.code is not None:
                url = creation.platform_url + "/users/auth-code"
                await self.api.send("POST", url, self.api.headers(None, True), b'{"external_id": "me"}')
            return await original(self, creation, attempt)

        return attempt_creation


@defect("creation.replaces-user")
def _():
    patch_obstacle("obstacle_to_creation", lambda sdk, obstacle: None if obstacle == Reason.USER_ALREADY_EXISTS else obstacle)


@defect("creation.spends-code-first")
def _():
    @replace(Sentiance, "create_user")
    def make(original):
        def create_user(self, options, completion):
            if self.user_exists() and options.authentication_code:
                creation = Creation(options)
                body = self.creation_body(creation, Attempt(self.new_attempt_id(), ""))
                self.spawn(self.api.create(creation.platform_url, body))
            original(self, options, completion)

        return create_user


@defect("creation.second-ends-first")
def _():
    @replace(Sentiance, "create_user")
    def make(original):
        def create_user(self, options, completion):
            first = self.running.get("creation")
            original(self, options, completion)
            if first is not None:
                first.cancel()

        return create_user


@defect("creation.second-replaces-completion")
def _():
    """The SDK stores the completion in a property. A refused call overwrites this property."""

    @replace(Sentiance, "create_user")
    def make(original):
        def create_user(self, options, completion):
            self.latest = completion
            original(self, options, completion)

        return create_user

    @replace(Sentiance, "carry_out")
    def make_carry_out(original):
        def carry_out(self, name, work, completion):
            def told(result, error):
                (self.latest if name == "creation" else completion)(result, error)

            return original(self, name, work, told)

        return carry_out


@defect("creation.during-creation-already-exists")
def _():
    patch_reasons({Reason.USER_CREATION_IN_PROGRESS: Reason.USER_ALREADY_EXISTS})


@defect("creation.during-reset-is-silent")
def _():
    @replace(Sentiance, "create_user")
    def make(original):
        return lambda self, *of: None if "reset" in self.running else original(self, *of)


@defect("creation.during-reset-runs")
def _():
    patch_obstacle(
        "obstacle_to_creation", lambda sdk, obstacle: None if obstacle == Reason.SDK_RESET_IN_PROGRESS else obstacle)


@defect("creation.kept-late")
def _():
    """The user is stored a second after the completion was called. If the app dies in between, the user is lost."""

    @replace(Store, "save")
    def make(original):
        return lambda self: asyncio.get_running_loop().call_later(1, original, self)


@defect("creation.new-attempt-each-time")
def _():
    @replace(Sentiance, "attempt")
    def make(original):
        def attempt(self, creation):
            self.store.attempt = None
            return original(self, creation)

        return attempt


@defect("creation.attempt-of-the-device")
def _():
    """The id of an attempt is computed from device and app. So an app that is installed again gets its former install."""

    @replace(Sentiance, "attempt")
    def make(original):
        def attempt(self, creation):
            found = original(self, creation)
            found.id = digest(self.device.model, self.app.bundle_id, str(creation.app_id))
            return found

        return attempt


@defect("creation.unfinished-blocks")
def _():
    """A creation that the end of the app interrupted counts as still in progress."""
    @replace(Store, "__init__")
    def make(original):
        def init(self, folder):
            original(self, folder)
            self.unfinished = self.attempt is not None

        return init

    patch_obstacle(
        "obstacle_to_creation",
        lambda sdk, obstacle: obstacle or (Reason.USER_CREATION_IN_PROGRESS if sdk.store.unfinished else None))


@defect("creation.install-is-a-user")
def _():
    """The user exists after the first answer of the platform, before it is linked."""

    @replace(Sentiance, "link_install")
    def make(original):
        async def link_install(self, linker, install):
            if not self.user_exists():
                self.store.keep_user(storage.User(
                    install.id, install.id, install.token, False, True, install.platform_url))
            return await original(self, linker, install)

        return link_install


# -- linkers


@defect("linker.twice")
def _():
    @replace(Sentiance, "call_linker")
    def make(original):
        async def call_linker(self, linker, install_id):
            await original(self, linker, install_id)
            await original(self, linker, install_id)

        return call_linker


def patch_install_id(change):
    @replace(Sentiance, "call_linker")
    def make(original):
        return lambda self, linker, install_id: original(self, linker, change(install_id))


@defect("linker.own-install-id")
def _():
    patch_install_id(lambda id: digest(id)[:24])


@defect("linker.install-id-in-small-letters")
def _():
    patch_install_id(str.lower)


@defect("linker.install-id-encoded")
def _():
    patch_install_id(lambda id: quote(id, safe=""))


@defect("linker.install-id-with-prefix")
def _():
    patch_install_id(lambda id: "install:" + id)


@defect("linker.confirmed-meanwhile")
def _():
    @replace(Sentiance, "call_linker")
    def make(original):
        async def call_linker(self, linker, install_id):
            install = self.install
            if install is not None:
                self.spawn(self.quietly(self.api.person(install.platform_url, install.token.id)))
            await original(self, linker, install_id)

        return call_linker

    async def quietly(self, request):
        try:
            await request
        except (NoConnection, Refused, BadAnswer):
            pass

    Sentiance.quietly = quietly


@defect("linker.return-is-success")
def _():
    def run(self, install_id, call):
        self.link(install_id, linkers.LinkerCallback(call))
        call.settle(True)

    linkers.AsyncUserLinker.run = run


@defect("linker.future-is-success")
def _():
    def run(self, install_id, call):
        call.settle(bool(self.link(install_id)))

    linkers.FutureUserLinker.run = run


@defect("linker.never-confirmed")
def _():
    async def link_install(self, linker, install):
        await self.call_linker(linker, install.id)
        user = self.store.user
        return Person(user.id if user else install.id, True, Configuration(True, True, False))

    Sentiance.link_install = link_install


def without_confirmation(fallback):
    """If a link fails, uses the result of `fallback(sdk, install, error)`."""

    @replace(Sentiance, "link_install")
    def make(original):
        async def link_install(self, linker, install):
            try:
                return await original(self, linker, install)
            except SentianceError as error:
                return fallback(self, install, error)

        return link_install


def anonymous(sdk, install, error):
    if error.reason == Reason.APP_SIDE_LINKING_FAILED and error.__cause__ is None:
        return Person(install.id, False, Configuration(True, False, False))
    raise error


@defect("linker.failure-ignored")
def _():
    linkers.LinkerCallback.on_failure = linkers.LinkerCallback.on_success

    def run(self, install_id, call):
        self.link(install_id)
        call.settle(True)

    linkers.SyncUserLinker.run = run


@defect("linker.failure-makes-anonymous")
def _():
    without_confirmation(anonymous)


@defect("linker.failure-is-unexpected")
def _():
    patch_reasons({Reason.APP_SIDE_LINKING_FAILED: Reason.UNEXPECTED_ERROR})


@defect("linker.failure-needs-reset")
def _():
    """A failed creation counts as in progress until a reset."""
    patch_obstacle(
        "obstacle_to_creation",
        lambda sdk, obstacle: obstacle or (Reason.USER_CREATION_IN_PROGRESS if getattr(sdk, "stuck", False) else None))

    @replace(Sentiance, "create")
    def make(original):
        async def create(self, creation):
            self.stuck = True
            info = await original(self, creation)
            self.stuck = False
            return info

        return create


@defect("linker.app-believed")
def _():
    """The SDK ignores the answer of the platform about the link."""
    without_confirmation(
        lambda sdk, install, error: Person(
            sdk.store.user.id if sdk.store.user else install.id, True, Configuration(True, True, False))
        if error.reason == Reason.APP_SIDE_LINKING_FAILED and "linker" not in error.details else raised(error))


def raised(error):
    raise error


@defect("linker.confirmed-again-and-again")
def _():
    @replace(PlatformApi, "person")
    def make(original):
        async def person(self, base, token):
            for _ in range(40):
                try:
                    found = await original(self, base, token)
                    if found.linked:
                        return found
                except Refused as refused:
                    if refused.status != 404:
                        raise
                await asyncio.sleep(5)
            return await original(self, base, token)

        return person


@defect("linker.silence-makes-anonymous")
def _():
    @replace(linkers.LinkerCall, "succeeded")
    def make(original):
        async def succeeded(self, patience):
            linked = await original(self, patience)
            self.silent = not self.outcome.done() or self.outcome.cancelled()
            if self.silent:
                raise SentianceError(Reason.APP_SIDE_LINKING_FAILED, "silence")
            return linked

        return succeeded

    without_confirmation(
        lambda sdk, install, error: anonymous(sdk, install, error) if error.details == "silence" else raised(error))


@defect("linker.throw-crashes")
def _():
    def run_linker(linker, install_id, call):
        try:
            linker.run(install_id, call)
        except Exception:
            os._exit(70)

    sdk_module.run_linker = run_linker


@defect("linker.throw-is-lost")
def _():
    def run_linker(linker, install_id, call):
        try:
            linker.run(install_id, call)
        except Exception:
            pass  # no failure is reported, so the SDK waits

    sdk_module.run_linker = run_linker


@defect("linker.reject-is-lost")
def _():
    def report(self, future, call):
        if not future.cancelled() and future.exception() is None:
            call.settle(future.result())

    linkers.FutureUserLinker.report = report


@defect("linker.truthy-is-success")
def _():
    @replace(linkers.LinkerCall, "settle")
    def make(original):
        return lambda self, linked: original(self, bool(linked))


@defect("linker.last-report-counts")
def _():
    @replace(linkers.LinkerCall, "succeeded")
    def make(original):
        async def succeeded(self, patience):
            await original(self, patience)
            await asyncio.sleep(1)
            return self.latest is True

        return succeeded

    @replace(linkers.LinkerCall, "take")
    def make_take(original):
        def take(self, linked):
            self.latest = linked
            original(self, linked)

        return take

    linkers.LinkerCall.latest = None


@defect("linker.completes-twice")
def _():
    """Each report of a linker completes the creation again."""

    @replace(linkers.LinkerCall, "take")
    def make(original):
        def take(self, linked):
            if self.outcome.done() and self.complete:
                self.complete()
            original(self, linked)

        return take

    linkers.LinkerCall.complete = None

    @replace(Sentiance, "run_linker")
    def make_run(original):
        def run_linker(self, work):
            call = next(cell.cell_contents for cell in work.__closure__ if isinstance(cell.cell_contents, linkers.LinkerCall))
            self.last_completion = None
            call.complete = lambda: self.last_completion and self.complete(*self.last_completion)
            original(self, work)

        return run_linker

    @replace(Sentiance, "complete")
    def make_complete(original):
        def complete(self, completion, result=None, error=None):
            self.last_completion = completion, result, error
            original(self, completion, result, error)

        return complete


@defect("linker.late-success-counts")
def _():
    """A success that arrives after the creation has failed, or after a reset, creates the user nevertheless."""

    @replace(linkers.LinkerCall, "take")
    def make(original):
        def take(self, linked):
            if self.outcome.done() and linked is True and self.late:
                self.late()
            original(self, linked)

        return take

    linkers.LinkerCall.late = None

    @replace(Sentiance, "call_linker")
    def make_call(original):
        async def call_linker(self, linker, install_id):
            install = self.install
            made = sdk_module.LinkerCall

            def remember(loop):
                call = made(loop)
                call.late = lambda: self.spawn(self.take_late(install))
                return call

            sdk_module.LinkerCall = remember
            try:
                await original(self, linker, install_id)
            finally:
                sdk_module.LinkerCall = made

        return call_linker

    async def take_late(self, install):
        if install is None or self.user_exists():
            return
        try:
            person = await self.api.person(install.platform_url, install.token.id)
        except (NoConnection, Refused, BadAnswer):
            return
        self.store.keep_user(storage.User(
            person.id, install.id, install.token, True, True, install.platform_url))

    Sentiance.take_late = take_late


@defect("linker.on-main-thread")
def _():
    Sentiance.run_linker = lambda self, work: self.main.post(work)


@defect("linker.one-thread-may-report")
def _():
    @replace(linkers.LinkerCall, "settle")
    def make(original):
        def settle(self, linked):
            if threading.current_thread() is not threading.main_thread() and self.thread in (None, threading.current_thread()):
                original(self, linked)

        return settle

    linkers.LinkerCall.thread = None

    @replace(sdk_module, "run_linker")
    def make_run(original):
        def run_linker(linker, install_id, call):
            call.thread = threading.current_thread()
            original(linker, install_id, call)

        return run_linker


@defect("linker.async-return-is-outcome")
def _():
    def run(self, install_id, call):
        call.settle(self.link(install_id, linkers.LinkerCallback(call)))

    linkers.AsyncUserLinker.run = run


@defect("linker.future-is-no-boolean")
def _():
    def run(self, install_id, call):
        call.settle(self.link(install_id))

    linkers.FutureUserLinker.run = run


# -- errors and answers


@defect("network.is-a-server-error")
def _():
    patch_reasons({Reason.NETWORK_ERROR: Reason.SERVER_ERROR})


@defect("network.unlimited-wait")
def _():
    Transport.limit = 1e6


@defect("server.is-a-network-error")
def _():
    @replace(Sentiance, "refusal_reason")
    def make(original):
        return lambda self, refused: Reason.NETWORK_ERROR if refused.status >= 500 else original(self, refused)


@defect("server.asked-six-times")
def _():
    repeat_creation(lambda refused: refused.status >= 500, 5)


@defect("refusal.asked-again")
def _():
    repeat_creation(lambda refused: refused.status < 500, 1)


def repeat_creation(wanted, times):
    @replace(PlatformApi, "create")
    def make(original):
        async def create(self, base, body):
            for _ in range(times):
                try:
                    return await original(self, base, body)
                except Refused as refused:
                    if not wanted(refused):
                        raise
                await asyncio.sleep(1)
            return await original(self, base, body)

        return create


@defect("refusal.says-nothing")
def _():
    @replace(platform_module.Refused, "__str__")
    def make(original):
        return lambda self: "the request has failed"


@defect("refusal.is-no-error")
def _():
    """The SDK reads the body of an answer with any status. Missing members have defaults."""

    @replace(Sentiance, "attempt_creation")
    def make(original):
        async def attempt_creation(self, creation, attempt):
            try:
                return await original(self, creation, attempt)
            except SentianceError as error:
                if isinstance(error.__cause__, Refused) and error.__cause__.status < 500:
                    token = Token("", "2099-01-01T00:00:00Z")
                    self.store.keep_user(storage.User("", "", token, False, True, creation.platform_url))
                    return self.info()
                raise

        return attempt_creation


@defect("answer.id-may-be-missing")
def _():
    @replace(platform_module, "read_created_user")
    def make(original):
        def read_created_user(body):
            return original({"user_id": "undefined", **body})

        return read_created_user


@defect("answer.numbers-are-texts")
def _():
    @replace(platform_module, "read_created_user")
    def make(original):
        def read_created_user(body):
            texts = {name: str(body[name]) for name in ("user_id", "install_id") if isinstance(body.get(name), (int, float))}
            return original({**body, **texts})

        return read_created_user


@defect("answer.token-may-be-missing")
def _():
    @replace(platform_module, "read_created_user")
    def make(original):
        return lambda body: original({"token": {"id": "none", "expires_at": "2099-01-01T00:00:00Z"}, **body})


@defect("answer.no-json-crashes")
def _():
    @replace(platform_module, "document")
    def make(original):
        def document(data):
            try:
                return original(data)
            except BadAnswer:
                os._exit(70)  # try! of Swift

        return document


@defect("answer.nonsense-is-silent")
def _():
    """An exception of the parser ends the task, and the completion is never called."""

    @replace(Sentiance, "ask")
    def make(original):
        async def ask(self, request):
            try:
                return await original(self, request)
            except SentianceError as error:
                if isinstance(error.__cause__, BadAnswer):
                    await asyncio.get_running_loop().create_future()
                raise

        return ask


@defect("answer.unknown-members-refused")
def _():
    known = {"install_id", "token", "user_id", "linked", "restored", "active", "config"}

    @replace(platform_module, "read_created_user")
    def make(original):
        def read_created_user(body):
            if set(body) - known:
                raise BadAnswer("unknown members")
            return original(body)

        return read_created_user


@defect("details.are-an-object")
def _():
    patch_details(lambda error: {"message": error.details})


@defect("details.are-null")
def _():
    patch_details(lambda error: None)


def patch_details(make_details):
    @replace(Sentiance, "complete")
    def make(original):
        def complete(self, completion, result=None, error=None):
            if error is not None:
                error.details = make_details(error)
            original(self, completion, result, error)

        return complete


@defect("completion.has-both")
def _():
    @replace(Sentiance, "complete")
    def make(original):
        def complete(self, completion, result=None, error=None):
            original(self, completion, result or UserInfo("", Token("", "")) if error else result, error)

        return complete


@defect("completion.has-neither")
def _():
    @replace(Sentiance, "carry_out")
    def make(original):
        def carry_out(self, name, work, completion):
            def told(result, error):
                lost = name == "creation" and error is not None and error.reason == Reason.SERVER_ERROR
                completion(result, None if lost else error)

            return original(self, name, work, told)

        return carry_out


@defect("completion.in-background")
def _():
    Sentiance.complete = lambda self, completion, result=None, error=None: self.background.submit(
        lambda: completion(result, error))


@defect("completion.twice")
def _():
    @replace(Sentiance, "complete")
    def make(original):
        def complete(self, completion, result=None, error=None):
            original(self, completion, result, error)
            if result is not None:
                original(self, completion, result, error)

        return complete


@defect("reasons.shifted")
def _():
    """An enum is converted by its numbers, and one side has an additional name."""
    patch_reasons({
        Reason.NETWORK_ERROR: Reason.SERVER_ERROR, Reason.SERVER_ERROR: Reason.UNEXPECTED_ERROR,
        Reason.UNEXPECTED_ERROR: Reason.APP_SIDE_LINKING_FAILED,
    })


@defect("redirect.followed")
def _():
    @replace(Transport, "send")
    def make(original):
        async def send(self, method, url, headers, body):
            answer = await original(self, method, url, headers, body)
            for _ in range(3):
                if answer[0] not in (301, 302, 307, 308) or "location" not in answer[1]:
                    break
                answer = await original(self, method, answer[1]["location"], headers, body)
            return answer

        return send


@defect("tls.anything-trusted")
def _():
    @replace(http.client.HTTPSConnection, "__init__")
    def make(original):
        def init(self, *arguments, **named):
            original(self, *arguments, **{**named, "context": ssl._create_unverified_context()})

        return init


# -- late linking


@defect("late.id-changes")
def _():
    @replace(Sentiance, "settle_linking")
    def make(original):
        def settle_linking(self, user, person):
            original(self, user, person)
            user.id = user.install_id
            self.store.save()
            return self.info()

        return settle_linking


@defect("late.creates-another-user")
def _():
    async def link_late_with_code(self, user, code):
        creation = Creation(types.SimpleNamespace(authentication_code=code, platform_url=user.platform_url))
        return await self.create(creation)

    Sentiance.link_late_with_code = link_late_with_code


@defect("late.linked-flag-forgotten")
def _():
    @replace(Sentiance, "settle_linking")
    def make(original):
        def settle_linking(self, user, person):
            info = original(self, user, person)
            user.linked = False
            return info

        return settle_linking


@defect("late.linker-called-without-user")
def _():
    call_linker_first(lambda sdk: not sdk.user_exists())


@defect("late.linker-called-when-linked")
def _():
    call_linker_first(lambda sdk: sdk.is_user_linked())


def call_linker_first(when):
    @replace(Sentiance, "link_user_with_linker")
    def make(original):
        def link_user_with_linker(self, linker, completion):
            self.require_initialized()
            if when(self):
                user = self.store.user
                call = linkers.LinkerCall(asyncio.get_running_loop())
                self.run_linker(lambda: linkers.run_linker(linker, user.install_id if user else "", call))
            original(self, linker, completion)

        return link_user_with_linker


@defect("late.linked-again")
def _():
    patch_obstacle(
        "obstacle_to_linking",
        lambda sdk, obstacle: None if obstacle and obstacle.reason == Reason.USER_ALREADY_LINKED else obstacle)


@defect("late.no-user-is-unexpected")
def _():
    patch_obstacle(
        "obstacle_to_linking",
        lambda sdk, obstacle: SentianceError(Reason.UNEXPECTED_ERROR)
        if obstacle and obstacle.reason == Reason.NO_USER else obstacle)


def after_failed_link(then):
    for name in ("link_late_with_code", "link_late_with_linker"):
        @replace(Sentiance, name)
        def make(original):
            async def link(self, user, *of):
                try:
                    return await original(self, user, *of)
                except SentianceError:
                    then(self, user)
                    raise

            return link


@defect("late.refusal-links")
def _():
    def then(sdk, user):
        user.linked = True

    after_failed_link(then)


@defect("late.refusal-removes-user")
def _():
    after_failed_link(lambda sdk, user: sdk.store.wipe())


@defect("late.only-once")
def _():
    def then(sdk, user):
        sdk.link_has_failed = True

    after_failed_link(then)
    patch_obstacle(
        "obstacle_to_linking",
        lambda sdk, obstacle: obstacle or (
            SentianceError(Reason.UNEXPECTED_ERROR) if getattr(sdk, "link_has_failed", False) else None))


@defect("late.all-is-unexpected")
def _():
    @replace(Sentiance, "carry_out")
    def make(original):
        def carry_out(self, name, work, completion):
            def told(result, error):
                if name == "linking" and error is not None:
                    error = SentianceError(Reason.UNEXPECTED_ERROR, error.details)
                completion(result, error)

            return original(self, name, work, told)

        return carry_out


@defect("late.when-switched-off")
def _():
    patch_obstacle(
        "obstacle_to_linking",
        lambda sdk, obstacle: None if obstacle and obstacle.reason == Reason.USER_DISABLED_REMOTELY else obstacle)


# -- token


@defect("token.never-renewed")
def _():
    Token.is_valid = constant(True)


@defect("token.always-renewed")
def _():
    Token.is_valid = constant(False)


@defect("token.renewal-not-kept")
def _():
    @replace(Sentiance, "renew_token")
    def make(original):
        async def renew_token(self, user):
            former = user.token
            token = await original(self, user)
            user.token = former
            return token

        return renew_token


@defect("token.expired-when-offline")
def _():
    @replace(Sentiance, "renew_token")
    def make(original):
        async def renew_token(self, user):
            try:
                return await original(self, user)
            except SentianceError as error:
                if isinstance(error.__cause__, NoConnection):
                    return user.token
                raise

        return renew_token


@defect("token.no-user-is-network")
def _():
    @replace(Sentiance, "request_token")
    def make(original):
        async def request_token(self):
            if not self.user_exists():
                raise SentianceError(Reason.NETWORK_ERROR)
            return await original(self)

        return request_token


# -- reset


@defect("reset.keeps-id")
def _():
    @replace(Sentiance, "user_id")
    def make(original):
        def user_id(self):
            self.remembered = original(self) or getattr(self, "remembered", None)
            return self.remembered

        return user_id


@defect("reset.keeps-token")
def _():
    @replace(Sentiance, "request_token")
    def make(original):
        async def request_token(self):
            if self.user_exists() or not hasattr(self, "remembered_token"):
                self.remembered_token = await original(self)
            return self.remembered_token

        return request_token


@defect("reset.in-memory")
def _():
    def wipe(self):
        self.user = self.attempt = None

    Store.wipe = wipe


@defect("reset.keeps-linked-user")
def _():
    @replace(Store, "wipe")
    def make(original):
        return lambda self: None if self.user and self.user.linked else original(self)


@defect("reset.former-token-sent")
def _():
    @replace(Sentiance, "remove_user")
    def make(original):
        async def remove_user(self):
            self.api.former = self.store.user and self.store.user.token.id
            await original(self)

        return remove_user

    PlatformApi.former = None

    @replace(PlatformApi, "headers")
    def make_headers(original):
        return lambda self, token, has_body: original(self, token or self.former, has_body)


@defect("reset.needs-init")
def _():
    @replace(Sentiance, "reset")
    def make(original):
        def reset(self, completion):
            self.require_initialized()
            original(self, completion)

        return reset


@defect("reset.twice-succeeds")
def _():
    @replace(Sentiance, "reset")
    def make(original):
        return lambda self, completion: self.complete(completion) if "reset" in self.running else original(self, completion)


@defect("reset.during-legacy-init-runs")
def _():
    @replace(Sentiance, "reset")
    def make(original):
        def reset(self, completion):
            starting = self.running.pop("initialization", None)
            original(self, completion)
            if starting is not None:
                self.running["initialization"] = starting

        return reset


@defect("reset.not-announced")
def _():
    async def announce_reset(self, leaving):
        pass

    Sentiance.announce_reset = announce_reset


@defect("reset.fails-unannounced")
def _():
    async def announce_reset(self, leaving):
        await self.ask(self.api.announce_reset(leaving.platform_url, leaving.token.id))

    Sentiance.announce_reset = announce_reset


@defect("reset.uninitialises")
def _():
    @replace(Sentiance, "remove_user")
    def make(original):
        async def remove_user(self):
            await original(self)
            self.init_phase = "NOT_INITIALIZED"

        return remove_user


# -- the active device


@defect("device.seven-is-phone")
def _():
    Device.form_factor = lambda self: (
        self.form if self.screen_inches is None else "phone" if self.screen_inches <= 7 else "tablet")


@defect("device.always-phone")
def _():
    Device.form_factor = constant("phone")


@defect("device.deactivation-unnoticed")
def _():
    @replace(Sentiance, "apply")
    def make(original):
        return lambda self, user, configuration: None


@defect("device.passive-is-enabled")
def _():
    Configuration.enabled = property(lambda self: not self.switched_off)


@defect("device.deactivation-removes-user")
def _():
    @replace(Sentiance, "apply")
    def make(original):
        return lambda self, user, configuration: original(self, user, configuration) if configuration.enabled else self.store.wipe()


# -- legacy initialisation


def patch_issues(names):
    @replace(LegacyInitialization, "issue_reason")
    def make(original):
        def issue_reason(self, *of):
            reason = original(self, *of)
            return names.get(reason, reason)

        return issue_reason


@defect("legacy.link-failed-is-an-error")
def _():
    patch_issues({Reason.LINK_FAILED: Reason.INITIALIZATION_ERROR})


@defect("legacy.succeeds-unlinked")
def _():
    @replace(LegacyInitialization, "have_user")
    def make(original):
        async def have_user(self, creation):
            try:
                await original(self, creation)
            except SentianceError as error:
                if error.reason != Reason.APP_SIDE_LINKING_FAILED:
                    raise
                self.is_enabled = constant(True)

        return have_user


@defect("legacy.outcome-sticks")
def _():
    """The latch that the first linker opened is never reset."""

    @replace(LegacyInitialization, "start")
    def make(original):
        async def start(self, options):
            if getattr(self, "failed_before", None):
                self.init_phase = "NOT_INITIALIZED"
                raise self.failed_before
            try:
                await original(self, options)
            except SentianceError as error:
                if error.reason == Reason.LINK_FAILED:
                    self.failed_before = error
                raise

        return start


@defect("legacy.links-at-each-start")
def _():
    @replace(LegacyInitialization, "have_user")
    def make(original):
        async def have_user(self, creation):
            user = self.store.user
            if user is not None and user.linked and creation.linking:
                await self.link_late_with_linker(user, creation.linker)
                return
            await original(self, creation)

        return have_user


@defect("legacy.never-links-later")
def _():
    @replace(LegacyInitialization, "have_user")
    def make(original):
        async def have_user(self, creation):
            if self.store.user is not None:
                creation.linker = None
            await original(self, creation)

        return have_user


@defect("legacy.needs-a-linker")
def _():
    @replace(LegacyInitialization, "have_user")
    def make(original):
        async def have_user(self, creation):
            if not creation.linking:
                raise SentianceError(Reason.APP_SIDE_LINKING_FAILED, "there is no linker")
            await original(self, creation)

        return have_user


@defect("legacy.wrong-credentials-are-an-error")
def _():
    patch_issues({Reason.INVALID_CREDENTIALS: Reason.INITIALIZATION_ERROR})


@defect("legacy.changed-credentials-used")
def _():
    LegacyInitialization.check_credentials = constant(None)


@defect("legacy.changed-credentials-remove-user")
def _():
    @replace(LegacyInitialization, "check_credentials")
    def make(original):
        def check_credentials(self, *of):
            try:
                original(self, *of)
            except SentianceError:
                self.store.wipe()
                raise

        return check_credentials


@defect("legacy.out-of-reach-is-an-error")
def _():
    patch_issues({Reason.SERVICE_UNREACHABLE: Reason.INITIALIZATION_ERROR})


@defect("legacy.during-reset-runs")
def _():
    @replace(LegacyInitialization, "init")
    def make(original):
        def init(self, *of):
            resetting = self.running.pop("reset", None)
            original(self, *of)
            if resetting is not None:
                self.running["reset"] = resetting

        return init


@defect("legacy.starts-switched-off")
def _():
    @replace(LegacyInitialization, "start")
    def make(original):
        async def start(self, options):
            try:
                await original(self, options)
            except SentianceError as error:
                if error.reason != Reason.REMOTE_DISABLED:
                    raise
                self.init_phase = "INITIALIZED"

        return start
