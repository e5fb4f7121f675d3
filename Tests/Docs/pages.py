"""Which files are pages, and how the prose of a page is separated from its code."""
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Pages that a program writes, whole or for the most part. They are checked for links only.
GENERATED = ["spec/kit/checks.md", "spec/*/ADAPTER.md"]
WRITTEN = [
    "*.md", "spec/kit/*.md", "spec/kit/start/**/*.md", "spec/*/WIRE.md", "spec/*/PROOF.md", "Examples/**/README.md",
    "Examples/templates/*/ADAPTER-README.md", "Sources/**/README.md", "Tests/**/README.md",
]


def files(patterns, root=ROOT):
    return sorted({file for pattern in patterns for file in root.glob(pattern) if file.is_file()})


def written():
    generated = set(files(GENERATED))
    return [file for file in files(WRITTEN) if file not in generated]


def all_pages():
    return sorted(set(written()) | set(files(GENERATED)))


def name(file):
    return str(pathlib.Path(file).relative_to(ROOT))


def lines_without_code(text):
    """The lines of a page with their numbers: fenced blocks and generated parts are left out."""
    fence = generated = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            fence = not fence
            continue
        if re.match(r"<!-- (figures|count\b.*) -->$", line):
            generated = True
        if not fence and not generated and not line.startswith("    "):
            yield number, line
        if re.match(r"<!-- /(figures|count) -->$", line):
            generated = False


def without_spans(line):
    """A line without code spans, generated counts, addresses of links and pipes escaped in tables."""
    line = re.sub(r"<!-- (figures|count)\b.*?-->.*?<!-- /\1 -->", " ", line)
    line = re.sub(r"``.+?``|`[^`]*`", "X", line)
    return re.sub(r"\]\([^)]*\)", "]", line)


def prose(text):
    """The sentences of a page as plain text: paragraphs, list items and cells of tables."""
    paragraphs, current = [], []
    for _, line in lines_without_code(text):
        line = without_spans(line).strip()
        starts = re.match(r"([-*]|\d+\.) ", line)
        if not line or starts or line.startswith(("#", "|")):
            paragraphs.append(" ".join(current))
            current = []
        if line.startswith("#") or re.fullmatch(r"[|\s:-]*", line):
            continue
        if line.startswith("|"):
            paragraphs += [cell.strip() for cell in line.strip("|").split("|") if len(cell.split()) > 4]
            continue
        current.append(line[starts.end():] if starts else line)
    paragraphs.append(" ".join(current))
    plain = [re.sub(r"[*_\[\]]", "", paragraph).strip() for paragraph in paragraphs]
    return [paragraph for paragraph in plain if paragraph]


def sentences(text):
    """The sentences of a page, split at a full stop, a question mark or a colon before a capital."""
    for paragraph in prose(text):
        yield from (part.strip() for part in re.split(r"(?<=[.!?])\s+(?=[A-Z])", paragraph) if part.strip())


def anchors(text):
    """The anchors of the headings of a page, as GitHub makes them."""
    found, seen = set(), {}
    fence = False
    for line in text.split("\n"):
        if line.lstrip().startswith("```"):
            fence = not fence
        heading = re.match(r"#{1,6} (.+)", line)
        if fence or not heading:
            continue
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading[1]).strip().lower()).replace(" ", "-")
        count = seen.get(slug, 0)
        seen[slug] = count + 1
        found.add(f"{slug}-{count}" if count else slug)
    return found


def comments(swift):
    """The text of the comments of a Swift file, a paragraph for each run of comment lines."""
    parts, before = [], False
    for line in swift.split("\n"):
        found = re.match(r"\s*///? ?(.*)", line)
        if found:
            parts.append(("\n" if before else "\n\n") + found[1])
        before = bool(found)
    return "".join(parts)
