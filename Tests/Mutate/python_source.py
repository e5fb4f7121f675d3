"""Reads Python sources: where each mutant is, and a copy of the source that reports each statement it runs.

Needs the standard library only. Positions of the syntax tree count bytes, so sources are handled as bytes.
"""
import ast
import copy

from mutant import Mutant, Unreadable

COMPARISONS = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
EXACT = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)  # the replacement is the negation
ARITHMETIC = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.Pow: ast.Mult,
}
STORES = ("save", "store", "write", "persist", "put", "add", "append", "commit", "update", "set", "execute")
CLEARS = ("clear", "remove", "delete", "discard", "forget", "wipe", "pop", "unlink", "cancel",
          "close", "reset")

# Reports a statement once in two milliseconds at most. The file is opened for each process; a line is written at once,
# because the kit may kill the process.
HITS = '''
def _make_hit(path):
    import os, time
    descriptor, seen, now, write = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT), {{}}, time.time_ns, os.write
    def hit(number):
        at = now() // 2000000
        if seen.get(number) != at:
            seen[number] = at
            write(descriptor, b"%d %d\\n" % (at * 2, number))
    return hit
_hit = _make_hit({path!r})
del _make_hit
'''


def parse(path, name):
    text = path.read_bytes()
    try:
        return text, ast.parse(text, filename=name)
    except SyntaxError as error:
        raise Unreadable(f"{name}:{error.lineno}: does not parse: {error.msg}") from None
    except ValueError as error:
        raise Unreadable(f"{name}:1: does not parse: {error}") from None


def mutants(path, name):
    """The mutants of a file whose text differs from it and parses."""
    text, tree = parse(path, name)
    finder = Finder(text, name)
    finder.body(tree.body)
    kept = []
    for mutant in finder.found:
        try:
            if ast.dump(ast.parse(mutant.apply(text))) != ast.dump(tree):
                kept.append(mutant)
        except (SyntaxError, ValueError):
            pass
    return kept


def is_docstring(statement):
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant) and isinstance(
        statement.value.value, str)


class Finder(ast.NodeVisitor):
    def __init__(self, text, name):
        self.text, self.name, self.found = text, name, []
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.statement = None  # the line of the statement whose execution reaches the mutant
        self.depth = 0  # of functions
        self.in_error = 0  # inside what is raised: texts there are messages

    # -- positions

    def span(self, node):
        return (
            self.starts[node.lineno - 1] + node.col_offset, self.starts[node.end_lineno - 1] + node.end_col_offset)

    def add(self, operator, node, after, *, at=None):
        start, end = self.span(node)
        self.add_text(operator, node.lineno, start, end, after, at)

    def add_text(self, operator, line, start, end, after, at=None):
        self.found.append(Mutant(
            file=self.name, line=line, operator=operator, start=start, end=end, after=after,
            before=self.text[start:end].decode("utf-8", "replace"), reached_by=at or self.statement,
            at_start=self.depth == 0))

    def replace(self, operator, node, new):
        try:
            after = ast.unparse(ast.fix_missing_locations(new))
        except ValueError:
            return
        self.add(operator, node, after if isinstance(new, (ast.Constant, ast.Call, ast.Dict)) else f"({after})")

    # -- statements

    def body(self, statements):
        for number, statement in enumerate(statements):
            if number == 0 and is_docstring(statement):
                continue
            self.statement = key(statement)
            self.visit(statement)

    def nested(self, node, *names):
        outer = self.statement
        for name in names:
            self.body(getattr(node, name, []) or [])
            self.statement = outer

    def visit_If(self, node):
        exact = isinstance(node.test, ast.Compare) and len(node.test.ops) == 1 and isinstance(node.test.ops[0], EXACT)
        if not exact:
            self.negate(node.test, "swap branches" if node.orelse else "negate condition")
        self.condition(node.test)
        self.nested(node, "body", "orelse")

    def visit_While(self, node):
        self.negate(node.test, "negate condition")
        self.condition(node.test)
        self.nested(node, "body", "orelse")

    def negate(self, test, operator):
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.replace(operator, test, copy.deepcopy(test.operand))
        else:
            self.replace(operator, test, ast.UnaryOp(ast.Not(), copy.deepcopy(test)))

    def condition(self, test):
        """Visits a condition whose negation exists already."""
        self.visit(test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test)

    def visit_For(self, node):
        self.visit(node.iter)
        self.nested(node, "body", "orelse")

    visit_AsyncFor = visit_For

    def visit_With(self, node):
        for item in node.items:
            self.visit(item.context_expr)
        self.nested(node, "body")

    visit_AsyncWith = visit_With

    def visit_Try(self, node):
        self.nested(node, "body")
        for handler in node.handlers:
            if not all(isinstance(each, ast.Pass) for each in handler.body):
                first, last = handler.body[0], handler.body[-1]
                self.add_text(
                    "swallow exception", first.lineno, self.span(first)[0], self.span(last)[1], "pass", key(first))
            self.nested(handler, "body")
        self.nested(node, "orelse", "finalbody")

    def visit_Match(self, node):
        self.visit(node.subject)
        for each in node.cases:
            if each.guard:
                self.negate(each.guard, "negate condition")
            self.nested(each, "body")

    def visit_ClassDef(self, node):
        for keyword in node.keywords:
            self.visit(keyword.value)
        self.nested(node, "body")

    def visit_FunctionDef(self, node):
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self.visit(default)
        self.depth += 1
        statements = node.body[1:] if is_docstring(node.body[0]) else node.body
        if len(statements) > 1:
            first = statements[0]
            start = self.span(first)[0]
            separator = "\n" + " " * first.col_offset if first.lineno > node.lineno else "; "
            self.add_text("return early", first.lineno, start, start, "return" + separator, key(first))
        self.nested(node, "body")
        self.depth -= 1

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        self.depth += 1
        self.visit(node.body)
        self.depth -= 1

    def visit_Return(self, node):
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self.add("return nothing", node, "return None")
        elif node.value is None:
            self.add("drop statement", node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node):
        self.add("drop statement", node, "pass")
        self.in_error += 1
        self.generic_visit(node)
        self.in_error -= 1

    def visit_Expr(self, node):
        if is_docstring(node):
            return
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        called = value.func if isinstance(value, ast.Call) else None
        name = getattr(called, "attr", getattr(called, "id", "")).lower()
        self.add(forgotten(name) or "drop statement", node, "pass")
        self.generic_visit(node)

    def visit_Assign(self, node):
        if any(isinstance(part, (ast.Attribute, ast.Subscript)) for target in node.targets for part in ast.walk(target)):
            empty = isinstance(node.value, ast.Constant) and not node.value.value or isinstance(
                node.value, (ast.List, ast.Dict, ast.Tuple)) and not ast.dump(node.value).count("Constant")
            self.add("forget clear" if empty else "forget store", node, "pass")
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        self.add("forget store", node, "pass")
        if type(node.op) in ARITHMETIC:
            new = copy.deepcopy(node)
            new.op = ARITHMETIC[type(node.op)]()
            self.add("change operator", node, ast.unparse(new))
        self.generic_visit(node)

    def visit_Delete(self, node):
        self.add("forget clear", node, "pass")

    def visit_Break(self, node):
        self.add("drop statement", node, "pass")

    visit_Continue = visit_Break

    def visit_Global(self, node):
        pass

    visit_Nonlocal = visit_Import = visit_ImportFrom = visit_Global

    def visit_AnnAssign(self, node):
        if node.value is not None:
            if isinstance(node.target, (ast.Attribute, ast.Subscript)):
                self.add("forget store", node, "pass")
            self.visit(node.value)

    # -- expressions

    def visit_IfExp(self, node):
        new = copy.deepcopy(node)
        new.body, new.orelse = new.orelse, new.body
        exact = isinstance(node.test, ast.Compare) and len(node.test.ops) == 1 and isinstance(node.test.ops[0], EXACT)
        if not exact:
            self.replace("swap branches", node, new)
        self.condition(node.test)
        self.visit(node.body)
        self.visit(node.orelse)

    def visit_comprehension(self, node):
        for test in node.ifs:
            self.negate(test, "negate condition")
            self.condition(test)
        self.visit(node.iter)

    def visit_Compare(self, node):
        for number, operator in enumerate(node.ops):
            new = copy.deepcopy(node)
            new.ops[number] = COMPARISONS[type(operator)]()
            self.replace("change operator" if isinstance(operator, EXACT) else "off by one", node, new)
            if not isinstance(operator, EXACT):
                turned = copy.deepcopy(node)
                turned.ops[number] = {
                    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}[type(operator)]()
                self.replace("change operator", node, turned)
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        new = copy.deepcopy(node)
        new.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()
        self.replace("change operator", node, new)
        self.generic_visit(node)

    def visit_BinOp(self, node):
        if type(node.op) in ARITHMETIC:
            new = copy.deepcopy(node)
            new.op = ARITHMETIC[type(node.op)]()
            self.replace("change operator", node, new)
        self.generic_visit(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.Not):
            self.replace("negate condition", node, copy.deepcopy(node.operand))
        self.generic_visit(node)

    def visit_Await(self, node):
        self.replace("drop await", node, copy.deepcopy(node.value))
        self.generic_visit(node)

    def visit_Call(self, node):
        for number in range(len(node.keywords)):
            new = copy.deepcopy(node)
            del new.keywords[number]
            self.replace("drop argument", node, new)
        if len(node.args) > 1:
            new = copy.deepcopy(node)
            del new.args[-1]
            self.replace("drop argument", node, new)
        self.generic_visit(node)

    def visit_Dict(self, node):
        for number in range(len(node.keys)):
            new = copy.deepcopy(node)
            del new.keys[number], new.values[number]
            self.replace("drop argument", node, new)
        self.generic_visit(node)

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, bool):
            self.replace("change constant", node, ast.Constant(not value))
        elif isinstance(value, (int, float)):
            for other in (value + 1, value - 1):
                new = ast.Constant(abs(other))
                self.replace("off by one", node, new if other >= 0 else ast.UnaryOp(ast.USub(), new))
        elif isinstance(value, str) and not (self.in_error and " " in value):
            self.replace("change text", node, ast.Constant(other_text(value, node.lineno + node.col_offset)))
        elif isinstance(value, bytes):
            self.replace("change text", node, ast.Constant(value + b"x"))

    def visit_JoinedStr(self, node):
        """Positions inside an f-string are not reliable, so it changes as a whole, and only in its first text."""
        if self.in_error:
            return
        new = copy.deepcopy(node)
        for part in new.values:
            if isinstance(part, ast.Constant):
                part.value = other_text(part.value, node.lineno)
                self.replace("change text", node, new)
                return


def other_text(value, lot):
    """Another text: longer, empty, or with the case of its letters swapped."""
    if not value:
        return "x"
    return (value + "x", "", value.swapcase() if value.swapcase() != value else value[:-1])[lot % 3]


def forgotten(name):
    name = name.lstrip("_")
    if name.startswith(CLEARS):
        return "forget clear"
    return "forget store" if name.startswith(STORES) else None


def key(node):
    return f"{node.lineno}:{node.col_offset}"


# -- coverage


class Instrument(ast.NodeTransformer):
    """Puts a report before each statement, and into each lambda."""

    def __init__(self, number):
        self.number = number
        self.statement = None

    def hit(self, node):
        return ast.Call(ast.Name("_hit", ast.Load()), [ast.Constant(self.number(key(node)))], [])

    def visit_Lambda(self, node):
        """A lambda runs later than the statement that it is part of, and counts as a run of that statement."""
        body = self.hit(self.statement), self.visit(node.body)
        return ast.Lambda(node.args, ast.BoolOp(ast.Or(), list(body)))

    def reported(self, statements):
        done, outer = [], self.statement
        for index, statement in enumerate(statements):
            self.statement = statement
            if not (index == 0 and is_docstring(statement)):
                done.append(ast.Expr(self.hit(statement)))
            done.append(self.visit(statement))
        self.statement = outer
        return done

    def generic_visit(self, node):
        for name, value in ast.iter_fields(node):
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                setattr(node, name, self.reported(value))
            elif isinstance(value, list):
                setattr(node, name, [self.visit(each) if isinstance(each, ast.AST) else each for each in value])
            elif isinstance(value, ast.AST):
                setattr(node, name, self.visit(value))
        return node


def instrument(path, name, number, hits):
    """The source with reports. `number` gives each statement of this file a number; `hits` is the file of the reports."""
    _, tree = parse(path, name)
    docstring = tree.body[:1] if tree.body and is_docstring(tree.body[0]) else []
    rest = tree.body[len(docstring):]
    future = [each for each in rest if isinstance(each, ast.ImportFrom) and each.module == "__future__"]
    rest = [each for each in rest if each not in future]
    head = ast.parse(HITS.format(path=str(hits))).body
    tree.body = [*docstring, *future, *head, *Instrument(number).reported([ast.Pass(lineno=1, col_offset=0), *rest])]
    return ast.unparse(ast.fix_missing_locations(tree)).encode()
