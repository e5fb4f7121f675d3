"""The adapter of the Sentiance SDK in this folder: it translates, and adds nothing.

`--option NAME` makes the SDK use another legal choice. `--defect NAME` adds a defect to the SDK. Both may be repeated.
The variables CONFORM_VARIANT and CONFORM_DEFECT do the same, with commas between names.
"""
import argparse
import sys
from pathlib import Path

# The part that is the same for all protocols comes unchanged from the other example.
sys.path.append(str(Path(__file__).resolve().parents[1] / "python"))

from app import STYLES, Background, Impossible, LinkerCalls, MainThread, Work
from conform_adapter import Adapter, run
from patching import add_options
from sentiance import (
    NO_OP_LINKER, VERSION, App, Device, Sentiance, SentianceError, Transport, UserCreationOptions,
)

CAPABILITIES = [
    "create-with-code", "create-with-linker", "user-state", "user-id", "reset", "late-linker", "late-code",
    "platform-url", "user-token", "user-linked-before-init", "init-state", "enabled-state", "refresh",
    "options-getters", "mutable-options", "linker-sync", "linker-async", "linker-promise", "no-op-linker",
    "linker-throws", "linker-threads", "background-linker", "completion-threads", "answer-threads", "main-thread", "screen-size",
    "form-factor", "tls", "legacy-init", "legacy-no-linker", "remote-disabled-issue", "builder",
]


class AdapterError(Exception):
    """The kit requests an action that an app cannot perform."""

    reason, details = "unsupported", "this linker cannot end so"


class SentianceAdapter(Adapter):
    hello = {
        "protocolVersion": 1, "protocol": "sentiance", "specRevision": "2023-09-15",
        "sdk": {"name": "sentiance-python-example", "version": VERSION, "language": "python", "platform": sys.platform},
        "capabilities": CAPABILITIES, "clocks": ["virtual", "real"], "instances": "many",
    }
    errors = (SentianceError, AdapterError)

    def make_sdk(self, launch):
        self.linker_handles, self.completion_handles = [], []
        self.work = Work(self.loop, self.clock)
        self.main, self.background = MainThread(self.work), Background(self.work)
        self.calls = LinkerCalls(self.work, self.main, self.background, self.tell_linker)
        self.app = App("com.example.app")
        self.device = Device(os="Android 14", model="Pixel 8")
        self.surround(launch.environment)
        return Sentiance(
            launch.storage, self.app, self.device, launch.counted(Transport()), launch.wall_clock, self.main,
            self.background)

    async def end_app(self):
        if self.sdk is not None:
            self.work.over = True
            self.calls.end()
            self.main.end()
        await super().end_app()

    def data(self, error):
        return {"kind": error.reason}

    def surround(self, facts):
        self.app.version = facts.get("appVersion", self.app.version)
        self.device.os = facts.get("os", self.device.os)
        self.device.model = facts.get("model", self.device.model)
        self.device.form = facts.get("formFactor", self.device.form)
        self.device.screen_inches = facts.get("screenInches", self.device.screen_inches)

    # -- callbacks of the SDK

    def tell_linker(self, value):
        self.loop.call_soon_threadsafe(self.tell, self.linker_handles, value)

    def tell(self, handles, value):
        if not self.work.over:
            for handle in handles:
                self.callback(handle)(value)

    def completion(self, of):
        """Returns a function that the SDK can call, and a future with the result of its first call."""
        done = self.loop.create_future()

        def completed(result, error):
            said = {
                "of": of, "result": described(result),
                "error": None if error is None else {"reason": error.reason, "details": error.details},
                "thread": self.main.name_of_current(),
            }
            self.loop.call_soon_threadsafe(self.completed, done, said, result, error)

        return completed, done

    def completed(self, done, said, result, error):
        self.tell(self.completion_handles, said)
        if done.done():
            return
        if error is None:
            done.set_result(described(result))
        else:
            done.set_exception(error)

    # -- the commands

    async def do_surroundings(self, params):
        self.surround(params)

    async def do_onLinker(self, params):
        self.linker_handles.append(params["handle"])

    async def do_onCompletion(self, params):
        self.completion_handles.append(params["handle"])

    async def do_initialize(self, params):
        self.sdk.initialize()

    async def do_createUser(self, params):
        options = self.options(params["options"])
        completed, done = self.completion("createUser")
        self.sdk.create_user(options, completed)
        for name, value in params.get("mutate", {}).items():
            setattr(options, {"authCode": "authentication_code", "platformUrl": "platform_url"}[name], value)
        return await done

    async def do_linkUser(self, params):
        completed, done = self.completion("linkUser")
        if params.get("authCode") is not None:
            self.sdk.link_user_with_code(params["authCode"], completed)
        else:
            self.sdk.link_user_with_linker(self.linker(params.get("linker")), completed)
        return await done

    async def do_legacyInit(self, params):
        completed, done = self.completion("legacyInit")
        linker = self.linker(params.get("linker"))
        self.sdk.init(params["appId"], params["secret"], params["baseUrl"], linker, completed)
        return await done

    async def do_reset(self, params):
        completed, done = self.completion("reset")
        self.sdk.reset(completed)
        return await done

    async def do_answerLinker(self, params):
        try:
            self.calls.answer(params["call"], params["outcome"], params.get("value"), params.get("thread"))
        except Impossible as error:
            raise AdapterError(str(error)) from None

    async def do_userExists(self, params):
        return self.sdk.user_exists()

    async def do_isUserLinked(self, params):
        return self.sdk.is_user_linked()

    async def do_getUserId(self, params):
        return self.sdk.user_id()

    async def do_initState(self, params):
        return self.sdk.init_state()

    async def do_isEnabled(self, params):
        return self.sdk.is_enabled()

    async def do_requestToken(self, params):
        return token(await self.sdk.request_token())

    async def do_refresh(self, params):
        await self.sdk.refresh()

    async def do_pingMain(self, params):
        done = self.loop.create_future()
        self.main.post(lambda: self.loop.call_soon_threadsafe(settle, done))
        await done

    async def do_inspectOptions(self, params):
        given = params["options"]
        linker = self.linker(given.get("linker"))
        if params["form"] == "code":
            options = UserCreationOptions.with_authentication_code(given.get("authCode"))
        else:
            options = UserCreationOptions.with_credentials(given.get("appId"), given.get("secret"), linker)
        if "platformUrl" in params.get("set", {}):
            options.platform_url = params["set"]["platformUrl"]
        return {
            "appId": options.app_id, "secret": options.secret, "authCode": options.authentication_code,
            "platformUrl": options.platform_url, "linker": style(options),
        }

    # -- translation

    def linker(self, name):
        if name is None:
            return None
        return NO_OP_LINKER if name == "no-op" else STYLES[name](self.calls)

    def options(self, given):
        if given.get("appId") is None and given.get("secret") is None:
            options = UserCreationOptions.with_authentication_code(given.get("authCode"))
        else:
            options = UserCreationOptions.with_credentials(
                given.get("appId"), given.get("secret"), self.linker(given.get("linker")))
            options.authentication_code = given.get("authCode")
        options.platform_url = given.get("platformUrl")
        return options


def described(info):
    return None if info is None else {"userId": info.user_id, "token": token(info.token)}


def token(token):
    return {"id": token.id, "expiresAt": token.expires_at}


def style(options):
    """The getter that returns a linker."""
    if options.linker is NO_OP_LINKER:
        return "no-op"
    if options.user_linker is not None:
        return "sync"
    if options.async_user_linker is not None:
        return "async"
    return None if options.linker is None else "promise"


def settle(future):
    if not future.done():
        future.set_result(None)


def main():
    arguments = argparse.ArgumentParser()
    add_options(arguments)
    given = arguments.parse_args()
    if given.option:
        import variants
        variants.choose(given.option, arguments.error)
    if given.defect:
        import defects
        defects.inject(given.defect, arguments.error)
    run(SentianceAdapter)


main()
