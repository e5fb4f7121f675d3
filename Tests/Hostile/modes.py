"""The ways to misbehave: what the subject does, what the run comes to, and what it says of it."""
from dataclasses import dataclass, field


@dataclass
class Mode:
    name: str
    bend: str = ""
    code: int = 0
    says: tuple = ()
    options: tuple = ()
    # Signals that the kit gets, once the subject is ready.
    signals: tuple = ()
    # Whether a run that was killed leaves folders for the next one to clear.
    leaves: bool = False
    # Whether a folder stays that the kit must not empty.
    keeps: bool = False
    # What is checked besides: a function of `checks.py`, by name.
    check: str = ""
    kind: str = "adapter"
    sample: bool = False
    hook: str = ""
    variables: dict = field(default_factory=dict)


LEFT = ("left a process running, which was killed",)
BROKE = ("broke the adapter protocol outside of any case",)
SLOW = ("--time-limit", "4")


def each(method, what, when="after"):
    return f"{when}['{method}'] = lambda id: {what}"


# What a subject starts: a name, the steps of the process, and whether it is started once.
PROCESSES = {
    "child": "forked()",
    "double-fork": "forked(again)",
    "session": "forked(os.setsid)",
    "daemon": "forked(os.setsid, again, quiet, alone_again)",
    "deaf-daemon": "forked(deaf, os.setsid, again)",
    "anonymous-daemon": "forked(os.setsid, again, quiet, lambda: os.fork() == 0 and anonymous())",
    "headless": "forked(os.setsid, again, lambda: os.fork() == 0 and headless())",
    "stopped": "forked(os.setsid, again, lambda: os.fork() == 0 and (enlist(), os.kill(os.getpid(), signal.SIGSTOP)))",
    "chain": "forked(os.setsid, lambda: os.fork() == 0 and chain(40))",
    "many": "[forked(os.setsid, again) for _ in range(12)]",
    "storm": "storm(2)",
}
RECORD = "from glob import glob\nRECORD = 'conform-report/run.jsonl'\nEVIDENCE = 'conform-report/evidence/*.jsonl'\n"
PRELUDE = "alone_again = lambda: os.chdir('/')\n"

MODES = [Mode("honest", sample=True)]

for name, steps in PROCESSES.items():
    MODES.append(Mode(
        f"left-by-adapter/{name}", PRELUDE + each("hello", steps), says=() if name == "storm" else LEFT,
        sample=name in ("daemon", "deaf-daemon", "headless")))
for name in ("child", "daemon", "deaf-daemon", "anonymous-daemon", "headless", "many"):
    MODES.append(Mode(f"left-by-app/{name}", PRELUDE + each("initialize", PROCESSES[name]), says=LEFT,
                      sample=name == "daemon"))
for name in ("child", "daemon", "storm"):
    MODES.append(Mode(f"left-at-shutdown/{name}", PRELUDE + each("shutdown", PROCESSES[name], "at"),
                      says=() if name == "storm" else LEFT))
for name in ("session", "daemon"):
    MODES.append(Mode(f"left-by-crash/{name}", PRELUDE + each("initialize", f"({PROCESSES[name]}, os._exit(9))", "at"),
                      code=3, says=("exited with code 9", *LEFT)))
MODES += [
    Mode("child-that-ends-with-it", each("hello", "subprocess.Popen(['cat'], stdin=subprocess.PIPE, stdout=2)"),
         check="no_leftovers"),
    Mode("kills-its-parent", each("initialize", "(forked(os.setsid), os.kill(os.getppid(), 9), stay())", "at"), code=3,
         says=("was ended by signal 9",), sample=True),
    Mode("kills-its-grandparent",
         each("initialize", "(forked(os.setsid), os.kill(parent_of(os.getppid()), 9), stay())", "at"), code=3,
         options=SLOW),
    Mode("kills-both",
         each("initialize",
              "(forked(os.setsid, again), [os.kill(p, 9) for p in (parent_of(os.getppid()), os.getppid())], stay())",
              "at"), code=3, says=("was ended by signal 9",)),

    Mode("stops-its-parent",
         each("initialize", "(forked(os.setsid), os.kill(os.getppid(), signal.SIGSTOP)) and False", "at"), says=LEFT,
         options=SLOW, sample=True),
    Mode("stops-its-grandparent",
         each("initialize", "os.kill(parent_of(os.getppid()), signal.SIGSTOP) and False", "at"), options=SLOW),
    Mode("stops-both",
         each("initialize",
              "(forked(os.setsid, again), [os.kill(p, signal.SIGSTOP) for p in (parent_of(os.getppid()), os.getppid())])"
              " and False", "at"), says=LEFT, options=SLOW),

    # Before the first case.
    Mode("dies-in-hello", each("hello", "os._exit(4)", "at"), code=2, says=("exited with code 4",)),
    Mode("daemon-then-dies-in-hello", PRELUDE + each("hello", "(forked(os.setsid, again), os._exit(4))", "at"), code=2),
    Mode("greets", "write('hello world\\n')", code=2, says=("logs belong on stderr",)),
    Mode("hangs-in-hello", "deaf()\n" + each("hello", "stay()", "at"), code=2, says=("no reply to 'hello'",),
         options=SLOW),
    Mode("floods-in-hello", each("hello", "[write('x' * 65536) for _ in range(1 << 20)]", "at"), code=2,
         says=("8388608",)),
    Mode("hello-twice", each("hello", "reply(id, HELLO)"), code=3, says=("a second reply to id 1", *BROKE), sample=True),
    Mode("garbage-behind-hello", each("hello", "write('ready\\n')"), code=3, says=BROKE),
    Mode("closes-stdin-in-hello", each("hello", "os.close(0)", "after"), code=2),

    # In a case.
    Mode("dies-in-a-case", each("initialize", "os._exit(7)", "at"), code=3, says=("exited with code 7",)),
    Mode("hangs-in-a-case", "deaf()\n" + each("initialize", "stay()", "at"), code=3, says=("no reply to 'advance'",),
         options=SLOW),
    Mode("fills-stdout", each("initialize", "[write('x' * 65536 + '\\n') for _ in range(1 << 20)]", "at"), code=3,
         says=("logs belong on stderr",)),
    Mode("fills-stderr", each("initialize", "os.write(2, b'x' * (1 << 22)) and False", "at")),
    Mode("closes-stdout", each("initialize", "(os.close(1), stay())", "at"), code=3, says=("closed its stdout",)),
    Mode("closes-stderr", each("initialize", "os.closerange(2, 3)")),

    # Between cases.
    Mode("quit-twice", each("quit", "reply(id)"), code=3, says=("a second reply", *BROKE), sample=True),
    Mode("garbage-after-quit", each("quit", "write('bye\\n')"), code=3, says=BROKE),
    Mode("garbage-long-after-quit", each("quit", "threading.Timer(0.02, lambda: write('bye\\n')).start()"), code=3),
    Mode("unknown-reply-after-quit", each("quit", "reply(4711)"), code=3, says=BROKE),
    # Noticed before the next launch or in it: a breach between cases, or the end of that case. The code is the same.
    Mode("dies-after-quit", each("quit", "os._exit(0)"), code=3),
    Mode("dies-long-after-quit", each("quit", "threading.Timer(0.02, os._exit, [1]).start()"), code=3),
    Mode("dies-in-quit", each("quit", "os._exit(5)", "at"), code=3, says=("exited with code 5",)),
    Mode("hangs-in-quit", "deaf()\n" + each("quit", "stay()", "at"), code=3, options=SLOW),
    Mode("closes-stdout-after-quit", each("quit", "(os.close(1), stay())"), code=3),

    # At the end.
    Mode("shutdown-twice", each("shutdown", "reply(id)"), code=3, says=("a second reply", *BROKE)),
    Mode("garbage-behind-shutdown", each("shutdown", "write('bye\\n')"), code=3, says=BROKE),
    Mode("half-a-line-at-the-end", each("shutdown", "write('{\"jsonrpc\"')"), code=3,
         says=("in the middle of a line", *BROKE)),
    Mode("exits-with-5", each("shutdown", "os._exit(5)"), code=3, says=("exited with code 5", *BROKE), sample=True),
    Mode("hangs-at-shutdown", each("shutdown", "stay()"), code=3, says=("still runs after 'shutdown'", *BROKE)),
    Mode("hangs-at-shutdown-deaf", "deaf()\n" + each("shutdown", "stay()", "at"), code=3,
         says=("still runs after SIGTERM", *BROKE)),
    Mode("one-instance-exits-with-5", "HELLO['instances'] = 'one'\n" + each("shutdown", "os._exit(5)"), code=3,
         says=("exited with code 5", *BROKE)),

    # What it stores.
    Mode("deep-storage", each("launch", "deep(launch['storage'], 10000)"), sample=True),
    Mode("deep-and-wide-storage", each("launch", "[deep(launch['storage'], 300, f'd{n}') for n in range(20)]")),
    Mode("many-files", each("launch", "[open(f\"{launch['storage']}/{n}\", 'w').close() for n in range(2000)]")),
    Mode("unreadable-storage", each("launch", "(os.makedirs(launch['storage'] + '/a/b/c', 0o700),"
         " os.chmod(launch['storage'] + '/a/b', 0), os.chmod(launch['storage'], 0))")),
    Mode("read-only-storage", each("launch", "(os.makedirs(launch['storage'] + '/a/b/c'),"
         " os.chmod(launch['storage'] + '/a/b', 0o500), os.chmod(launch['storage'] + '/a', 0o500))")),
    Mode("odd-names", each("launch", "[os.mkdir(launch['storage'].encode() + b'/' + n) for n in"
         " (b'\\n', b'\\xff\\xfe', b'~1', b'-rf', b'*')]")),
    Mode("pipes-in-storage", each("launch", "os.mkfifo(launch['storage'] + '/fifo')")),
    Mode("link-out-of-storage", each("launch", "os.symlink(os.environ['HOSTILE_CANARY'], launch['storage'] + '/out')"),
         check="canary", sample=True),
    Mode("storage-is-a-link", each("launch", "(os.rmdir(launch['storage']),"
         " os.symlink(os.environ['HOSTILE_CANARY'], launch['storage']))"), check="canary"),
    Mode("storage-is-gone", each("launch", "os.rmdir(launch['storage'])")),
    Mode("storage-moved-away", each("launch", "(os.makedirs(launch['storage'] + '/a/b'),"
         " os.rename(launch['storage'], f\"{launch['storage']}.{time.monotonic_ns()}\"))")),
    Mode("run-folder-is-gone", "import shutil\n" + each("quit", "shutil.rmtree(os.path.dirname(launch['storage']), True)", "at")),
    Mode("run-folder-renamed", each("shutdown", "(lambda run: os.path.isdir(run) and os.rename(run, f'{run}~'))("
         "os.path.dirname(launch['storage']))", "at"), says=("a subject moved the folder of this run to",), keeps=True),
    Mode("mount-in-storage", each("launch", "(os.mkdir(launch['storage'] + '/m'), subprocess.run("
         "['mount', '--bind', os.environ['HOSTILE_CANARY'], launch['storage'] + '/m'], check=True))"),
         code=3, check="namespace", keeps=True, says=("something is mounted in it",), sample=True),
    Mode("daemon-writes-on", each("initialize", "forked(os.setsid, again, lambda: os.fork() == 0 and (enlist(),"
         " [(os.makedirs(launch['storage'] + f'/x{n}/y', exist_ok=True), time.sleep(0.001)) for n in range(10**6)]))"),
         says=LEFT),

    # What it learns of the kit, and says of itself.
    Mode("looks-for-the-kit", each("launch", "any(word in text.lower() for text in (json.dumps(launch), os.getcwd())"
         " for word in ('conform-run', 'conform_run', 'case')) and os._exit(9)"), sample=True),
    Mode("without-a-name", "HELLO['sdk']['name'] = ' '", code=2, says=("$.sdk.name",)),
    Mode("without-a-version", "HELLO['sdk']['version'] = ''", code=2, says=("$.sdk.version",)),
    Mode("callback-of-nobody", each("initialize", "send(method='callback', params={'handle': 'nobody', 'value': {}})"),
         code=3, says=("'nobody'",)),

    Mode("tells-a-secret", each("initialize", "(os.write(2, b'\\n'.join(spellings(os.environ['API_TOKEN']))), os._exit(7))",
         "at"), code=3, says=("exited with code 7",), check="secrets", sample=True),
    Mode("name-as-markup", "HELLO['sdk']['name'] = ';=1+1 [a](https://b.example) @team #1 ~~x~~ \u202e\u200b'",
         check="markup", sample=True),

    # What is done to the report.
    Mode("empties-the-record", each("quit", "os.truncate('conform-report/run.jsonl', 0)"), code=3,
         says=("the report was changed while it was written",), sample=True),
    Mode("removes-the-record", RECORD + each("quit", "os.path.exists(RECORD) and os.remove(RECORD)"), code=3,
         says=("the report was changed while it was written",)),
    Mode("replaces-the-record", RECORD + each("shutdown", "(os.rename(RECORD, RECORD + '~'), open(RECORD, 'w').close()) and False",
         "at"), code=3, says=("is another file",)),
    Mode("empties-the-evidence", RECORD + each("shutdown", "[os.truncate(file, 0) for file in glob(EVIDENCE)] and False", "at"),
         code=3, says=("the report was changed while it was written",)),
    Mode("removes-the-evidence", RECORD + each("shutdown", "[os.remove(file) for file in glob(EVIDENCE)] and False", "at"),
         code=3, says=("the report was changed while it was written",), sample=True),
    Mode("evidence-is-a-device", check="device", sample=True),
    Mode("evidence-without-an-end", check="sparse"),

    # What is done to the kit.
    Mode("interrupted", each("initialize", "(forked(os.setsid, again), hang())", "at"), code=3, signals=("INT",),
         says=("interrupted after",), options=SLOW, sample=True),
    Mode("terminated", each("initialize", "(forked(os.setsid, again), hang())", "at"), code=3, signals=("TERM",),
         says=("interrupted after",), options=SLOW),
    Mode("hung-up", each("initialize", "(forked(os.setsid, again), hang())", "at"), code=3, signals=("HUP",),
         says=("interrupted after",), options=SLOW),
    Mode("interrupted-twice", "deaf()\n" + each("shutdown", "(forked(deaf, os.setsid, again), hang())", "at"), code=130,
         signals=("INT", "INT")),
    Mode("interrupted-in-hello", each("hello", "(forked(os.setsid, again), hang())", "at"), code=3, signals=("INT",),
         options=SLOW),
    Mode("kit-killed", each("initialize", "(forked(), forked(deaf, os.setsid, again), hang())", "at"), code=-9,
         signals=("KILL",), leaves=True, sample=True),
    Mode("kit-killed-in-hello", each("hello", "(forked(os.setsid, again), hang())", "at"), code=-9, signals=("KILL",)),
    Mode("kit-killed-with-anonymous", PRELUDE + each(
        "initialize", f"({PROCESSES['anonymous-daemon']}, time.sleep(0.2), hang())", "at"), code=-9,
        signals=("KILL",), leaves=True),
    Mode("kit-killed-with-chain", each("initialize", f"({PROCESSES['chain']}, time.sleep(0.2), hang())", "at"), code=-9,
         signals=("KILL",), leaves=True),
    Mode("kit-killed-deep-storage", each("initialize", "(deep(launch['storage'], 10000), hang())", "at"), code=-9,
         signals=("KILL",), leaves=True),
    Mode("kit-aborts", each("initialize", "hang()", "at"), code=-6, signals=("ABRT",), leaves=True),

    # Where the report goes.
    Mode("output-empty", code=2, options=("--output", ""), says=("--output expects a folder",)),
    Mode("output-root", code=2, options=("--output", "/"), says=("the root of the file system",), sample=True),
    Mode("output-dots-to-root", code=2, options=("--output", "/tmp/.."), says=("the root of the file system",)),
    Mode("output-of-others", code=2, options=("--output", "canary"), says=("is not a report of the kit", "--force"),
         check="canary", sample=True),
    Mode("output-forced", code=0, options=("--output", "canary", "--force"), check="canary"),
    Mode("evidence-is-a-link", code=2, check="canary_evidence", says=("'conform-report/evidence' is not a folder",)),
    Mode("junit-is-a-link", code=0, check="canary_junit"),
    Mode("evidence-file-is-a-link", code=0, check="canary_evidence_file"),
    Mode("report-is-locked", code=2, check="locked", says=("another run writes to 'conform-report': process ",),
         sample=True),
    Mode("cannot-begin-after-green", each("hello", "os._exit(4)", "at"), code=2, check="stale", sample=True),
    Mode("other-evidence-stays", code=0, check="other_evidence"),
    Mode("temporary-folder-missing", code=2, says=("TMPDIR names", "which is not there"), check="temporary",
         variables={"TMPDIR": "nowhere/at/all"}),
    Mode("disk-full", each("initialize", "os.write(2, b'x' * 200000) and False", "at"), code=3, check="full_disk",
         says=("report could not be written", "No space left on device"), sample=True),

    # Clients of the reference server.
    Mode("serve/slow-heads", kind="service", check="slow_heads", sample=True),
    Mode("serve/unfinished-bodies", kind="service", check="unfinished_bodies", sample=True),
    Mode("serve/page-of-another-site", kind="service", check="rebinding"),
    Mode("serve/without-a-host", kind="service", check="hosts"),

    # Programs that the kit starts besides.
    Mode("backend/daemon", "forked(os.setsid, again)", says=LEFT, kind="backend", sample=True),
    Mode("backend/anonymous", PRELUDE + PROCESSES["anonymous-daemon"], says=LEFT, kind="backend"),
    Mode("backend/deaf", "deaf()", says=("still ran 2.0 seconds after SIGTERM",), kind="backend"),
    Mode("backend/dies", "forked(os.setsid, again), os._exit(3)", code=2, says=("exited with code 3",), kind="backend"),
    Mode("backend/kit-killed",
         "forked(deaf, os.setsid, again)\nthreading.Timer(1.5, ready).start()\ntime.sleep(60)", code=-9,
         signals=("KILL",), kind="backend"),
    Mode("hook/daemon", "program = 'beacon_server.py'", says=LEFT, kind="server",
         hook="setsid -f sleep 600 >/dev/null 2>&1 </dev/null; exec $0 -S -c \"import sys, urllib.request as u;"
         " u.urlopen(u.Request(sys.argv[1], sys.stdin.buffer.read(), {'Content-Type': 'application/json'}));"
         " print('null')\" $1"),
]
