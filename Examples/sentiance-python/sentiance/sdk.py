"""The SDK. It creates and removes the Sentiance user of the device. There is at most one user.

Its methods must be called on an asyncio loop. Requests and linkers run on separate threads, and completions on the app's
main thread, so no lock is needed here. The SDK uses the timers of the loop.
"""
import asyncio
import hashlib
import threading
import time
import uuid
from dataclasses import dataclass

from .answers import BadAnswer, Token
from .errors import Reason, SentianceError
from .init_state import InitState
from .legacy import LegacyInitialization
from .linkers import LinkerCall, links, run_linker
from .options import Creation
from .platform import PlatformApi, Refused
from .storage import Attempt, Store, User
from .transport import NoConnection, Transport

VERSION = "6.16.0"
LINKER_LIMIT = 60  # seconds until a linker without a report has failed
ANNOUNCEMENT_LIMIT = 10  # seconds that a reset waits for the answer of the platform


@dataclass
class UserInfo:
    """The result that a completion gets."""

    user_id: str
    token: Token


@dataclass
class Install:
    """The install of a device. It may not have a user yet."""

    platform_url: str
    id: str
    token: Token


class LoopThread:
    """The app's main thread if this is the thread of the loop."""

    def post(self, work):
        asyncio.get_running_loop().call_soon(work)


class NewThreads:
    """Runs each piece of work on a new thread, since a linker may block for any time."""

    def submit(self, work):
        threading.Thread(target=work, daemon=True).start()


class Sentiance(LegacyInitialization):
    def __init__(self, folder, app, device, transport=None, wall_clock=time.time, main=None, background=None):
        self.store = Store(folder)
        self.app, self.device, self.wall_clock = app, device, wall_clock
        self.api = PlatformApi(transport or Transport(), f"Sentiance/{VERSION} ({device.label()})")
        self.main, self.background = main or LoopThread(), background or NewThreads()
        self.init_phase, self.is_legacy = InitState.NOT_INITIALIZED, False
        self.tasks, self.running = set(), {}  # all tasks, and the app's operations by name
        self.install, self.renewal, self.closed = None, None, False

    def close(self):
        """Ends the SDK with the app. Completions are not called any more."""
        self.closed = True

    # -- initialisation and state

    def initialize(self):
        """Makes the SDK ready. Creates no user. Refreshes the configuration of an existing user."""
        if "reset" in self.running:
            raise SentianceError(Reason.SDK_RESET_IN_PROGRESS, "a reset is running")
        if self.init_phase == InitState.INIT_IN_PROGRESS:
            raise SentianceError(Reason.EXCEPTION_OR_ERROR, "the legacy initialisation is running")
        if self.init_phase == InitState.INITIALIZED and (self.user_exists() or "creation" in self.running):
            raise SentianceError(Reason.REINITIALIZATION_NOT_ALLOWED, "there is a user already")
        self.init_phase, self.is_legacy = InitState.INITIALIZED, False
        if self.user_exists():
            self.spawn(self.refresh())

    def init_state(self):
        return InitState.RESETTING if "reset" in self.running else self.init_phase

    def user_exists(self):
        return self.store.user is not None

    def is_user_linked(self):
        return self.user_exists() and self.store.user.linked

    def user_id(self):
        return self.store.user.id if self.user_exists() else None

    def is_enabled(self):
        return self.user_exists() and self.store.user.enabled

    # -- creation

    def create_user(self, options, completion):
        """Creates or restores a user. `completion(info, error)` gets one of the two arguments; the other is None."""
        self.require_initialized()
        creation = Creation(options)
        obstacle = self.obstacle_to_creation()
        if obstacle:
            self.complete(completion, error=SentianceError(obstacle))
        else:
            self.begin("creation", self.create(creation), completion)

    def obstacle_to_creation(self):
        if "reset" in self.running:
            return Reason.SDK_RESET_IN_PROGRESS
        if "creation" in self.running:
            return Reason.USER_CREATION_IN_PROGRESS
        if self.user_exists():
            return Reason.USER_ALREADY_EXISTS
        return None

    async def create(self, creation):
        attempt = self.attempt(creation)
        try:
            return await self.attempt_creation(creation, attempt)
        except SentianceError as error:
            if self.is_final(error):
                self.store.keep_attempt(None)
            raise
        finally:
            self.install = None

    async def attempt_creation(self, creation, attempt):
        base = creation.platform_url
        created = await self.ask(self.api.create(base, self.creation_body(creation, attempt)))
        if not creation.linking:
            if created.user_id is None:
                raise SentianceError(Reason.SERVER_ERROR, "the platform has given no user")
            return self.settle_creation(
                creation, created, created.user_id, created.linked, created.configuration)
        self.install = Install(base, created.install_id, created.token)
        person = await self.link_install(creation.linker, self.install)
        return self.settle_creation(creation, created, person.id, True, person.configuration)

    def settle_creation(self, creation, created, user_id, linked, configuration):
        """Stores the user before the completion is called, so that the user survives a crash between the two."""
        self.store.keep_user(User(
            user_id, created.install_id, created.token, linked, configuration.enabled, creation.platform_url,
            self.credentials_digest(creation)))
        return self.info()

    def creation_body(self, creation, attempt):
        return {
            **creation.credentials(), "app": self.app.facts(), "device": self.device.facts(),
            "sdk": {"version": VERSION}, "attempt_id": attempt.id,
        }

    def attempt(self, creation):
        """The unfinished attempt if it has the same key as this creation, else a new attempt."""
        key = digest(*(str(value) for value in creation.credentials().values()))
        if self.store.attempt is None or self.store.attempt.key != key:
            self.store.keep_attempt(Attempt(self.new_attempt_id(), key))
        return self.store.attempt

    def new_attempt_id(self):
        return str(uuid.uuid4())

    def is_final(self, error):
        """Whether the platform or the app has refused. After any other error, the state on the platform is unknown."""
        cause = error.__cause__
        return error.reason == Reason.APP_SIDE_LINKING_FAILED or isinstance(cause, Refused) and not cause.is_temporary

    def credentials_digest(self, creation):
        return None if creation.code is not None else digest(creation.app_id, creation.secret)

    # -- linking

    async def link_install(self, linker, install):
        """Lets the app link the install, and asks the platform whether it is linked. Returns its person."""
        await self.call_linker(linker, install.id)
        try:
            person = await self.ask(self.api.person(install.platform_url, install.token.id))
        except SentianceError as error:
            if isinstance(error.__cause__, Refused) and error.__cause__.status == 404:
                raise SentianceError(Reason.APP_SIDE_LINKING_FAILED, error.details) from error.__cause__
            raise
        if not person.linked:
            raise SentianceError(Reason.APP_SIDE_LINKING_FAILED, "the platform knows of no link")
        return person

    async def call_linker(self, linker, install_id):
        call = LinkerCall(asyncio.get_running_loop())
        self.run_linker(lambda: run_linker(linker, install_id, call))
        if not await call.succeeded(self.linker_limit()):
            raise SentianceError(Reason.APP_SIDE_LINKING_FAILED, "the linker has reported no success")

    def run_linker(self, work):
        self.background.submit(work)

    def linker_limit(self):
        return LINKER_LIMIT

    def link_user_with_linker(self, linker, completion):
        """Links the anonymous user. The id of the user does not change."""
        self.require_initialized()
        if not links(linker):
            raise SentianceError(Reason.INVALID_ARGUMENT, "there is no linker")
        self.link_user(lambda: self.link_late_with_linker(self.store.user, linker), completion)

    def link_user_with_code(self, code, completion):
        self.require_initialized()
        Creation.check("the authentication code", code)
        self.link_user(lambda: self.link_late_with_code(self.store.user, code), completion)

    def link_user(self, make_work, completion):
        obstacle = self.obstacle_to_linking()
        if obstacle:
            self.complete(completion, error=obstacle)
        else:
            self.begin("linking", make_work(), completion)

    def obstacle_to_linking(self):
        if "reset" in self.running:
            return SentianceError(Reason.UNEXPECTED_ERROR, "a reset is running")
        if not self.user_exists():
            return SentianceError(Reason.NO_USER)
        if not self.is_enabled():
            return SentianceError(Reason.USER_DISABLED_REMOTELY)
        if self.is_user_linked():
            return SentianceError(Reason.USER_ALREADY_LINKED)
        if "linking" in self.running:
            return SentianceError(Reason.UNEXPECTED_ERROR, "the user is being linked")
        return None

    async def link_late_with_linker(self, user, linker):
        install = Install(user.platform_url, user.install_id, await self.valid_token(user))
        try:
            person = await self.link_install(linker, install)
        except SentianceError as error:
            raise self.disabling(user, error)
        return self.settle_linking(user, person)

    async def link_late_with_code(self, user, code):
        token = await self.valid_token(user)
        try:
            person = await self.ask(self.api.link(user.platform_url, token.id, code))
        except SentianceError as error:
            raise self.disabling(user, error)
        if not person.linked:
            raise SentianceError(Reason.SERVER_ERROR, "the platform has not linked the user")
        return self.settle_linking(user, person)

    def settle_linking(self, user, person):
        if person.id != user.id:
            raise SentianceError(Reason.SERVER_ERROR, "the platform speaks of another user")
        user.linked, user.enabled = True, person.configuration.enabled
        self.store.save()
        return self.info()

    def disabling(self, user, error):
        """The error of a failed link. If the platform has disabled the install, disables the user, too."""
        cause = error.__cause__
        if isinstance(cause, Refused) and cause.disables:
            self.disable(user)
            return SentianceError(Reason.USER_DISABLED_REMOTELY, error.details)
        return error

    def disable(self, user):
        user.enabled = False
        self.store.save()

    # -- token and configuration

    async def request_token(self):
        """The user's access token. An expired token is renewed."""
        if not self.user_exists():
            raise SentianceError(Reason.NO_USER)
        self.require_initialized()
        if not self.is_enabled():
            raise SentianceError(Reason.USER_DISABLED_REMOTELY)
        return await self.valid_token(self.store.user)

    async def valid_token(self, user):
        if user.token.is_valid(self.wall_clock()):
            return user.token
        if self.renewal is None:  # further calls wait for the same renewal
            self.renewal = self.spawn(self.renew_token(user))
            self.renewal.add_done_callback(self.end_renewal)
        return await asyncio.shield(self.renewal)

    def end_renewal(self, task):
        self.renewal = None

    async def renew_token(self, user):
        try:
            token = await self.api.renew(user.platform_url, user.token.id)
        except Refused as error:
            if error.disables and self.is_current(user):
                self.disable(user)
                raise SentianceError(Reason.USER_DISABLED_REMOTELY, str(error)) from error
            raise SentianceError(Reason.NETWORK_ERROR, str(error)) from error
        except (NoConnection, BadAnswer) as error:
            raise SentianceError(Reason.NETWORK_ERROR, str(error)) from error
        if not self.is_current(user):
            raise SentianceError(Reason.NO_USER, "the SDK was reset")
        user.token = token
        self.store.save()
        return token

    async def refresh(self):
        """Refreshes the configuration of the user. If the platform cannot be reached, nothing changes."""
        user = self.store.user
        if user is None:
            return
        try:
            configuration = await self.api.configuration(user.platform_url, (await self.valid_token(user)).id)
        except Refused as error:
            if error.disables and self.is_current(user):
                self.disable(user)
        except (SentianceError, NoConnection, BadAnswer):
            pass
        else:
            if self.is_current(user):
                self.apply(user, configuration)

    def apply(self, user, configuration):
        """Stores the configuration. It also reveals a link whose answer was lost."""
        user.enabled, user.linked = configuration.enabled, user.linked or configuration.linked
        self.store.save()

    def is_current(self, user):
        """Whether the answer to a request is still about the user of this device."""
        return self.store.user is user and not self.closed

    # -- reset

    def reset(self, completion):
        """Removes the user from the device, even before the initialisation. Open operations of the user fail."""
        if "reset" in self.running:
            self.complete(completion, error=SentianceError(Reason.SDK_RESET_IN_PROGRESS))
        elif "initialization" in self.running:
            self.complete(completion, error=SentianceError(Reason.SDK_INIT_IN_PROGRESS))
        else:
            self.begin("reset", self.remove_user(), completion)

    async def remove_user(self):
        begun = self.install  # the install of an unfinished creation; the platform knows it already
        await self.abort("creation")
        await self.abort("linking")
        leaving = self.store.user or begun
        self.store.wipe()
        if self.is_legacy:
            self.init_phase = InitState.NOT_INITIALIZED
        if leaving:
            await self.announce_reset(leaving)

    async def announce_reset(self, leaving):
        """Reports the reset to the platform. If this fails, the user is removed nevertheless."""
        try:
            async with asyncio.timeout(ANNOUNCEMENT_LIMIT):
                await self.api.announce_reset(leaving.platform_url, leaving.token.id)
        except (NoConnection, TimeoutError):
            pass

    # -- operations

    def require_initialized(self):
        if self.init_phase != InitState.INITIALIZED:
            raise SentianceError(Reason.NOT_INITIALIZED, "the SDK is not initialised")

    async def ask(self, request):
        try:
            return await request
        except NoConnection as error:
            raise SentianceError(Reason.NETWORK_ERROR, str(error)) from error
        except Refused as error:
            raise SentianceError(self.refusal_reason(error), str(error)) from error
        except BadAnswer as error:
            raise SentianceError(Reason.SERVER_ERROR, str(error)) from error

    def refusal_reason(self, refused):
        if refused.code == "USER_ALREADY_LINKED":
            return Reason.USER_ALREADY_LINKED
        return Reason.SERVER_ERROR

    def info(self):
        return UserInfo(self.store.user.id, self.store.user.token)

    def spawn(self, work):
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def begin(self, name, work, completion):
        self.running[name] = self.spawn(self.carry_out(name, work, completion))

    async def carry_out(self, name, work, completion):
        result = error = None
        try:
            result = await work
        except SentianceError as failure:
            error = failure
        except asyncio.CancelledError:
            if self.closed:
                raise
            reason = Reason.SDK_RESET_IN_PROGRESS if name == "creation" else Reason.UNEXPECTED_ERROR
            error = SentianceError(reason, "the SDK was reset")
        except Exception as failure:  # without this, a mistake in the SDK would make the app wait for ever
            error = SentianceError(Reason.UNEXPECTED_ERROR, type(failure).__name__)
        finally:
            del self.running[name]  # first, so that the completion can begin the next operation
        self.complete(completion, result, error)

    async def abort(self, name):
        task = self.running.get(name)
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    def complete(self, completion, result=None, error=None):
        self.main.post(lambda: completion(result, error))


def digest(*texts):
    """A digest that distinguishes credentials, so that they need not be stored."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
