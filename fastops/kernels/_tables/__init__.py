"""The layouts of the int64 tables that Python and kernels share. No code.

The terms of tables and kernels follow. All distances and sizes in memory are bytes unless they say words; a *step* is
an increment of values, in ranges only, and a *stride* is an increment of source coordinates.

What is moved
    - **element**: what a dtype makes an array of; *width* bytes.
    - **block**: bytes, of one element or of several, that are contiguous on both sides and always move together.
    - **cell**: what one load and one store move: 1, 2, 4, 8 or 16 bytes. Blocks of other sizes are several cells, which
      may overlap, or a memcpy.
    - **vector**: 16 or 64 bytes, which one load and one store of whatever registers there are move.
    - **line**: a cache line, 64 bytes, at a multiple of 64.
    - **fill**: the fill value of a call, or its address; it is repeated every *width* bytes.

Where it lies
    - **offset**: how far from an array's element 0, or from where an output begins.
    - **pitch**: from one to the next of what a name or docstring says: ``dst_pitch`` in the output and ``src_pitch`` in
      the source from output to output, or from row to row where rows are moved; ``index_pitch`` from index to index.
      It may be negative or 0. In plans and arrays the same is a byte stride.

How a table is divided
    - **table**: 64-bit integers. The gather kernel's has a *header*, then part rows, then the axis rows and the program
      of each part.
    - **part**: what one plan writes, into one output. A result that several plans write has a part for each *piece*;
      kernels know nothing of pieces.
    - **axis**: an axis of a part, with its *count* of outputs. The *last* axis is the innermost one; the others are
      *outer*.
    - **affine axis**: one run between two outputs, and on either side one repeated block or the fill value. A plan's
      plain axes and segments are such.
    - **walk**: an axis on a circle of positions, *advance* positions at a time. It *turns* where the circle is closed
      or folded back; after a *cycle* of outputs it repeats itself.
    - **listed axis**: an axis of any runs, which the table has one by one: what axes become that are folded twice.
    - **run**: outputs of one axis that are read at one pitch, or that are all the fill value.
    - **row**: the outputs of the last axis at one place of the outer ones.
    - **band**: rows that follow each other and lie each as far from the one before, in the output and in the source.
    - **frame**: what rows of one long contiguous run have in common: a few cells before it, the run (its *span*), a few
      cells behind it.
    - **plane**: the last two axes of a part, where they move together; the last but one is then the *inner* axis.
    - **pixel**: a grain of a plane that has a shuffle program. A *group* is as many pixels as its vectors make at once,
      of *windows* of 16 bytes of the source.
    - **tile**: rows and columns of a plane that are moved before others, because they stay in the first-level cache. A
      *strip* is the tiles one below the other.

How work is divided
    - **grain**: one output of the last axis at one place of the outer ones, with all of the inner axis in a plane: the
      least that threads share.
    - **chunk**: the share of one thread, or *worker*: as many grains of each part as any other has.
    - **round**: one of the turns in which a chunk takes its share of each part, where a table has several.
    - **out-of-line kernel**: a function that is compiled once and called, not copied into its callers.

How it is written
    - **stage**: a buffer in the first-level cache, in which output is put together until whole lines of it can leave.
    - **portion**: what of a run or of a plane is staged at once.
    - **to stream**: to write whole lines past the caches.
    - **writer**: what knows which bytes of an output have been streamed, and which are staged.
"""

# Now: what reads tables must have been made of the sources that lay them out.
from fastops.kernels import _sources as _sources
