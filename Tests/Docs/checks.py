"""The checks of the texts. Each returns complaints; an empty list is a pass."""
import pathlib
import re
import subprocess
import urllib.parse

import pages

FOLDER = pathlib.Path(__file__).resolve().parent
LONGEST_PAGE = 400
# The grade of Flesch and Kincaid that a page may have, and the words that a sentence may have.
HARDEST_GRADE = 7.0
LONGEST_SENTENCE = 45


def table(file):
    """The rows of a file of tab-separated values, without comments."""
    lines = (FOLDER / file).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line.strip() and not line.startswith("#")]


def words(text, patterns):
    found = []
    for sentence in pages.sentences(text):
        for pattern, instead in patterns:
            match = re.search(pattern, sentence, re.IGNORECASE if not pattern.startswith("^") else 0)
            if match:
                found.append(f"'{match[0][:40]}' in '{sentence[:100]}': write {instead}")
    return found


def complaints(folder, pattern, texts):
    """The words of the list in the files of a folder; `texts` gives the texts of a file."""
    patterns = table("words.tsv")
    return [f"{pages.name(file)}: {complaint}" for file in sorted(folder.rglob(pattern))
            for text in texts(file) for complaint in words(text, patterns)]


def length(text):
    count = text.count("\n")
    return [f"{count} lines, expected fewer than {LONGEST_PAGE}"] if count >= LONGEST_PAGE else []


def audience(text):
    """The first paragraph of a page says for whom it is."""
    first = next((part for part in re.split(r"\n\s*\n", text) if not part.startswith("#")), "")
    return [] if re.search(r"\bfor\b", first) else [f"the first paragraph does not say for whom the page is: '{first[:80]}'"]


def reading(text, limit=HARDEST_GRADE):
    import textstat

    plain = [s if s.endswith((".", "?", "!")) else s + "." for s in pages.sentences(text) if len(s.split()) > 2]
    # Code spans, which `prose` shows as an X, are no words of a sentence.
    found = [f"{count} words in one sentence: '{s[:90]}…'" for s in plain
             if (count := sum(not re.fullmatch(r"[(]?X[.,;:)]*", word) for word in s.split())) > LONGEST_SENTENCE]
    if len(plain) > 4:
        grade = textstat.flesch_kincaid_grade(" ".join(plain))
        if grade > limit:
            found.append(f"the grade of Flesch and Kincaid is {grade:.1f}, expected at most {limit}")
    return found


def spelling(files):
    import codespell_lib  # noqa: F401  (a sentence that says what is missing, in place of an exit code)

    done = subprocess.run(
        ["python3", "-m", "codespell_lib", "--ignore-words", str(FOLDER / "spelling.txt"), *map(str, files)],
        capture_output=True, text=True)
    return (done.stdout + done.stderr).splitlines() if done.returncode else []


def links(file, text):
    found = []
    for number, line in pages.lines_without_code(text):
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`(?!\])", "X", line)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = urllib.parse.unquote(target).partition("#")
            place = (file.parent / path).resolve() if path else file
            if not place.exists():
                found.append(f"{number}: there is no '{path}'")
            elif anchor and place.suffix == ".md" and anchor not in pages.anchors(place.read_text(encoding="utf-8")):
                found.append(f"{number}: '{path or file.name}' has no heading '#{anchor}'")
    return found


# Words with which no imperative sentence begins.
NOT_IMPERATIVE = set(
    "Who What That Which A An The One Of Where When While Without With In On At For From By To If As All Each Every No Not Both"
    " Some It Its He She They This These There Here After Before Only More Less Whether How Why Two Three Tests Docs".split())

# Verbs that look like another form.
IMPERATIVE = set("Bring Embed Exceed Feed Focus Need Ping Proceed Seed Shed Speed Succeed Wed".split())


def subject(line):
    found = []
    first = re.split(r"[\s:,]", line, maxsplit=1)[0]
    if len(line) > 72:
        found.append(f"{len(line)} characters, expected at most 72")
    if not re.fullmatch(r"[A-Z][a-z]+(-[a-z]+)?", first):
        found.append(f"begins with '{first}', expected a verb with a capital")
    elif first in NOT_IMPERATIVE or first not in IMPERATIVE and re.search(r"[^s]s$|ed$|ing$", first):
        found.append(f"begins with '{first}', expected the imperative of a verb")
    if line.endswith("."):
        found.append("ends with a full stop")
    return [f"'{line}': {complaint}" for complaint in found]


KEYWORD = re.compile(r"\b(MUST NOT|SHOULD NOT|MUST|SHOULD|MAY)\b")
# Phrases that do not say what is measured.
VAGUE = re.compile(
    r"as it should|as they should|brings? about|in the (right|proper) way|\bin time\b|for good|for the moment"
    r"|\b(properly|correctly|appropriately|suitably|sensibly|reasonably)\b"
    r"|if need be|where possible|and so on|\betc\b", re.IGNORECASE)


def requirement(level, text):
    found = []
    keywords = KEYWORD.findall(text)
    if level == "OBSERVE":
        if not text.startswith("Recorded: "):
            found.append("begins with other words than 'Recorded: '")
        if keywords:
            found.append(f"has the keyword {keywords[0]}; a recorded observation demands nothing")
    elif keywords != [level]:
        found.append(f"has {' and '.join(keywords) or 'no keyword'}, expected {level} once")
    elif level.endswith("NOT") and len(text.partition(level)[2].split()) < 2:
        found.append("does not say what is forbidden")
    if not text.endswith("."):
        found.append("does not end with a full stop")
    if re.search(r"[.!?;] [A-Z]", text):
        found.append("is more than one sentence")
    if not re.match(r"[A-Z0-9\[]", text):
        found.append("does not begin with a capital")
    if VAGUE.search(text):
        found.append(f"'{VAGUE.search(text)[0]}' does not say what is measured")
    return found
