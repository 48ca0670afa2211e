"""Reads Python on stdin; writes [offset in bytes, statement] that makes the function on the given lines fail, or nothing."""
import ast
import json
import sys

text = sys.stdin.buffer.read()
start, end = int(sys.argv[1]), int(sys.argv[2])
lines = text.splitlines(keepends=True)
for node in ast.walk(ast.parse(text)):
    if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) or node.end_lineno != end:
        continue
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    body = node.body
    if not first <= start <= node.lineno or body[0].lineno == node.lineno:
        continue
    if any(getattr(decorator, "id", getattr(decorator, "attr", "")) == "overload" for decorator in node.decorator_list):
        continue
    before = body[0]
    offset = sum(len(line) for line in lines[: before.lineno - 1])
    print(json.dumps([offset, " " * before.col_offset + "raise RuntimeError('mutant')\n"]), end="")
    break
