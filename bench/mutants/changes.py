"""All the small changes that can be made to a module: one at a time, each a mistake somebody could make.

Changed are comparisons (boundary and negation), arithmetic, ``and``/``or`` and each of their operands,
``not``, numbers (an int by one, a float by 5 % and doubled), True/False, ``min``/``max`` and their like,
slices by one; dropped are statements, conditions, keyword arguments, entries of tables, returned values,
``raise``.

Left alone is what decides no figure: annotations, docstrings, decorators, texts, what stands in a ``raise``,
the configuration of pydantic models, ``strict=`` of ``zip``.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
from dataclasses import dataclass
from typing import cast

from bench.mutants.operators import operators_on

SHOWN = 110
"""A change is shown with as much around it as fits into so many characters."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change of one module.

    Attributes:
        module: Its name, with dots.
        function: Where in it: ``Class.method``; empty at the top of the module.
        kind: What sort of change.
        was, becomes: The code around it, before and after.
        nth: Which one of those that read the same in this function, from 1.
        place: The node, by its number in :func:`ast.walk`.
        variant: Which of this node's changes.
    """

    module: str
    function: str
    kind: str
    was: str
    becomes: str
    nth: int
    place: int
    variant: int

    @property
    def id(self) -> str:
        """The same as long as the code around the change is."""
        nth = f" #{self.nth}" if self.nth > 1 else ""
        return f"{self.module}:{self.function}: {self.was} -> {self.becomes}{nth}"


def changes_of(source: str, module: str) -> list[Change]:
    """Every change of a module, in the order of its lines; none is there twice."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    left_alone = _left_alone(tree)
    found: list[Change] = []
    # A change alters one statement of the module: only that is written out, and compared with its own. Where
    # the statement itself is dropped, it is the whole.
    seen: dict[ast.AST | None, set[str]] = {None: {ast.unparse(tree)}}
    count: Counter[tuple[str, str, str]] = Counter()
    places = {node: place for place, node in enumerate(ast.walk(tree))}
    for node in sorted(
        (node for node in places if node not in left_alone),
        key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0), places[node]),
    ):
        for variant, (kind, _) in enumerate(operators_on(node, parents.get(node))):
            changed, statement = _changed_statement(source, tree, node, parents, variant)
            if len(changed.body) == len(tree.body):
                known = seen.setdefault(statement, {ast.unparse(statement)})
                text = ast.unparse(changed.body[tree.body.index(statement)])
            else:
                known, text = seen[None], ast.unparse(changed)
            if text in known:
                continue
            known.add(text)
            function = _function(node, parents)
            was, becomes = _shown(tree, changed, node, parents, places)
            count[function, was, becomes] += 1
            nth = count[function, was, becomes]
            found.append(
                Change(
                    module=module,
                    function=function,
                    kind=kind,
                    was=was,
                    becomes=becomes,
                    nth=nth,
                    place=places[node],
                    variant=variant,
                )
            )
    return found


def _changed_statement(
    source: str, tree: ast.Module, node: ast.AST, parents: dict[ast.AST, ast.AST], variant: int
) -> tuple[ast.Module, ast.stmt]:
    """The module with one change made, and which of its own statements that is in: all others are those of
    ``tree`` themselves."""
    at = node
    while parents[at] is not tree:
        at = parents[at]
    statement = cast(ast.stmt, at)
    number = tree.body.index(statement)
    anew = _parsed_anew(source, statement)
    changed = ast.Module(body=[*tree.body[:number], anew, *tree.body[number + 1 :]], type_ignores=[])
    alike = dict(zip(ast.walk(statement), ast.walk(anew), strict=True))
    parent = changed if node is statement else alike[parents[node]]
    build = list(operators_on(alike[node], parent))[variant][1]
    _put(parent, alike[node], build(copy.deepcopy(alike[node])))
    for one in changed.body[number : number + 1]:
        ast.fix_missing_locations(one)
    return changed, statement


def _parsed_anew(source: str, statement: ast.stmt) -> ast.stmt:
    """A statement of a module, by itself."""
    first = min([statement.lineno, *(one.lineno for one in getattr(statement, "decorator_list", ()))])
    body = ast.parse("\n".join(source.split("\n")[first - 1 : statement.end_lineno])).body
    return body[0] if len(body) == 1 else copy.deepcopy(statement)


def changed_tree(source: str, place: int, variant: int) -> ast.Module:
    """The module with one change made."""
    tree = ast.parse(source)
    nodes = list(ast.walk(tree))
    node = nodes[place]
    parent = next((one for one in nodes if any(child is node for child in ast.iter_child_nodes(one))), None)
    build = list(operators_on(node, parent))[variant][1]
    new = build(copy.deepcopy(node))
    if parent is None:
        raise ValueError("the module itself is not changed")
    _put(parent, node, new)
    return ast.fix_missing_locations(tree)


def _put(parent: ast.AST, node: ast.AST, new: ast.AST | None) -> None:
    for field, value in ast.iter_fields(parent):
        if value is node:
            setattr(parent, field, new)
        elif isinstance(value, list):
            for index, one in enumerate(value):
                if one is node:
                    value[index : index + 1] = [] if new is None else [new]
                    return


def _left_alone(tree: ast.Module) -> set[ast.AST]:
    alone: set[ast.AST] = set()

    def leave(node: ast.AST | None) -> None:
        if node is not None:
            alone.update(ast.walk(node))

    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            leave(node.returns)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            for decorator in node.decorator_list:
                leave(decorator)
        if isinstance(node, ast.arg | ast.AnnAssign):
            leave(node.annotation)
        if isinstance(node, ast.Raise):
            leave(node.exc)
            leave(node.cause)
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert):
            leave(node)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            leave(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            leave(node)
        if isinstance(node, ast.keyword) and node.arg == "strict":
            leave(node)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("ConfigDict", "Field", "TypeVar"):
            leave(node)
        if isinstance(node, ast.FormattedValue):
            leave(node.format_spec)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            leave(node)
    return alone


def _function(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str:
    names = []
    at: ast.AST | None = node
    while at is not None:
        if isinstance(at, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.append(at.name)
        at = parents.get(at)
    return ".".join(reversed(names))


def _shown(
    tree: ast.Module,
    changed: ast.Module,
    node: ast.AST,
    parents: dict[ast.AST, ast.AST],
    places: dict[ast.AST, int],
) -> tuple[str, str]:
    """The code before and after, with as much around as fits."""
    path: list[ast.AST] = [node]
    while not isinstance(path[-1], ast.stmt) and path[-1] in parents:
        path.append(parents[path[-1]])
    shown = _text(path[0])
    around = path[0]
    for one in path[1:]:
        text = _text(one)
        if len(text) > SHOWN and len(shown) > 1 and isinstance(around, ast.expr | ast.stmt):
            break
        shown, around = text, one
    steps = []
    at = around
    while at in parents:
        parent = parents[at]
        steps.append(_step(parent, at))
        at = parent
    new: object = changed
    for field, index in reversed(steps):
        value = getattr(new, field)
        new = value if index is None else value[index]
    becomes = _text(new) if isinstance(new, ast.AST) else "(dropped)"
    return shown, becomes


def _step(parent: ast.AST, child: ast.AST) -> tuple[str, int | None]:
    for field, value in ast.iter_fields(parent):
        if value is child:
            return field, None
        if isinstance(value, list):
            for index, one in enumerate(value):
                if one is child:
                    return field, index
    raise ValueError("no child of this node")


def _text(node: ast.AST) -> str:
    """One line; of a statement with a body only its head and that body's first line."""
    if isinstance(node, ast.comprehension):
        return "for " + ast.unparse(node.target) + "".join(f" if {ast.unparse(one)}" for one in node.ifs)
    try:
        text = ast.unparse(node)
    except AttributeError:  # an operator without operands
        return type(node).__name__
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        text = next(line for line in text.splitlines() if not line.startswith("@"))
    if isinstance(node, ast.If | ast.For | ast.While | ast.With | ast.Try):
        text = " ".join(text.splitlines()[:2]) + (" …" if text.count("\n") > 1 else "")
        if isinstance(node, ast.If) and node.orelse:
            text += " else …"
    return re.sub(r"\s+", " ", text)
