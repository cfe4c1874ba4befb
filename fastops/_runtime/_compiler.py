"""The compiler of objects: all kernels as one module, optimised once, for one target. Loads Numba.

Numba's front end makes LLVM code of each function. All of this code is linked into one module, in which out-of-line
kernels have public symbols and everything else is internal. Then LLVM optimises and compiles each function once. Numba
would take twice as long, because it optimises a function again in each of its callers.

This module replaces Numba's code generator and passes, so it runs in a process of its own, which
`fastops._runtime._builds` starts. A second process makes and optimises half of the kernels.
"""

# Numba and llvmlite carry no types.
# mypy: disable-error-code="misc, no-untyped-call, no-untyped-def, attr-defined"

from __future__ import annotations

import functools
import gc
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import binding as llvm
from numba import njit
from numba.core import typed_passes as typed, types, untyped_passes as untyped
from numba.core.codegen import CPUCodegen, CPUCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction

from fastops._runtime._object_files import C_FUNCTIONS, MARK, THREADS_PREFIX, Manifest, Target, pack, this_process
from fastops.kernels._entries import emit_entries
from fastops.kernels._form import ENTRY_PREFIX
from fastops.kernels._intrinsics._outlined import OPTIONS, Outlined, all_outlined


class _Library(CPUCodeLibrary):
    """The code of one function, which is not optimised."""

    def add_llvm_module(self, module: Any) -> None:
        """Keep a module without optimising it."""
        self._final_module = module
        self._codegen.modules.append(module)

    def finalize(self) -> None:
        """Mark the library as complete; `code_of` links and optimises."""
        self._raise_if_finalized()
        self._finalized = True


class _Codegen(CPUCodegen):
    """A code generator for a target, which may be another machine."""

    _library_class = _Library

    def __init__(self, target: Target) -> None:
        self._target = target
        #: The modules of all functions, in the order in which they were made.
        self.modules: list[Any] = []
        super().__init__("fastops")

    def _init(self, _module: Any) -> None:
        triple, cpu, self._tm_features = self._target
        machine = llvm.Target.from_triple(triple)
        self._tm = machine.create_target_machine(cpu, self._tm_features, opt=3, reloc="pic", codemodel="small")
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> Any:
        module = super()._create_empty_module(name)
        module.triple = self._target.triple
        return module

    def _add_module(self, module: Any) -> None:
        """Do not load the module into this process."""

    def magic_tuple(self) -> tuple[str, str, str]:
        """Return the properties of the target that its code depends on, with the features that a level implies."""
        features = ",".join([f"+{name}" for name in sorted(self._target.needed())])
        return self._target.triple, self._target.cpu, features


# Symbols with this prefix are for code outside of an object.
_PUBLIC = "fastops."

_all_passes: Callable[[Any], list[PassManager]] = Compiler.define_pipelines


def _passes(compiler: Any) -> list[PassManager]:
    """Return the passes of Numba that kernels need: kernels have no closures, no lists and no reference counts.

    With all passes, Numba took a sixth longer. Only the parallel kernel is compiled with all passes.
    """
    if compiler.state.flags.auto_parallel.enabled:
        return _all_passes(compiler)
    passes = PassManager("kernels")
    front = untyped.TranslateByteCode, untyped.FixupArgs, untyped.IRProcessing, untyped.ReconstructSSA
    middle = typed.NopythonTypeInference, typed.AnnotateTypes, typed.PreLowerStripPhis
    for each in (*front, *middle, typed.NativeLowering, typed.NoPythonBackend):
        passes.add_pass(each, each.__name__)
    passes.finalize()
    return [passes]


def _remember_types() -> None:
    """Let Numba infer the type of a function's result once for given types of numbers, and not again for each call.

    Inferring it for each call took a sixth of Numba's time.
    """
    find, found = BaseFunction.get_call_type, {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all([isinstance(kind, types.Number | types.Boolean) for kind in args]):
            return find(self, context, args, kws)
        if (self, args) not in found:
            found[self, args] = find(self, context, args, kws)
        return found[self, args]

    BaseFunction.get_call_type = get_call_type  # type: ignore[method-assign]


def compile_object(target: Target) -> bytes:
    """Return an object of all kernels for a target; afterwards, Numba can compile nothing else in this process.

    Another process makes and optimises the second half of the kernels. Out-of-line kernels are not inlined, so neither
    half needs the code of the other one.
    """
    command = [sys.executable, *sys.orig_argv[1:], _OTHERS]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:  # noqa: S603
        codegen, module = code_of(target, _half(0), has_entries=True)
        others, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the process of the other half of the kernels has ended with {process.returncode}")
    module.link_in(llvm.parse_bitcode(others.partition(MARK)[2]))
    code = codegen._tm.emit_object(module)
    values = [value for value in (*module.functions, *module.global_variables) if not value.name.startswith("llvm.")]
    symbols = sorted([value.name for value in values if value.name.startswith(_PUBLIC) and not value.is_declaration])
    # LLVM itself calls some functions of C.
    undefined = sorted({value.name for value in values if value.is_declaration} | {"memcpy", "memset"})
    return pack(Manifest({**this_process(), "machine": target.machine}, target, symbols, undefined), code)


def _half(number: int) -> list[Outlined]:
    """Return one half of the kernels, in the order of their definitions; both halves take about as long to compile.

    Loops are defined before their callers, so the two halves inline few functions in common.
    """
    kernels = all_outlined()
    middle = len(kernels) // 2
    return kernels[middle:] if number else kernels[:middle]


def code_of(target: Target, kernels: Sequence[Outlined], *, has_entries: bool = False) -> tuple[_Codegen, Any]:
    """Return the code generator of kernels, and one optimised module with their code."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    context = cpu_target.target_context
    codegen = context._internal_codegen = _Codegen(target)
    # Numba makes a builtin function for each compiled function; nothing calls it here, so any builtin function will do.
    context.get_executable = lambda *_: [].append
    # For the size of a type, llvmlite writes and parses a module each time.
    context.get_abi_sizeof = functools.cache(context.get_abi_sizeof)
    Compiler.define_pipelines = _passes  # type: ignore[method-assign]
    _remember_types()
    for kernel in kernels:
        # Turn reference counts off: kernels have no objects, but the parallel loop would count references.
        options: Any = {**OPTIONS, "parallel": kernel.is_parallel, "_nrt": False}
        dispatcher = njit(**options)(kernel.function)
        dispatcher.compile(kernel.signature)
        made = dispatcher.overloads[kernel.signature.args]
        made.library._final_module.get_function(made.fndesc.llvm_func_name).name = kernel.symbol
    if has_entries:
        entries = codegen.create_library("fastops.entries")
        entries.add_ir_module(emit_entries(context))
    module = _linked(codegen)
    manager, builder = codegen._module_pass_manager()
    manager.run(module, builder)
    _define_numba_functions(module)
    return codegen, module


def _linked(codegen: _Codegen) -> Any:
    """Link all modules into one, in which all but public symbols are internal, and return it."""
    module = codegen.modules[0]
    for other in codegen.modules[1:]:
        module.link_in(other)
    # Let code call functions of other modules through a table of addresses. LLVM reserves memory for this table, but
    # not for direct calls: with these, one object in thirty ended the process that loaded it.
    module.link_in(llvm.parse_assembly(_ASSEMBLY))
    for function in module.functions:
        if function.is_declaration:
            function.add_function_attribute("nonlazybind")
        elif not function.name.startswith(_PUBLIC):
            function.linkage = "internal"
            if "gufunc" in function.name:
                # Numba puts the address of an object into the name, which differs between processes.
                function.name = "loop"
        elif not function.name.startswith(ENTRY_PREFIX):
            function.add_function_attribute("noinline")
    for variable in module.global_variables:
        if not variable.name.startswith(_PUBLIC) and not variable.is_declaration:
            variable.linkage = "internal"
    return module


def _define_numba_functions(module: Any) -> None:
    """Define the functions of Numba's threads that a module calls: each calls the address that a variable holds.

    `fastops._runtime._objects.link_threads` writes the addresses, once Numba has started its threads.
    """
    for function in list(module.functions):
        name = function.name
        if not function.is_declaration or name.startswith(("llvm.", "fastops.", "Py")) or name in C_FUNCTIONS:
            continue
        result, *parameters = [str(each) for each in function.global_value_type.elements]
        arguments = ", ".join([f"{each} %{i}" for i, each in enumerate(parameters)])
        call = f"call {result} %code({arguments})"
        rest = f"{call}\nret void" if result == "void" else f"%result = {call}\nret {result} %result"
        variable = f'@"{THREADS_PREFIX}{name}"'
        code = f'define {result} @"{name}"({arguments}) {{\n%code = load ptr, ptr {variable}\n{rest}\n}}'
        module.link_in(llvm.parse_assembly(f"{variable} = global ptr null\n{code}"))
        module.get_function(name).linkage = "internal"


# Let calls of C functions that LLVM adds itself go through the table too. Numba's loops call printf for a wrong number
# of threads; not every system lets code find printf, so define it.
_ASSEMBLY = """
define i32 @printf(ptr %0, ...) { ret i32 0 }
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"RtLibUseGOT", i32 1}
"""

# The argument of the process that compiles the second half of the kernels.
_OTHERS = "others"


def main() -> None:
    """Write to standard output the object for the target that the arguments name, or only the second half's bitcode."""
    answer = os.dup(1)
    # Whatever libraries print goes to standard error.
    os.dup2(2, 1)
    # Few of a million objects become garbage; looking for them took a tenth of the time.
    gc.disable()
    triple, cpu, features, *others = sys.argv[1:]
    target = Target(triple, cpu, features)
    with open(answer, "wb") as file:
        made = code_of(target, _half(1))[1].as_bitcode() if others else compile_object(target)
        file.write(MARK + made)
