"""Elaborates the network modules of a design with slang and prints what drives every pin.

Run by mkns with the path of a question (JSON): `files`, `top`, `around` (a Verilog module that has an instance of each
other module whose inside is wanted, named like it) and `fixed` (of these, the modules whose parameters are equal in the
whole network). The top is elaborated with empty nodes and cables, the others by themselves: time and memory follow the
length of the top alone. Prints lines of fields separated by tabs:

    E file line message               slang refuses the design
    M module path                     the inside of a module begins
    O port direction bits             a port of it
    I instance module file line       an instance in it
    S sink drivers                    an input of an instance or an output of the module, highest bit first
    P path parameter value overridden a parameter of an instance: hexadecimal, or `=NAME` of the parameter passed on
    X what                            a construct that is not connections (always, initial, primitive)
"""

import gc
import json
import marshal
import os
import sys

import pyslang
from pyslang import ast, syntax

Kind = ast.ExpressionKind
Symbol = ast.SymbolKind


WRAPPER = "mkns_structure"
# Instances from which on a second process pays.
MANY = 1000


def parsed(files):
    """Trees of all files with their modules."""
    found = []
    for path in files:
        tree = syntax.SyntaxTree.fromFile(path)
        modules = [tree.root] if tree.root.kind == syntax.SyntaxKind.ModuleDeclaration else [
            member for member in getattr(tree.root, "members", [])
            if member.kind == syntax.SyntaxKind.ModuleDeclaration]
        found.append((path, tree, modules))
    return found


def header(module):
    """A module without its inside."""
    return syntax.SyntaxTree.fromText(f"`default_nettype none\n{module.header}\nendmodule", module.header.name.value)


def compiled(sources, wanted, top, extra=()):
    """The design below `top`, in which modules that are not wanted are empty."""
    options = ast.CompilationOptions()
    options.topModules = {top}
    options.languageVersion = pyslang.LanguageVersion.v1364_2005
    options.maxGenerateSteps = 1 << 24
    bag = pyslang.Bag()
    bag.compilationOptions = options
    compilation = ast.Compilation(bag)
    for _, tree, modules in sources:
        if any(module.header.name.value in wanted for module in modules):
            compilation.addSyntaxTree(tree)
        else:
            for module in modules:
                compilation.addSyntaxTree(header(module))
    for tree in extra:
        compilation.addSyntaxTree(tree)
    return compilation


def complaints(compilation, manager):
    engine = pyslang.DiagnosticEngine(manager)
    for diagnostic in list(compilation.getParseDiagnostics()) + list(compilation.getSemanticDiagnostics()):
        if diagnostic.isError():
            file, line = manager.getFileName(diagnostic.location), manager.getLineNumber(diagnostic.location)
            message = " ".join(engine.formatMessage(diagnostic).split())
            yield f"E\t{file}\t{line}\t{message}"


def other_uses(module, names):
    """Parameters of these names that the inside of a module uses for more than to pass them on."""
    found = []

    def visit(node):
        if getattr(node, "kind", None) == syntax.SyntaxKind.ParameterValueAssignment:
            return ast.VisitAction.Skip
        if isinstance(node, pyslang.parsing.Token) and node.valueText in names:
            found.append(node.valueText)
        return ast.VisitAction.Advance

    for member in module.members:
        member.visit(visit)
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
        # Paths of symbols are slow to get; without generate blocks names do.
        blocks = (Symbol.GenerateBlock, Symbol.GenerateBlockArray)
        self.has_blocks = any(member.kind in blocks for member in body)
        for port in body.portList:
            if port.direction == ast.ArgumentDirection.In:
                self.inputs[self.key(port.internalSymbol)] = port.name
        self.scan(body)
        self.connect()

    def scan(self, scope):
        for member in scope:
            kind = member.kind
            if kind == Symbol.Instance:
                self.instances.append(member)
            elif kind == Symbol.ContinuousAssign:
                self.assign(member.assignment.left, self.flat(member.assignment.right))
            elif kind == Symbol.Net:
                if member.initializer is not None:
                    whole = [("net", self.key(member), 0, member.type.bitWidth)]
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

    def connect(self):
        """Takes in the connections of all instances; of many, half of them in a second process."""
        if len(self.instances) < MANY:
            for member in self.instances:
                self.instance(member)
            return
        half = len(self.instances) // 2
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            try:
                self.drivers, self.sinks = {}, []
                for member in self.instances[half:]:
                    self.instance(member)
                with os.fdopen(writer, "wb") as out:
                    marshal.dump((self.drivers, self.sinks), out)
            finally:
                os._exit(0)  # an incomplete answer fails in the first process
        os.close(writer)
        for member in self.instances[:half]:
            self.instance(member)
        with os.fdopen(reader, "rb") as answer:
            drivers, sinks = marshal.loads(answer.read())
        os.waitpid(child, 0)
        for net, entries in drivers.items():
            self.drivers.setdefault(net, []).extend(entries)
        self.sinks += sinks

    def instance(self, member):
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

    def key(self, symbol):
        return symbol.hierarchicalPath if self.has_blocks else symbol.name

    def path(self, member):
        if not self.has_blocks:
            return member.name
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
                return [("net", self.key(symbol), 0, width)]
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
            whole = [("net", module.key(port.internalSymbol), 0, port.type.bitWidth)]
            module.sinks.append((port.name, whole))
    for instance in module.instances:
        file, line = place(manager, instance)
        lines.append(f"I\t{module.path(instance)}\t{instance.definition.name}\t{file}\t{line}")
    for name, segments in module.sinks:
        lines.append(f"S\t{name}\t{text(module.resolved(segments))}")
    lines.extend(f"X\t{what}" for what in module.others)
    lines.extend(f"X\ttwo drivers of {net}" for net in module.conflicts())
    return lines, module.instances


def parameters(instance, path, passed):
    """`passed`: parameters of the module around it, of which only the names count."""
    for parameter in instance.body.parameters:
        if parameter.isLocalParam:
            continue
        expression = parameter.initializer if parameter.isOverridden else None
        while expression is not None and expression.kind == Kind.Conversion and expression.isImplicit:
            expression = expression.operand
        if expression is not None and expression.kind == Kind.NamedValue and expression.symbol.name in passed:
            number = "=" + expression.symbol.name
        else:
            value = parameter.value.value
            number = f"{int(value):x}" if isinstance(value, pyslang.SVInt) and not value.hasUnknown else str(value)
        yield f"P\t{path}\t{parameter.name}\t{number}\t{int(parameter.isOverridden)}"


def inside(instance, manager, sources, fixed):
    """Prints a module."""
    name = instance.definition.name
    lines, children = describe(instance.body, manager)
    passed = set() if name in fixed else {
        parameter.name for parameter in instance.body.parameters if not parameter.isLocalParam}
    lines.insert(0, f"M\t{name}\t{name}")
    for _, _, modules in sources if passed else ():
        for module in modules:
            if module.header.name.value == name:
                lines.extend(f"X\tparameter {used} decides what is in it" for used in other_uses(module, passed))
    for child in children:
        lines.extend(parameters(child, f"{name}.{child.name}", passed))
    sys.stdout.write("\n".join(lines) + "\n")


def main():
    gc.disable()
    question = json.load(open(sys.argv[1], encoding="utf-8"))
    manager = syntax.SyntaxTree.getDefaultSourceManager()
    sources = parsed(question["files"])
    extra = [syntax.SyntaxTree.fromText(question["around"], WRAPPER)]
    wanted = {member.header.name.value for _, _, modules in sources for member in modules} - {question["top"]}
    wanted &= set(question["structures"])
    for top, full, more in ((WRAPPER, wanted, extra), (question["top"], {question["top"]}, ())):
        compilation = compiled(sources, full, top, more)
        errors = list(complaints(compilation, manager))
        if errors:
            sys.stdout.write("\n".join(errors) + "\n")
            return
        for instance in compilation.getRoot().topInstances:
            children = [child for child in instance.body if child.kind == Symbol.Instance] if more else [instance]
            for child in children:
                inside(child, manager, sources, set(question["fixed"]))


main()
