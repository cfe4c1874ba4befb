"""The layout of the int64 table that the gather kernel runs: one header, then part after part with its axes.

The scheduler writes the table, and the kernel reads it; these numbers are all that they share. All offsets and pitches
are bytes. Axes of a part stand from the outermost to the innermost. `fastops.kernels._tables` defines the terms.
"""

# Header.
# - PARTS: number of parts, which follow the header
# - TOTAL_BYTES: bytes written by all parts together
PARTS, TOTAL_BYTES, HEADER_COLUMNS = range(3)

# A part: outputs of one plan, in one array.
# - DST_INDEX: which output
# - DST_OFFSET: from its element 0 to the output of coordinate 0
# - SRC_OFFSET: from the source's element 0 to the element that the output of coordinate 0 reads
# - BLOCK: bytes that are contiguous on both sides and move as one element
# - WIDTH: bytes of an element of the dtype: the period of a fill
# - PLANE: how the last two axes move: NO_PLANE one by one; together by TILES, TRANSPOSED or TUPLES
# - AXES: number of axis rows, at least 1; the rows follow the part's row, and its shuffle program follows these
# - ITEM_BYTES: bytes of a work item: of a block, or of all blocks of a plane's inner axis
# - STREAMS: 1: the output leaves in whole cache lines, past the caches
# - SRC_LOW: the lowest byte of the source, counted from its element 0
# - SRC_HIGH: one more than the highest byte
# - ITEMS: number of work items
# - FILL_OFFSET: from the first fill value to the part's
# - LENGTH: words from this part to the next: of its row, its axes, its program and its lists
DST_INDEX, DST_OFFSET, SRC_OFFSET, BLOCK, WIDTH, PLANE, AXES, ITEM_BYTES, STREAMS, SRC_LOW, SRC_HIGH = range(11)
ITEMS, FILL_OFFSET, LENGTH, PART_COLUMNS = range(11, 15)

#: Work that writes fewer bytes than this runs serially: from here on, two threads were measured to be faster.
PARALLEL_BYTES = 3 << 17

#: Work that writes more bytes than this is done in several launches, and Ctrl-C waits for one launch. Memory that a
#: virtual machine had never touched was written at 0.36 GB/s; one launch then takes 0.2 s.
LAUNCH_BYTES = 1 << 26

#: New arrays of fewer bytes do not come from the pool of results.
POOLED_BYTES = 1 << 20

# The values of PLANE. NO_PLANE: no plane; TILES: run by run, in tiles; TRANSPOSED: the source is dense along one axis,
# the output along the other; TUPLES: by a shuffle program.
NO_PLANE, TILES, TRANSPOSED, TUPLES = range(4)

#: Blocks of padded rows have at most this many bytes: they are pixels, not whole images.
LARGEST_PADDED_BLOCK = 16

# An axis. Kinds share the first columns; DST_PITCH leads from one output to the next in the destination.
# - AFFINE: one affine run [LO, HI), with a constant or the fill value on either side
# - PERIODIC: positions with a period, each of which stands for one source index
# - PIECEWISE: any runs, which are listed behind the axes and the program of the part
KIND, COUNT, DST_PITCH = range(3)
AFFINE, PERIODIC, PIECEWISE = range(3)

# Columns of an affine axis.
# - FIRST: source offset of output LO
# - SRC_PITCH: from one output to the next in the source
# - BEFORE: source offset of every output below LO, or FILL
# - AFTER: source offset of every output from HI on, or FILL
LO, HI, FIRST, SRC_PITCH, BEFORE, AFTER = range(3, 9)

# Columns of a periodic axis.
# - START: position of output 0, in [0, PERIOD)
# - ADVANCE: positions from one output to the next: (-PERIOD/2, PERIOD/2], and >= 0 where REFLECTION is not
#   NO_REFLECTION
# - REFLECTION: position c stands for index min(c, REFLECTION - c)
# - TOP: the last position before the reflection: positions up to it stand for themselves
# - INDEX_PITCH: from one index to the next in the source
# - CYCLE: outputs after which the position of output 0 comes again
START, ADVANCE, PERIOD, REFLECTION, TOP, INDEX_PITCH, CYCLE, AXIS_COLUMNS = range(3, 11)

# Columns of a piecewise axis: the number of runs, and words from the beginning of the axis's row to the first of them.
RUNS, LIST = 3, 4

# A run of such a list. Behind the last run of the list stands one more, which begins at COUNT.
# - RUN_BEGIN: the first output
# - RUN_FIRST: its source offset, or FILL
# - RUN_SRC_PITCH: from one output to the next in the source
RUN_BEGIN, RUN_FIRST, RUN_SRC_PITCH, RUN_COLUMNS = range(4)

FILL = -(2**63)  # in BEFORE, AFTER and RUN_FIRST: no source, the fill value
NO_REFLECTION = 2**62  # in REFLECTION: beyond every position, so each one stands for itself

# Measured limits, for schedules and for other compiled code.
LARGEST_BLOCK = 1024  # bytes of contiguous innermost axes that become one element of the axis outside them: longer ones
# stay an axis of their own, which threads can share
SHORTEST_STREAMED_ROW = 1024  # bytes of rows with gaps between them: their ends are no whole cache lines
STREAM_BYTES = 1 << 24  # outputs of fewer bytes stay in the caches
SHORTEST_ROW = 128  # shorter rows are planes: the set-up of each row would take too long
FEW_ROWS, FEW_BYTES = 16, 512  # up to this many rows of up to this many bytes are no plane: a plane would not be faster
FEWEST_TRANSPOSED_ROWS = 4  # fewer transposed rows than this are not worth a tile
LARGEST_TRANSPOSED_BLOCK = 64  # longer ones fill cache lines by themselves
SMALLEST_PEELED = 1 << 12  # smaller results are one part, without an interior: several parts take longer

# A shuffle program, for planes that are dense in the output: how vectors of 16 bytes make groups of tuples (outputs of
# the last axis).
# - PROGRAM_WINDOWS: windows of each vector: 16 bytes of the source, and the lanes of the vector that they fill
# - PROGRAM_LOW: the lowest source offset that a group reads, counted from its first tuple
# - PROGRAM_HIGH: one more than the highest
# - PROGRAM_VECTORS: vectors of a group
# - PROGRAM_TUPLES: tuples of a group
# - PROGRAM_REACH: bytes of the output that the vectors of a group span: at least the bytes of the group
# - PROGRAM_TOGETHER: vectors that one loop makes: 1, or all, which then share their windows if each has 3 or more
# - PROGRAM_PLANAR: 1 if a group has a vector for each output of the inner axis, apart from each other; 0 if dense
# - PROGRAM_ENTRIES: the first vector: its offset in the output, then its windows
PROGRAM_WINDOWS, PROGRAM_LOW, PROGRAM_HIGH, PROGRAM_VECTORS, PROGRAM_TUPLES, PROGRAM_REACH = range(6)
PROGRAM_TOGETHER, PROGRAM_PLANAR, PROGRAM_ENTRIES = range(6, 9)
WINDOW_COLUMNS = 3  # offset, then 16 lanes of a byte: 0..15, or NO_LANE where the window has no byte for the vector
NO_LANE = 128
MOST_WINDOWS = 4

# Bytes of a vector of a program, and of each window that it is made of.
VECTOR_BYTES = 16

# There are loops for groups of these numbers of vectors (keys) that share these numbers of windows (values). With fewer
# windows, each vector has its own.
SHARED_WINDOWS = {3: (3, 4), 4: (4,)}
FEWEST_SHARED_WINDOWS = 3
