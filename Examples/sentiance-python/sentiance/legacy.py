"""The initialisation of older SDKs. It also creates the user."""
from types import SimpleNamespace

from .errors import Reason, SentianceError
from .init_state import InitState
from .options import Creation
from .platform import Refused


class LegacyInitialization:
    def init(self, app_id, secret, base_url, linker, completion):
        """Initialises the SDK. `linker` may be None. Calls `completion(None, error)`; `error` is None after a success."""
        if "reset" in self.running:
            self.complete(completion, error=SentianceError(Reason.SDK_RESET_IN_PROGRESS))
        elif "initialization" in self.running:
            self.complete(completion, error=SentianceError(Reason.INITIALIZATION_ERROR, "it is running"))
        elif self.is_legacy and self.init_phase == InitState.INITIALIZED:
            self.complete(completion)
        else:
            self.init_phase, self.is_legacy = InitState.INIT_IN_PROGRESS, True
            options = SimpleNamespace(
                authentication_code=None, app_id=app_id, secret=secret, linker=linker, platform_url=base_url)
            self.begin("initialization", self.start(options), completion)

    async def start(self, options):
        try:
            await self.have_user(self.legacy_creation(options))
            if not self.is_enabled():
                raise SentianceError(Reason.REMOTE_DISABLED)
        except SentianceError as error:
            self.init_phase = InitState.NOT_INITIALIZED
            raise self.init_issue(error) from error.__cause__
        except BaseException:
            self.init_phase = InitState.NOT_INITIALIZED
            raise
        self.init_phase = InitState.INITIALIZED

    def legacy_creation(self, options):
        try:
            return Creation(options)
        except SentianceError as error:
            raise SentianceError(Reason.INVALID_CREDENTIALS, error.details) from None

    async def have_user(self, creation):
        user = self.store.user
        if user is None:
            await self.create_in_init(creation)
            return
        self.check_credentials(user, creation)
        await self.refresh()
        if creation.linking and user.enabled and not user.linked:
            await self.link_late_with_linker(user, creation.linker)

    def check_credentials(self, user, creation):
        if user.credentials not in (None, self.credentials_digest(creation)):
            raise SentianceError(Reason.CHANGED_CREDENTIALS, "the user was created with others")

    async def create_in_init(self, creation):
        """Creates the user. If linking is off for the app, creates the user without a link and without the linker."""
        try:
            await self.create(creation)
        except SentianceError as error:
            cause = error.__cause__
            if not (isinstance(cause, Refused) and cause.code == "USERLINKING_NOT_CONFIGURED" and creation.linking):
                raise
            creation.linker = None
            await self.create(creation)

    def init_issue(self, error):
        return SentianceError(self.issue_reason(error.reason, error.__cause__), error.details)

    def issue_reason(self, reason, cause):
        if reason in (Reason.INVALID_CREDENTIALS, Reason.CHANGED_CREDENTIALS, Reason.REMOTE_DISABLED):
            return reason
        if reason == Reason.USER_DISABLED_REMOTELY:
            return Reason.REMOTE_DISABLED
        if reason == Reason.APP_SIDE_LINKING_FAILED:
            return Reason.LINK_FAILED
        if reason == Reason.NETWORK_ERROR or isinstance(cause, Refused) and cause.is_temporary:
            return Reason.SERVICE_UNREACHABLE
        if isinstance(cause, Refused) and cause.status == 401:
            return Reason.INVALID_CREDENTIALS
        return Reason.INITIALIZATION_ERROR
