"""Makes mutants of the sources: small changes that a test should notice.

A mutant is one changed place. All mutants of a run are put into one build, as mutant schemata: the body
of a function that contains mutants becomes a choice between the changed bodies and the original one,
and the environment variable REMOTE_IMAGE_MUTANT, read once, makes the choice. With the variable
REMOTE_IMAGE_REACHED, the path of a file, a process notes there which choices it has met.
"""

import bisect
import collections
import random
import re

# start and end are offsets in the file; the text between them becomes new.
Change = collections.namedtuple("Change", "path start end new kind")
Mutant = collections.namedtuple("Mutant", "number path line old new kind place")

SWIFT_CALL, C_CALL = "remoteImageMutant", "remote_image_mutant"

SWIFT_HELPER = f'''
@usableFromInline @_silgen_name("{C_CALL}") func {SWIFT_CALL}(_ number: Int32) -> Bool
'''

C_HELPER = f"""
_Bool {C_CALL}(int number);
"""

# A mapped file rather than writes, which a confined process cannot make.
C_DEFINITION = r"""
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int chosen_mutant;
static volatile unsigned char *reached_mutants;

__attribute__((constructor)) static void choose_mutant(void) {
    const char *number = getenv("REMOTE_IMAGE_MUTANT"), *path = getenv("REMOTE_IMAGE_REACHED");
    chosen_mutant = number ? atoi(number) : 0;
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *map = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) reached_mutants = map;
    close(file);
}

_Bool remote_image_mutant(int number) {
    if (reached_mutants) reached_mutants[number] = 1;
    return number == chosen_mutant;
}
"""
# The size of that file in bytes; numbers of mutants are less.
REACHED_SIZE = 1 << 16


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def masked(text, is_swift):
    """The text with blanks in place of comments and of what stands within strings, of the same length."""
    result, position, length = [], 0, len(text)
    while position < length:
        rest = text[position:position + 3]
        if rest.startswith("//") or (not is_swift and rest.startswith("#") and text[:position].endswith(("\n", ""))
                                     and (position == 0 or text[position - 1] == "\n")):
            end = position
            while end < length and (text[end] != "\n" or text[end - 1] == "\\"):
                end += 1
        elif rest.startswith("/*"):
            end = text.find("*/", position) + 2 or length
        elif rest == '"""':
            end = text.find('"""', position + 3) + 3
        elif rest.startswith('"') or (is_swift and re.match(r'#+"', text[position:])):
            end = string_end(text, position)
        elif not is_swift and rest.startswith("'"):
            end = position + 1
            while text[end] != "'":
                end += 2 if text[end] == "\\" else 1
            end += 1
        else:
            result.append(text[position])
            position += 1
            continue
        part = text[position:end]
        inner = re.sub(r"[^\n]", " ", part)
        result.append(inner if part.startswith("/") or part.startswith("#") and not is_swift else '"' + inner[2:] + '"')
        position = end
    return "".join(result)


def string_end(text, position):
    """The offset after the string that begins at the position, which may contain interpolations."""
    marks = re.match(r"#*", text[position:]).group()
    position += len(marks) + 1
    while True:
        if text.startswith("\\" + marks + "(", position):
            position, depth = position + len(marks) + 2, 1
            while depth:
                if text[position] == '"':
                    position = string_end(text, position)
                    continue
                depth += {"(": 1, ")": -1}.get(text[position], 0)
                position += 1
        elif text.startswith("\\" + marks, position):
            position += len(marks) + 2
        elif text.startswith('"' + marks, position):
            return position + 1 + len(marks)
        elif text[position] == "\n":
            raise ValueError("a string without an end")
        else:
            position += 1


def closing(code, position):
    """The offset of the bracket that closes the one at the position."""
    pairs, depth = {"{": "}", "(": ")", "[": "]"}, []
    for index in range(position, len(code)):
        character = code[index]
        if character in pairs:
            depth.append(pairs[character])
        elif character in pairs.values():
            if depth.pop() != character:
                raise ValueError("brackets that do not match")
            if not depth:
                return index
    raise ValueError("a bracket without an end")


DECLARATION = re.compile(
    r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?\s+|(?:public|open|package|internal|private|fileprivate|static|class|final|override|mutating"
    r"|nonmutating|consuming|borrowing|convenience|required|nonisolated(?:\(\w+\))?|isolated|prefix|postfix|lazy|weak|unowned)\s+)*"
    r"(?:(?P<function>func|init|deinit|subscript)\b|var\s+\w+\s*:(?P<variable>[^={}\n]*)\{)", re.MULTILINE)
ACCESSOR = re.compile(r"\b(?:get|set|didSet|willSet|_modify|_read)\b\s*(?:\(\w+\)|async|throws(?:\(\w+\))?|\s)*\{")
ENDS_HEADER = re.compile(
    r"[{}]|\b(?:func|var|let|init|deinit|static|associatedtype|case|typealias|struct|class|enum|extension|subscript|public|package"
    r"|private|fileprivate|override|mutating|@\w+)\b")


def swift_bodies(code):
    """The braces of the bodies of functions and accessors."""
    for match in DECLARATION.finditer(code):
        try:
            if match["variable"] is not None:
                start = match.end() - 1
                yield from accessors(code, start, closing(code, start))
                continue
            position = match.end()
            if match["function"] != "deinit":
                position = closing(code, code.index("(", position)) + 1
            end = ENDS_HEADER.search(code, position)
            if not end or end.group() != "{":
                continue
            if match["function"] == "subscript":
                yield from accessors(code, end.start(), closing(code, end.start()))
            else:
                yield end.start(), closing(code, end.start())
        except ValueError:
            continue
    for match in re.finditer(r"\b(?:didSet|willSet)\b\s*(?:\(\w+\))?\s*\{", code):
        yield match.end() - 1, closing(code, match.end() - 1)


def accessors(code, start, end):
    found = False
    position = start + 1
    while match := ACCESSOR.search(code, position, end):
        if code[start + 1:match.start()].count("{") == code[start + 1:match.start()].count("}"):
            found = True
            yield match.end() - 1, closing(code, match.end() - 1)
        position = match.end()
    if not found:
        yield start, end


def c_bodies(code):
    for match in re.finditer(r"^\w[^;{}]*\)\s*\{", code, re.MULTILINE):
        yield match.end() - 1, closing(code, match.end() - 1)


class Source:
    """A file with its functions."""

    def __init__(self, root, path):
        self.path = path
        self.text = (root / path).read_text()
        self.is_swift = path.endswith(".swift")
        self.code = masked(self.text, self.is_swift)
        bodies = swift_bodies(self.code) if self.is_swift else c_bodies(self.code)
        self.bodies = sorted(set(bodies))
        self.starts = [0] + [match.end() for match in re.finditer("\n", self.text)]

    def line(self, offset):
        """The number of the line, from 1."""
        return bisect.bisect_right(self.starts, offset)

    def body(self, start, end):
        """The innermost body around a range, as offsets without its braces; None for a range outside of functions."""
        around = [body for body in self.bodies if body[0] < start and end <= body[1]]
        return max(around, key=lambda body: body[0], default=None)

    def value(self, start, end):
        """The initial value around a range, if it is a literal or an expression on one line."""
        first = self.starts[self.line(start) - 1]
        last = self.text.index("\n", start)
        if not self.is_swift or end > last or re.match(r"\s*(?:indirect )?case\b", self.code[first:last]):
            return None
        match = re.match(r"\s*(?:[@\w()]+\s+)*(?:let|var)\s+\w+(?:\s*:[^=\n]*)?\s=\s", self.code[first:last])
        if match and balanced(self.code[first + match.end():last]):
            return first + match.end(), last
        for match in re.finditer(r"=\s(\d[\d_]*|true|false)(?=[,)]|$)", self.code[first:last]):
            if first + match.start(1) <= start and end <= first + match.end(1):
                return first + match.start(1), first + match.end(1)
        return None


def balanced(code):
    depth = 0
    for character in code:
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0 and code.strip() != ""


# ---- The kinds of changes. Each yields (start, end, replacement) for one line of masked code.

def swaps(pairs, pattern):
    pairs = dict(pairs) | {new: old for old, new in pairs}
    expression = re.compile(pattern % "|".join(re.escape(word) for word in sorted(pairs, key=len, reverse=True)))

    def change(code, text):
        for match in expression.finditer(code):
            yield match.start(1), match.end(1), pairs[match.group(1)]
    return change


def operators(mapping, pattern=r"(?<=\s)(%s)(?=\s)"):
    expression = re.compile(pattern % "|".join(re.escape(word) for word in sorted(mapping, key=len, reverse=True)))

    def change(code, text):
        for match in expression.finditer(code):
            yield match.start(1), match.end(1), mapping[match.group(1)]
    return change


def constants(code, text):
    for match in re.finditer(r"(?<![\w.#])(\d+)(?![\w.])", code):
        yield match.start(), match.end(), str(int(match.group()) + 1)
        if int(match.group()) > 0:
            yield match.start(), match.end(), str(int(match.group()) - 1)


BINDS = re.compile(r"\b(?:let|var|case|is|as)\b|#|\?\.")


def clauses(code):
    """The ranges of the conditions of a line, which commas separate, with the range of them all."""
    match = re.match(r"\s*(?:\}\s*else\s+)?(?:if|guard|while)\s+(.+?)\s*(?:else\s*\{|\{)", code)
    if not match or not balanced(match.group(1)):
        return []
    ranges, depth, start = [], 0, match.start(1)
    for index in range(match.start(1), match.end(1)):
        depth += (code[index] in "([{") - (code[index] in ")]}")
        if code[index] == "," and depth == 0:
            ranges.append((start, index))
            start = index + 2
    return ranges + [(start, match.end(1))]


def negated_conditions(code, text):
    for start, end in clauses(code):
        if not BINDS.search(code[start:end]):
            yield start, end, f"!({text[start:end]})"


def dropped_conditions(code, text):
    found = clauses(code)
    for start, end in found:
        if not BINDS.search(code[start:end]):
            yield start, end, "true"


def dropped_operands(code, text):
    """A && B without B, within one pair of brackets or a condition."""
    for match in re.finditer(r"\s(?:&&|\|\|)\s((?:[\w.!]|\([^()]*\)|\[[^\[\]]*\])+(?:\s(?:[<>=!]=?)\s[\w.()]+)?)", code):
        yield match.start(), match.end(), ""


STATEMENT = re.compile(r"\s*(?:try[?!]?\s+)?(?:await\s+)?(?:_\s=\s)?(?:self\.)?[A-Za-z_]\w*(?:[.?!\w]|\([^()]*\)|\[[^\[\]]*\])*?"
                       r"(?:\s(?:[-+*/|&]?=)\s\S.*|\(.*\)|\s*\{.*\})$")
KEYWORD = re.compile(r"\s*(?:let|var|return|if|guard|case|default|for|while|switch|throw|break|continue|else|func|defer|do|catch"
                     r"|repeat|struct|class|enum|extension|import|init|super|await\s+with|static|public|private|typealias|goto|yield)\b")


def is_statement(code, is_swift=True):
    # Without a semicolon, a line of C is a part of a statement or of a table.
    if not is_swift and not code.endswith(";"):
        return False
    code = code.removesuffix(";")
    return bool(STATEMENT.match(code)) and not KEYWORD.match(code) and balanced(code)


def independent(first, second):
    """Whether two statements assign names to different properties, so that their order has no effect."""
    first, second = (re.fullmatch(r"(?:\w+\.)*(\w+) = ([\w.\[\]]+)", statement) for statement in (first, second))
    return bool(first and second) and first[1] not in second[2].split(".") and second[1] not in first[2].split(".")


def dropped_statements(code, text):
    if is_statement(code):
        yield len(code) - len(code.lstrip()), len(code), ""
    if match := re.match(r"\s*(defer\s*\{.*\})$", code):
        yield match.start(1), match.end(1), ""


def dropped_guards(code, text):
    match = re.match(r"\s*(?:guard\s(.+)\selse\s\{.*\}|if\s(.+?)\s\{\s*(?:return|throw|continue|break)\b.*\})$", code)
    if match and not BINDS.search(match.group(1) or match.group(2)):
        yield len(code) - len(code.lstrip()), len(code), ""


def swapped_arguments(code, text):
    argument = r"(?:\w+:\s)?((?:&|\.)?[A-Za-z_][\w.]*)"
    # The order does not matter to min and max.
    for match in re.finditer(rf"(?<!\bmin)(?<!\bmax)\(\s*{argument},\s{argument}(?=\s*[,)])", code):
        first, second = match.span(1), match.span(2)
        if text[slice(*first)] != text[slice(*second)]:
            yield first[0], second[1], text[slice(*second)] + text[first[1]:second[0]] + text[slice(*first)]


LINE_KINDS = {
    "comparison": operators({"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}),
    "logic": operators({"&&": "||", "||": "&&"}),
    "arithmetic": operators({"+": "-", "-": "+", "*": "+", "/": "*", "%": "+", "+=": "-=", "-=": "+=", "<<": ">>", ">>": "<<",
                             "..<": "..."}),
    "range": operators({"..<": "...", "...": "..<"}, r"(?<=[\w)])(%s)(?=[\w(])"),
    "constant": constants,
    "boolean": swaps([("true", "false")], r"\b(%s)\b"),
    "minimum": swaps([("min", "max")], r"\b(%s)\("),
    "end": swaps([("first", "last"), ("prefix", "suffix"), ("dropFirst", "dropLast"), ("removeFirst", "removeLast"),
                  ("popFirst", "popLast"), ("startIndex", "endIndex"), ("lowerBound", "upperBound"), ("hasPrefix", "hasSuffix"),
                  ("width", "height")], r"\.(%s)\b"),
    "jump": swaps([("continue", "break")], r"^\s*(%s)$"),
    "negated condition": negated_conditions,
    "dropped condition": dropped_conditions,
    "dropped operand": dropped_operands,
    "dropped statement": dropped_statements,
    "dropped guard": dropped_guards,
    "swapped arguments": swapped_arguments,
}
# Changes there are equivalent, or change only words for developers.
IGNORED = re.compile(r"\b(?:precondition|preconditionFailure|assert|assertionFailure|fatalError|logger|DebugLog|reserveCapacity"
                     r"|debug|trace|warning|unsafeBitCast|import|static_assert|_Static_assert)\b")


def changes(source):
    """All changes of a file, by line."""
    found = collections.defaultdict(list)
    lines = source.code.split("\n")
    for number, code in enumerate(lines):
        if IGNORED.search(code) or not code.strip():
            continue
        first = source.starts[number]
        text = source.text[first:first + len(code)]
        stripped = code.rstrip()

        def add(kind, start, end, new):
            if source.body(start, end) or source.value(start, end):
                found[number].append(Change(source.path, start, end, new, kind))

        # Within an expression of several lines, a line may look like a statement.
        before = lines[number - 1].rstrip() if number else ""
        after = lines[number + 1].strip() if number + 1 < len(lines) else ""
        stands_alone = re.search(r"[{};)\]\w\"?!:]$|^$", before) and not re.match(r"[.?:&|+\-*/=,)\]]", after)
        stands_alone = stands_alone and before.count("(") <= before.count(")") and before.count("[") <= before.count("]")
        for kind, change in LINE_KINDS.items():
            if kind == "dropped statement" and not (stands_alone and is_statement(stripped, source.is_swift) or "defer" in code):
                continue
            if kind in ("comparison", "arithmetic") and not source.is_swift and re.match(r"\s*\w+ \*", code):
                continue
            for start, end, new in change(stripped, text):
                add(kind, first + start, first + end, new)
        indent = len(code) - len(code.lstrip())
        if (stands_alone and is_statement(stripped, source.is_swift) and number + 1 < len(lines)
                and is_statement(lines[number + 1].rstrip(), source.is_swift) and len(lines[number + 1]) - len(lines[number + 1].lstrip()) == indent):
            end = source.starts[number + 1] + len(lines[number + 1].rstrip())
            second = source.text[source.starts[number + 1]:end].strip()
            if second != text.strip() and not independent(code.strip(), lines[number + 1].strip()):
                add("swapped statements", first + indent, end, f"{second}\n{' ' * indent}{text.strip()}")
    return found


def draw(sources, count, seed):
    """Selects lines at random, and then one change of each, so that each kind has a chance."""
    chance = random.Random(seed)
    lines = [(source, found) for source in sources for found in changes(source).values()]
    drawn = []
    for source, found in chance.sample(lines, min(count, len(lines))):
        kind = chance.choice(sorted({change.kind for change in found}))
        drawn.append((source, chance.choice([change for change in found if change.kind == kind])))
    return drawn


def with_choices(source, mutants):
    """The text of a file with its mutants, and the lines of each: (first, last, number). The mutants are pairs of a
    number and a change."""
    call = SWIFT_CALL if source.is_swift else C_CALL
    places = collections.defaultdict(list)
    for number, change in mutants:
        body = source.body(change.start, change.end)
        place = (True, body[0] + 1, body[1]) if body else (False, *source.value(change.start, change.end))
        places[place].append((number, change))
    # A function within another one is a part of the other one's copies.
    for inner in sorted(places, key=lambda place: place[2] - place[1]):
        outer = [p for p in places if p != inner and p[0] and inner[0] and p[1] <= inner[1] and inner[2] <= p[2]]
        if outer:
            places[min(outer, key=lambda place: place[2] - place[1])] += places.pop(inner)
    result, position, ranges, line = [], 0, [], 1

    def emit(text):
        nonlocal line
        result.append(text)
        line += text.count("\n")

    for is_body, start, end in sorted(places, key=lambda place: place[1]):
        emit(source.text[position:start])
        original = source.text[start:end]
        for number, change in places[is_body, start, end]:
            changed = source.text[start:change.start] + change.new + source.text[change.end:end]
            first = line
            if is_body:
                condition = f"{call}({number})" if source.is_swift else f"({call}({number}))"
                emit(f" if {condition} {{{changed}}} else")
            else:
                emit(f"{call}({number}) ? {changed} : " if source.text[end] not in ",)" else f"({call}({number}) ? {changed} : ")
            ranges.append((first, line, number))
        if is_body:
            emit(f" {{{original}}}\n")
        else:
            emit(original + (")" * len(places[is_body, start, end]) if source.text[end] in ",)" else ""))
        position = end
    emit(source.text[position:])
    text = "".join(result)
    if not source.is_swift:
        text = C_HELPER.strip() + " " + text
    return text, ranges
