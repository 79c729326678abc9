#!/usr/bin/env python3
"""Makes vsphere-facts.json from the wheel of the official Python SDK.

Usage: make-vsphere-facts.py pulumi_vsphere-4.16.2-py3-none-any.whl > vsphere-facts.json
The wheel: `pip download --no-deps pulumi-vsphere==4.16.2`. Only names and types are taken over.
"""

import ast
import hashlib
import json
import sys
import zipfile

RESOURCES = """VmfsDatastore VirtualMachine Folder ResourcePool Tag TagCategory ComputeClusterVmGroup
ComputeClusterHostGroup ComputeClusterVmHostRule ComputeClusterVmAntiAffinityRule DrsVmOverride""".split()
FUNCTIONS = """get_datacenter get_host get_compute_cluster get_datastore get_network get_resource_pool
get_virtual_machine get_vmfs_disks""".split()


def snake(name):
    return "".join("_" + c.lower() if c.isupper() else c for c in name).lstrip("_")


def kind(node):
    """A Python type annotation in the words of the facts: string, int, number, bool, [x], {x}, Type."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return kind(ast.parse(node.value, mode="eval").body)
    if isinstance(node, ast.Attribute):
        simple = {"str": "string", "int": "int", "float": "number", "bool": "bool"}
        return simple.get(node.attr, node.attr)
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Subscript):
        head = node.value.attr if isinstance(node.value, ast.Attribute) else node.value.id
        args = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if head in ("Optional", "Input", "Output"):
            return kind(args[0])
        if head == "Union":
            return kind(args[0])
        if head == "Sequence":
            return "[" + kind(args[0]) + "]"
        if head == "Mapping":
            return "{" + kind(args[1]) + "}"
    raise SystemExit("unknown annotation " + ast.dump(node))


def optional(node):
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Optional"


def getters(cls):
    """Properties of a class by their wire name."""
    found = {}
    for item in cls.body:
        if not isinstance(item, ast.FunctionDef):
            continue
        for decorator in item.decorator_list:
            text = ast.unparse(decorator)
            if text == "pulumi.getter":
                found[item.name] = (item.name, item.returns)
            elif text.startswith("pulumi.getter(name="):
                found[item.name] = (decorator.keywords[0].value.value, item.returns)
    return {wire: node for wire, node in found.values()}


def properties(cls):
    # An optional input may be left out; an optional output may be missing.
    return {wire: kind(node) + ("?" if core_optional(node) else "") for wire, node in sorted(getters(cls).items())}


def core_optional(node):
    if optional(node):
        return True
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) in ("pulumi.Output", "pulumi.Input"):
        return core_optional(node.slice)
    return False


def main():
    data = open(sys.argv[1], "rb").read()
    wheel = zipfile.ZipFile(sys.argv[1])
    classes = {}
    tokens = {}

    def load(name):
        tree = ast.parse(wheel.read("pulumi_vsphere/" + name + ".py"))
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                classes[(name, node.name)] = node
                for decorator in node.decorator_list:
                    text = ast.unparse(decorator)
                    if text.startswith("pulumi.type_token("):
                        tokens[node.name] = decorator.args[0].value
        return tree

    load("_inputs")
    load("outputs")
    wanted_types = set()
    facts = {
        "source": "PyPI wheel pulumi_vsphere-4.16.2-py3-none-any.whl, sha256 " + hashlib.sha256(data).hexdigest(),
        "version": "4.16.2",
        "resources": {},
        "functions": {},
        "types": {},
    }

    def note(kinds):
        for text in kinds.values():
            bare = text.strip("[]{}?")
            if bare[:1].isupper():
                wanted_types.add(bare)

    for name in RESOURCES:
        module = snake(name)
        load(module)
        inputs = properties(classes[(module, name + "Args")])
        outputs = properties(classes[(module, name)])
        note(inputs)
        note(outputs)
        facts["resources"][name] = {"token": tokens[name], "inputs": inputs, "outputs": outputs}
    for name in FUNCTIONS:
        tree = load(name)
        camel = "".join(part.title() if i else part for i, part in enumerate(name.split("_")))
        function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
        result = next(c for (m, cn), c in classes.items() if m == name and cn == camel[0].upper() + camel[1:] + "Result")
        wire = {}
        token = None
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith("__args__["):
                wire[node.value.id] = node.targets[0].slice.value
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("vsphere:index/"):
                token = node.value
        inputs = {wire[a.arg]: kind(a.annotation) for a in function.args.args if a.arg in wire}
        outputs = properties(result)
        note(outputs)
        note(inputs)
        facts["functions"][camel] = {"token": token, "inputs": dict(sorted(inputs.items())), "outputs": outputs}
    done = set()
    while wanted_types - done:
        name = sorted(wanted_types - done)[0]
        done.add(name)
        for module in ("_inputs", "outputs"):
            if (module, name) in classes:
                members = properties(classes[(module, name)])
                note(members)
                facts["types"][name] = members
    print(json.dumps(facts, indent=1))


main()
