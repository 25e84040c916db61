"""The operators of change: what each makes of a node of the syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

_COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_PAIRS = (
    ("min", "max"),
    ("any", "all"),
    ("floor", "ceil"),
    ("argmin", "argmax"),
    ("minimum", "maximum"),
    ("startswith", "endswith"),
    ("removeprefix", "removesuffix"),
    ("lstrip", "rstrip"),
)
_OTHER_NAME = {name: other for pair in _PAIRS for name, other in (pair, pair[::-1])}

Built = Callable[[ast.AST], ast.AST | None]
"""Makes the changed node of a copy of the old one; None: it is dropped from its list."""


def operators_on(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    """The changes of one node, always in the same order."""
    for kind in _KINDS:
        yield from kind(node, parent)


def _comparisons(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    if not isinstance(node, ast.Compare):
        return
    for index, operator in enumerate(node.ops):
        for other in _COMPARED[type(operator)]:

            def build(new: ast.AST, index: int = index, other: type[ast.cmpop] = other) -> ast.AST:
                assert isinstance(new, ast.Compare)
                new.ops[index] = other()
                return new

            yield "comparison", build


def _arithmetic(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _COMPUTED:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and _is_text(node.left):
            return

        def build(new: ast.AST) -> ast.AST:
            assert isinstance(new, ast.BinOp | ast.AugAssign)
            new.op = _COMPUTED[type(new.op)]()
            return new

        yield "arithmetic", build
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.Not):
        yield "sign or not", lambda new: new.operand  # type: ignore[attr-defined]


def _logic(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    if isinstance(node, ast.BoolOp):

        def swap(new: ast.AST) -> ast.AST:
            assert isinstance(new, ast.BoolOp)
            new.op = ast.Or() if isinstance(new.op, ast.And) else ast.And()
            return new

        yield "and or", swap
        for index in range(len(node.values)):

            def without(new: ast.AST, index: int = index) -> ast.AST:
                assert isinstance(new, ast.BoolOp)
                del new.values[index]
                return new if len(new.values) > 1 else new.values[0]

            yield "operand", without
    if isinstance(node, ast.If | ast.IfExp | ast.While) and not isinstance(node.test, ast.Compare):

        def negate(new: ast.AST) -> ast.AST:
            assert isinstance(new, ast.If | ast.IfExp | ast.While)
            new.test = ast.UnaryOp(op=ast.Not(), operand=new.test)
            return new

        yield "negated", negate
    if isinstance(node, ast.comprehension):
        for index in range(len(node.ifs)):

            def unfiltered(new: ast.AST, index: int = index) -> ast.AST:
                assert isinstance(new, ast.comprehension)
                del new.ifs[index]
                return new

            yield "filter", unfiltered


def _constants(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    if not isinstance(node, ast.Constant):
        return
    value = node.value
    others: list[object] = []
    if isinstance(value, bool):
        others = [not value]
    elif isinstance(value, int):
        others = [value + 1, value - 1]
    elif isinstance(value, float):
        others = [value * 1.05, value * 2] if value else [1.0]
    for other in others:
        yield "constant", lambda new, other=other: ast.Constant(value=other)  # type: ignore[misc]


def _names(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    if isinstance(node, ast.Call):
        name = node.func
        if isinstance(name, ast.Name) and name.id in _OTHER_NAME:

            def other_function(new: ast.AST) -> ast.AST:
                assert isinstance(new, ast.Call)
                assert isinstance(new.func, ast.Name)
                new.func.id = _OTHER_NAME[new.func.id]
                return new

            yield "other function", other_function
        if isinstance(name, ast.Attribute) and name.attr in _OTHER_NAME:

            def other_method(new: ast.AST) -> ast.AST:
                assert isinstance(new, ast.Call)
                assert isinstance(new.func, ast.Attribute)
                new.func.attr = _OTHER_NAME[new.func.attr]
                return new

            yield "other function", other_method
        for index, keyword in enumerate(node.keywords):
            if keyword.arg in (None, "strict"):
                continue

            def without(new: ast.AST, index: int = index) -> ast.AST:
                assert isinstance(new, ast.Call)
                del new.keywords[index]
                return new

            yield "keyword argument", without


def _slices(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    if not isinstance(node, ast.Slice):
        return
    for field in ("lower", "upper"):
        bound = getattr(node, field)
        if bound is None:
            continue

        def without(new: ast.AST, field: str = field) -> ast.AST:
            setattr(new, field, None)
            return new

        def by_one(new: ast.AST, field: str = field) -> ast.AST:
            bound = getattr(new, field)
            setattr(new, field, ast.BinOp(left=bound, op=ast.Add(), right=ast.Constant(value=1)))
            return new

        yield "slice", without
        if not isinstance(bound, ast.Constant):
            yield "slice", by_one


def _statements(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    if isinstance(node, ast.Return) and not (node.value is None or _is_none(node.value)):
        yield "returned", lambda new: ast.Return(value=ast.Constant(value=None))
    dropped = (
        ast.Expr,
        ast.AugAssign,
        ast.Raise,
        ast.If,
        ast.For,
        ast.While,
        ast.Continue,
        ast.Break,
        ast.Delete,
    )
    if isinstance(node, dropped) or (
        isinstance(node, ast.Assign) and not isinstance(parent, ast.Module | ast.ClassDef)
    ):
        yield "dropped", lambda new: ast.Pass()
    if isinstance(node, ast.If) and node.orelse:

        def without_else(new: ast.AST) -> ast.AST:
            assert isinstance(new, ast.If)
            new.orelse = []
            return new

        yield "dropped", without_else


def _tables(node: ast.AST, parent: ast.AST | None) -> Iterator[tuple[str, Built]]:
    if isinstance(node, ast.Dict):
        for index in range(len(node.keys)):

            def without(new: ast.AST, index: int = index) -> ast.AST:
                assert isinstance(new, ast.Dict)
                del new.keys[index]
                del new.values[index]
                return new

            yield "entry", without


_KINDS = (_comparisons, _arithmetic, _logic, _constants, _names, _slices, _statements, _tables)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
