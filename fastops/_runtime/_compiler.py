"""The compiler of objects: all kernels as one module, optimised once, for one kind of processors. Loads Numba.

Numba's front end makes LLVM's code of each function; none of it is optimised or compiled by itself. All of it is linked
into one module, in which out-of-line kernels have their symbols and everything else is internal, and LLVM optimises and
compiles each function once: in half of the time that Numba takes, which optimises it again in each of its callers.

For that, Numba's target is replaced, and some of what it does is left out. So this runs in a process of its own, which
`fastops._runtime._builds` starts. The
same sources give the same bytes where Python hashes strings alike, as that process does.

A second process does half of all but the last step, in which LLVM emits machine code.
"""


# Numba and llvmlite carry no types.
# mypy: disable-error-code="misc, no-untyped-call, no-untyped-def, attr-defined"

from __future__ import annotations

import functools
import gc
import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from llvmlite import binding as llvm
from numba import njit
from numba.core import types
from numba.core.codegen import CPUCodegen, CPUCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target
from numba.core.typed_passes import (
    AnnotateTypes,
    NativeLowering,
    NoPythonBackend,
    NopythonTypeInference,
    PreLowerStripPhis,
)
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import FixupArgs, IRProcessing, ReconstructSSA, TranslateByteCode

from fastops._runtime._object_files import KERNELS, MARK, Manifest, Target, pack, this_process, undefined_symbols
from fastops.kernels._entries import ENTRIES, emit_entries
from fastops.kernels._form import ENTRY_PREFIX
from fastops.kernels._intrinsics._memory import HISTORIES, HISTORY_WORDS
from fastops.kernels._intrinsics._outlined import OPTIONS, Outlined, all_outlined


class _Library(CPUCodeLibrary):
    """The code of a function, as Numba's front end makes it."""

    def add_llvm_module(self, module: Any) -> None:
        """Keep a module as it is."""
        self._final_module = module
        self._codegen.modules.append(module)

    def finalize(self) -> None:
        """Leave linking and optimising to `compile_object`."""
        self._raise_if_finalized()
        self._finalized = True


class _Codegen(CPUCodegen):
    """What emits code for a target, and runs none."""

    _library_class = _Library

    def __init__(self, target: Target) -> None:
        self._target = target
        #: The modules of all functions, in the order in which they were made.
        self.modules: list[Any] = []
        super().__init__("fastops")

    def _init(self, _module: Any) -> None:
        triple, cpu, features = self._target
        self._tm = llvm.Target.from_triple(triple).create_target_machine(
            cpu, features, opt=3, reloc="pic", codemodel="small"
        )
        self._tm_features = features
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)

    def _create_empty_module(self, name: str) -> Any:
        module = super()._create_empty_module(name)
        module.triple = self._target.triple
        return module

    def _add_module(self, module: Any) -> None:
        """Numba would have it run."""

    def _get_host_cpu_name(self) -> str:
        return self._target.cpu

    def magic_tuple(self) -> tuple[str, str, str]:
        """Return what tells the instructions that there are."""
        return self._target.triple, self._target.cpu, self._target.features


def _passes(_compiler: Any) -> list[PassManager]:
    """Return the passes of Numba that kernels need: they have neither closures, nor lists, nor anything to count.

    All of Numba's took a sixth longer, and half of what it then lowered was deletions of variables.
    """
    passes = PassManager("kernels")
    for each in (
        *(TranslateByteCode, FixupArgs, IRProcessing, ReconstructSSA),
        *(NopythonTypeInference, AnnotateTypes, PreLowerStripPhis, NativeLowering, NoPythonBackend),
    ):
        passes.add_pass(each, each.__name__)
    passes.finalize()
    return [passes]


def _remember_types() -> None:
    """Let Numba find once what an operator or a function gives for numbers of some types, not at each place anew.

    That took a sixth of its time.
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
    """Return an object of all kernels for a target, with its manifest. Numba compiles nothing else afterwards.

    Half of the kernels is made and optimised here, and the others in a process beside this one: out-of-line kernels are
    not inlined, so that none of the other half's code is of use for that.
    """
    command = [sys.executable, *sys.orig_argv[1:], _OTHERS]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:  # noqa: S603
        codegen, module = code_of(target, _half(0), has_entries=True)
        others, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the process of the other half of the kernels has ended with {process.returncode}")
    module.link_in(llvm.parse_bitcode(others.partition(MARK)[2]))
    code = codegen._tm.emit_object(module)
    process_here = {**this_process(), "machine": target.machine}
    return pack(Manifest(KERNELS, process_here, target, sorted(_public()), undefined_symbols(code)), code)


def _half(number: int) -> list[Outlined]:
    """Return one half of the kernels, of two that take about as long.

    They are in the order in which they are defined, loops before what calls them, so that there is little that both
    halves copy, and compile twice.
    """
    kernels = [kernel for kernel in all_outlined() if not kernel.is_late]
    middle = len(kernels) // 2
    return kernels[middle:] if number else kernels[:middle]


def code_of(target: Target, kernels: Sequence[Outlined], *, has_entries: bool = False) -> tuple[_Codegen, Any]:
    """Return what has made the code of kernels, and one module with that code, optimised."""
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    context = cpu_target.target_context
    codegen = context._internal_codegen = _Codegen(target)
    # Numba registers a compiled function by a builtin function, which is called by nothing here. Each list has one.
    context.get_executable = lambda *_: [].append
    # To ask LLVM for the size of a type, llvmlite writes a module of it, and has that read.
    context.get_abi_sizeof = functools.cache(context.get_abi_sizeof)
    Compiler.define_pipelines = _passes  # type: ignore[method-assign]
    _remember_types()
    for kernel in kernels:
        _front_end(kernel)
    if has_entries:
        entries = codegen.create_library("fastops.entries")
        entries.add_ir_module(emit_entries(context))
    module = _linked(codegen, has_entries=has_entries)
    manager, builder = codegen._module_pass_manager()
    manager.run(module, builder)
    return codegen, module


def _front_end(kernel: Outlined) -> None:
    """Make LLVM's code of a kernel and of what is copied into it, and give it its symbol."""
    dispatcher = njit(**OPTIONS)(kernel.function)
    dispatcher.compile(kernel.signature)
    made = dispatcher.overloads[kernel.signature.args]
    made.library._final_module.get_function(made.fndesc.llvm_func_name).name = kernel.symbol


def _public() -> set[str]:
    """Return the symbols of an object."""
    return {HISTORIES, *[kernel.symbol for kernel in all_outlined()], *[ENTRY_PREFIX + name for name in ENTRIES]}


def _linked(codegen: _Codegen, *, has_entries: bool) -> Any:
    """Return one module of all modules, in which only what is public can be seen from outside."""
    module = codegen.modules[0]
    for other in codegen.modules[1:]:
        module.link_in(other)
    if has_entries:
        # The words of kernels that are compiled later, and what is kept of launches.
        late = [f'@"{kernel.symbol}" = global ptr null\n' for kernel in all_outlined() if kernel.is_late]
        late.append(f'@"{HISTORIES}" = global [{HISTORY_WORDS} x i64] zeroinitializer\n')
        head = f'target triple = "{codegen._target.triple}"\ntarget datalayout = "{codegen._data_layout}"\n'
        module.link_in(llvm.parse_assembly(head + "".join(late)))
    # LLVM reserves memory for each address that code looks up in a table, but not for those of functions that it calls
    # elsewhere. One object in some thirty lacked it, and ended the process that loaded it. So those are looked up too.
    module.link_in(llvm.parse_assembly(_CALLS_BY_TABLE))
    for function in module.functions:
        if function.is_declaration:
            function.add_function_attribute("nonlazybind")
    public = _public()
    for function in module.functions:
        if function.name not in public and not function.is_declaration:
            function.linkage = "internal"
        elif not function.is_declaration and not function.name.startswith(ENTRY_PREFIX):
            function.add_function_attribute("noinline")
    for variable in module.global_variables:
        if variable.name not in public and not variable.is_declaration:
            variable.linkage = "internal"
    return module


# The same for functions of C that LLVM calls by itself.
_CALLS_BY_TABLE = '!llvm.module.flags = !{!0}\n!0 = !{i32 7, !"RtLibUseGOT", i32 1}\n'

# The argument of the process that makes the code of the second half of the kernels.
_OTHERS = "others"


def main() -> None:
    """Write the object for the target that is named by the arguments to standard output."""
    answer = os.dup(1)
    # What a library prints is not to get between.
    os.dup2(2, 1)
    # A million objects are made, and few of them go: looking for those took a tenth of the time.
    gc.disable()
    triple, cpu, features, *others = sys.argv[1:]
    target = Target(triple, cpu, features)
    with open(answer, "wb") as file:
        made = code_of(target, _half(1))[1].as_bitcode() if others else compile_object(target)
        file.write(MARK + made)
