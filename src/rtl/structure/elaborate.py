"""Elaborates the network modules of a design with slang and prints what drives every pin.

Run by mkns with the path of a question (JSON): `files`, `top`, `structures` (modules whose insides are wanted) and
`all` (every instance of them is looked into, otherwise the first of each module). All other modules are leaves, of
which only ports and parameters count. Prints lines of fields separated by tabs:

    E file line message               slang refuses the design
    M module path                     the insides of a module begin
    O port direction bits             a port of it
    I instance module file line       an instance in it
    S sink drivers                    an input of an instance or an output of the module, highest bit first
    P path parameter value overridden a parameter of a leaf, hexadecimal
    X what                            a construct that is not connections (always, initial, primitive)
"""

import json
import sys

import pyslang
from pyslang import ast, syntax

Kind = ast.ExpressionKind
Symbol = ast.SymbolKind


def trees(question, manager):
    """Syntax of all files; modules that are leaves are cut behind their headers."""
    wanted = set(question["structures"])
    found = []
    for path in question["files"]:
        tree = syntax.SyntaxTree.fromFile(path)
        modules = [tree.root] if tree.root.kind == syntax.SyntaxKind.ModuleDeclaration else [
            member for member in getattr(tree.root, "members", [])
            if member.kind == syntax.SyntaxKind.ModuleDeclaration]
        if any(module.header.name.value in wanted for module in modules):
            found.append(tree)
        elif modules:
            text = "\n".join(str(module.header) + "\nendmodule" for module in modules)
            found.append(syntax.SyntaxTree.fromText("`default_nettype none\n" + text, path))
    return found


class Module:
    """What drives what inside one elaborated module; bits are in segments (source, low, width), lowest first."""

    def __init__(self, body):
        self.body = body
        self.drivers = {}
        self.inputs = {}
        self.sinks = []
        self.instances = []
        self.others = []
        self.context = ast.EvalContext(body)
        for port in body.portList:
            if port.direction == ast.ArgumentDirection.In:
                self.inputs[port.internalSymbol.hierarchicalPath] = port.name
        self.scan(body)

    def scan(self, scope):
        for member in scope:
            kind = member.kind
            if kind == Symbol.Instance:
                self.instance(member)
            elif kind == Symbol.ContinuousAssign:
                self.assign(member.assignment.left, self.flat(member.assignment.right))
            elif kind == Symbol.Net:
                if member.initializer is not None:
                    whole = [("net", member.hierarchicalPath, 0, member.type.bitWidth)]
                    self.drive(whole, self.flat(member.initializer))
            elif kind == Symbol.GenerateBlockArray:
                for entry in member.entries:
                    self.scan(entry)
            elif kind == Symbol.GenerateBlock:
                if not member.isUninstantiated:
                    self.scan(member)
            elif kind in (Symbol.ProceduralBlock, Symbol.PrimitiveInstance, Symbol.InstanceArray,
                          Symbol.UninstantiatedDef):
                self.others.append(str(kind).rsplit(".", 1)[-1])

    def instance(self, member):
        self.instances.append(member)
        prefix = self.path(member) + "."
        for connection in member.portConnections:
            port, expression = connection.port, connection.expression
            name, width = prefix + port.name, port.type.bitWidth
            if port.direction == ast.ArgumentDirection.In:
                self.sinks.append((name, [("undriven", None, 0, width)] if expression is None
                                   else self.flat(expression)))
            elif expression is not None:
                if expression.kind == Kind.Assignment:
                    expression = expression.left
                self.assign(expression, [("pin", name, 0, width)])

    def path(self, member):
        own = self.body.hierarchicalPath
        whole = member.hierarchicalPath
        return whole[len(own) + 1:]

    def assign(self, left, sources):
        self.drive(self.flat(left), sources)

    def drive(self, targets, sources):
        """Joins targets and sources bit by bit; a target wider than its sources keeps its upper bits undriven."""
        sources = list(sources)
        for kind, net, low, width in targets:
            while width and sources:
                source, what, start, size = sources[0]
                step = min(width, size)
                if kind == "net":
                    self.drivers.setdefault(net, []).append((low, step, source, what, start))
                low, width = low + step, width - step
                if step == size:
                    sources.pop(0)
                else:
                    sources[0] = (source, what, start + step, size - step)

    def value(self, expression):
        result = expression.eval(self.context)
        return None if not result else result.value

    def constant(self, value, width):
        """Segments of a constant, one for every run of equal bits."""
        text = []
        for bit in range(width):
            text.append(str(value[bit]) if isinstance(value, pyslang.SVInt) and bit < value.bitWidth else "0")
        segments = []
        for bit in text:
            if segments and segments[-1][0] == bit:
                segments[-1] = (bit, None, 0, segments[-1][3] + 1)
            else:
                segments.append((bit, None, 0, 1))
        return segments

    def flat(self, expression):
        """Segments of an expression, lowest first."""
        kind, width = expression.kind, expression.type.bitWidth
        if kind == Kind.NamedValue:
            symbol = expression.symbol
            if symbol.kind in (Symbol.Net, Symbol.Variable):
                return [("net", symbol.hierarchicalPath, 0, width)]
        elif kind == Kind.Concatenation:
            return [segment for operand in reversed(list(expression.operands)) for segment in self.flat(operand)]
        elif kind == Kind.Replication:
            count = int(self.value(expression.count))
            return self.flat(expression.concat) * count
        elif kind in (Kind.RangeSelect, Kind.ElementSelect):
            inner = self.flat(expression.value)
            low = self.low(expression)
            if low is not None:
                return cut(inner, low, width)
        elif kind == Kind.Conversion:
            inner = self.flat(expression.operand)
            had = sum(segment[3] for segment in inner)
            if had >= width:
                return cut(inner, 0, width)
            if not expression.operand.type.isSigned:
                return inner + [("0", None, 0, width - had)]
        value = self.value(expression)
        if value is not None:
            return self.constant(value, width)
        words = " ".join(str(expression.syntax).split())
        return [("(" + words + ")", None, 0, width)]

    def low(self, expression):
        """The lowest selected bit, counted from the lowest of what is selected from."""
        declared = expression.value.type
        start = declared.range.lower() if callable(getattr(declared.range, "lower", None)) else declared.range.right
        if expression.kind == Kind.ElementSelect:
            bit = self.value(expression.selector)
            return None if bit is None else int(bit) - start
        left, right = self.value(expression.left), self.value(expression.right)
        if left is None or right is None:
            return None
        if expression.selectionKind == ast.RangeSelectionKind.Simple:
            return int(right) - start
        if expression.selectionKind == ast.RangeSelectionKind.IndexedUp:
            return int(left) - start
        return int(left) - int(right) + 1 - start

    def resolved(self, segments, depth=0):
        """Segments with nets replaced by what drives them."""
        found = []
        for segment in segments:
            if segment[0] != "net":
                found.append(segment)
                continue
            _, net, low, width = segment
            if net in self.inputs:
                what = "conflict" if net in self.drivers else "pin"
                found.append((what, self.inputs[net], low, width))
                continue
            end = low + width
            entries = self.drivers.get(net)
            if entries is None or depth > 50:
                found.append(("undriven", None, 0, width))
                continue
            entries.sort(key=lambda entry: (entry[0], entry[1]))
            for start, size, source, what, first in entries:
                if start + size <= low or start >= end:
                    continue
                if start > low:
                    found.append(("undriven", None, 0, start - low))
                    low = start
                elif start < low and found and found[-1][0] == "taken":
                    pass
                begin = max(start, low)
                size = min(start + size, end) - begin
                if size <= 0:
                    continue
                found.extend(self.resolved([(source, what, first + begin - start, size)], depth + 1))
                low = begin + size
            if low < end:
                found.append(("undriven", None, 0, end - low))
        return found

    def conflicts(self):
        """Nets that have two drivers for one bit."""
        for net, entries in self.drivers.items():
            reached = 0
            for start, size, *_ in sorted(entries, key=lambda entry: (entry[0], entry[1])):
                if start < reached:
                    yield net
                    break
                reached = start + size


def cut(segments, low, width):
    """A part of segments."""
    found, at = [], 0
    for kind, what, start, size in segments:
        begin, end = max(low, at), min(low + width, at + size)
        if begin < end:
            found.append((kind, what, start + begin - at, end - begin))
        at += size
    return found


def text(segments):
    """Segments highest first: `inst.port[high:low]` or `bit*count`; neighbours are joined."""
    joined = []
    for kind, what, low, width in segments:
        if joined:
            last = joined[-1]
            if last[0] == kind and last[1] == what and (what is None or last[2] + last[3] == low):
                joined[-1] = (kind, what, last[2], last[3] + width)
                continue
        joined.append((kind, what, low, width))
    words = []
    for kind, what, low, width in reversed(joined):
        if what is None:
            words.append(f"{kind}*{width}")
        else:
            sign = "" if kind == "pin" else "conflict "
            words.append(f"{sign}{what}[{low + width - 1}:{low}]")
    return ",".join(words)


def place(manager, symbol):
    return manager.getFileName(symbol.location), manager.getLineNumber(symbol.location)


def describe(body, manager):
    """The lines of a module without the first, and its instances."""
    module = Module(body)
    lines = []
    for port in body.portList:
        direction = str(port.direction).rsplit(".", 1)[-1].lower()
        lines.append(f"O\t{port.name}\t{direction}\t{port.type.bitWidth}")
        if port.direction != ast.ArgumentDirection.In:
            whole = [("net", port.internalSymbol.hierarchicalPath, 0, port.type.bitWidth)]
            module.sinks.append((port.name, whole))
    for instance in module.instances:
        file, line = place(manager, instance)
        lines.append(f"I\t{module.path(instance)}\t{instance.definition.name}\t{file}\t{line}")
    for name, segments in module.sinks:
        lines.append(f"S\t{name}\t{text(module.resolved(segments))}")
    lines.extend(f"X\t{what}" for what in module.others)
    lines.extend(f"X\ttwo drivers of {net}" for net in module.conflicts())
    return lines, module.instances


def parameters(instance):
    path = instance.hierarchicalPath
    for parameter in instance.body.parameters:
        if parameter.isLocalParam:
            continue
        value = parameter.value.value
        number = f"{int(value):x}" if isinstance(value, pyslang.SVInt) and not value.hasUnknown else str(value)
        yield f"P\t{path}\t{parameter.name}\t{number}\t{int(parameter.isOverridden)}"


def main():
    question = json.load(open(sys.argv[1], encoding="utf-8"))
    manager = syntax.SyntaxTree.getDefaultSourceManager()
    options = ast.CompilationOptions()
    options.topModules = {question["top"]}
    options.languageVersion = pyslang.LanguageVersion.v1364_2005
    options.maxGenerateSteps = 1 << 24
    bag = pyslang.Bag()
    bag.compilationOptions = options
    compilation = ast.Compilation(bag)
    parsed = trees(question, manager)
    for tree in parsed:
        compilation.addSyntaxTree(tree)
    out = []
    engine = pyslang.DiagnosticEngine(manager)
    for diagnostic in list(compilation.getParseDiagnostics()) + list(compilation.getSemanticDiagnostics()):
        if diagnostic.isError():
            file, line = manager.getFileName(diagnostic.location), manager.getLineNumber(diagnostic.location)
            message = " ".join(engine.formatMessage(diagnostic).split())
            out.append(f"E\t{file}\t{line}\t{message}")
    tops = list(compilation.getRoot().topInstances)
    if not out and tops:
        structures = set(question["structures"])
        seen, pending = {}, tops[::-1]
        while pending:
            instance = pending.pop()
            name = instance.definition.name
            if name not in structures:
                out.extend(parameters(instance))
                continue
            if name in seen and not question["all"]:
                pending.extend(child for child in instance.body if child.kind == Symbol.Instance)
                continue
            lines, children = describe(instance.body, manager)
            if lines not in seen.setdefault(name, []):
                seen[name].append(lines)
                out.append(f"M\t{name}\t{instance.hierarchicalPath}")
                out.extend(lines)
            pending.extend(reversed(children))
    sys.stdout.write("\n".join(out) + "\n")


main()
