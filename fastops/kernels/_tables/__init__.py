"""The layouts of the int64 tables that Python and kernels share. No code.

These are the terms of tables and kernels. Distances and sizes in memory are in bytes, unless the text says words. A
*step* is an increment of values, in ranges, or of indices of arrays, in words; a *stride* is one of coordinates.

What is moved
    - **element**: of an array; *width* bytes.
    - **block**: the bytes of one element, or of several that are contiguous on both sides and always move together.
    - **cell**: the bytes of one load and one store: 1, 2, 4, 8 or 16. Blocks of other sizes are several cells, which
      may overlap, or a memcpy.
    - **vector**: 16 or 64 bytes, which one load and one store move, in the registers of the processor.
    - **line**: a cache line, 64 bytes, at a multiple of 64.
    - **fill**: the fill value of a call, or its address; it is repeated every *width* bytes.

Where it lies
    - **offset**: the distance from an array's element 0, or from the first byte of an output.
    - **pitch**: the distance between neighbours: ``dst_pitch`` in the output and ``src_pitch`` in the source, from
      output to output or from row to row; ``index_pitch`` from index to index. It may be negative or 0. Plans and
      arrays call it a byte stride.

How a table is divided
    - **table**: 64-bit integers. The gather kernel's has a *header*, then for each part its row, its axis rows, its
      shuffle program and its lists of runs.
    - **part**: outputs of one plan, in one array: all of them, an interior, or one edge. A result that several plans
      write has parts for each *piece*.
    - **axis**: an axis of a part, with its *count* of outputs. The *last* axis is the innermost one; the others are
      *outer*.
    - **affine axis**: one run between two outputs, and on either side one repeated block or the fill value.
    - **periodic axis** (``PERIODIC``): positions on a circle, *advance* positions from output to output. The indices
      are on the circle once, or there and back from a *reflection point* (``REFLECTION``). A *segment* is outputs that
      are read at one pitch; after a *period* (``CYCLE``) of outputs the axis repeats itself.
    - **piecewise axis** (``PIECEWISE``): any runs, which the table lists one by one: axes that are reflected twice.
    - **run**: outputs of one axis that are read at one pitch, or that are all the fill value.
    - **row**: the outputs of the last axis at one place of the outer ones.
    - **row block**: rows at equal distances, in the output and in the source.
    - **padded row**: one long contiguous run (its *middle*), and on either side a few cells, a run or the fill value.
    - **plane**: the last two axes of a part, where they move together; the last but one is then the *inner* axis.
    - **tuple** (``TUPLES``): a work item of a plane that has a shuffle program. A *group* is the tuples that the
      program makes at once: each of its vectors takes bytes from *windows*, which are 16 bytes of the source.
    - **tile**: rows and columns of a plane that are moved together, because they stay in the first-level cache; or a
      box of a result that is converted. A *strip* is a column of tiles; a *register tile* has 16 bytes a side.

How work is divided
    - **work item** (``ITEMS``): one output of the last axis at one place of the outer axes; in a plane, with all
      outputs of the inner axis. It is the smallest share of a thread.
    - **chunk**: the share of one thread, or *worker*: an equal number of work items of each part.
    - **round**: where a table has several parts, a chunk takes some work items of each part in turn; a round is one
      turn.
    - **out-of-line kernel**: a function that is compiled once and called, not copied into its callers.

How it is written
    - **staging buffer**: a buffer in the first-level cache, in which output is put together until whole lines of it can
      leave. *To stage* is to write there.
    - **to stream**: to write whole lines past the caches, by nontemporal stores.
    - **nontemporal writer**: which bytes of an output have been streamed, and which are staged.
"""

# Import `_form` now: machine code that reads tables must be compiled from the sources of the code that writes them.
from fastops.kernels import _form as _form
