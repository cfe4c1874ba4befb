"""Where OpenVINO departs from its own specification, or fastops answers differently."""

from __future__ import annotations

from math import prod

from tests.conformance._family_rules import crops_too_much
from tests.conformance._range_rules import is_beyond_float64, is_one_float64, output_type, steps_by_nothing
from tests.conformance._rules import RULES, Parameters, Verdict
from tests.conformance._slice_rules import Position, positions_of, shrinks_outside


def _is_bfloat16(case: Parameters) -> bool:
    return output_type(case) == "bfloat16"


def _is_empty(case: Parameters) -> bool:
    return prod(case["input_shape"]) == 0


def _ignores_begin_mask(case: Parameters) -> bool:
    """Whether an axis is dropped at an index other than 0 where begin is masked."""

    def is_elsewhere(each: Position) -> bool:
        return each.kind == "shrink" and each.begin_masked and each.extent is not None and each.begin % each.extent != 0

    is_shrink = RULES["StridedSlice"](case) == "shrink: with begin_mask or end_mask"
    return is_shrink and any(is_elsewhere(each) for each in positions_of(case))


_OPENVINO = "OpenVINO"

#: What is said both of recorded cases and of random calls.
PAD_OF_AN_EMPTY_AXIS = (
    "Refuses to reflect where an axis is empty, though that axis has no pads: Pad-12 limits pads to d - 1, which is -1 "
    "here. fastops accepts pads of 0, because they reflect nothing."
)
STEP_OF_NOTHING = (
    'Gives no elements where the step is 0 once it is truncated. Range-4: "behavior is undefined". fastops refuses it.'
)
LONE_SHIFT = (
    'Does not evaluate a scalar shift of several axes. Roll-7: "If shift is a scalar, each dimension specified in '
    'the axes tensor are rolled by the same shift value."'
)

OPENVINO = (
    Verdict(
        *(_OPENVINO, "Patches"),
        "Gives no channels for a size of 0 with same_upper and same_lower, and fails with valid, whose shape it cannot "
        'infer. ExtractImagePatches-3: sizes are "non-negative", and nothing says how many empty patches there are. '
        "fastops refuses them.",
        leaves=False,
        rule="sizes: 0",
    ),
    Verdict(
        *(_OPENVINO, "Patches"),
        'Takes negative sizes, strides and rates. ExtractImagePatches-3: all are "non-negative". fastops refuses them.',
        leaves=True,
        when=lambda case: "negative" in RULES["Patches"](case),
    ),
    Verdict(
        *(_OPENVINO, "Broadcast"),
        "Crashes (SIGFPE) where data has no elements. Broadcast-3 takes data of any shape.",
        leaves=True,
        when=_is_empty,
    ),
    Verdict(
        *(_OPENVINO, "Broadcast"),
        "Crashes (SIGABRT) at a negative axis of axes_mapping. Broadcast-3 has no such axes; fastops raises.",
        leaves=False,
        rule="explicit: an axis out of range",
    ),
    Verdict(
        *(_OPENVINO, "Pad"),
        PAD_OF_AN_EMPTY_AXIS,
        leaves=False,
        rule="an empty axis: without pads",
        when=lambda case: case["mode"] == "reflect",
    ),
    Verdict(
        *(_OPENVINO, "Pad"),
        'Refuses to crop more than there is. Pad-12: the output has "dimensions max(pads_begin[D] + data.shape[D] + '
        'pads_end[D], 0)", so that it would be empty. fastops refuses such crops too.',
        leaves=True,
        alike=True,
        when=crops_too_much,
    ),
    Verdict(
        *(_OPENVINO, "Range"),
        STEP_OF_NOTHING,
        leaves=False,
        when=steps_by_nothing,
    ),
    Verdict(
        *(_OPENVINO, "Range"),
        "Converts to bfloat16 by truncation where the last bit that is kept is 0, else to the nearest value. Range-4 "
        "ends "
        'with "The rounding for casting values are done towards zero", beside casts of the inputs. fastops truncates '
        "those, and gives the nearest value of the output type, as OpenVINO's CPU plugin does.",
        leaves=False,
        when=_is_bfloat16,
    ),
    Verdict(
        *(_OPENVINO, "Range"),
        "Converts a start of 64 bits to float64, which cannot tell it from its neighbours. Range-4 calculates in a "
        'type of "better or equal accuracy for accumulation than output_type".',
        leaves=True,
        when=lambda case: is_beyond_float64(case) and not is_one_float64(case),
    ),
    Verdict(
        *(_OPENVINO, "Range"),
        "Counts integers of 64 bits in float64, where start and stop are the same number. Range-4: "
        '"The number of elements is calculated in the floating-point type". fastops counts exactly.',
        leaves=False,
        when=lambda case: is_beyond_float64(case) and is_one_float64(case),
    ),
    Verdict(
        *(_OPENVINO, "Range"),
        'Node.evaluate has no float8 output. Range-4: "any numeric type". OpenVINO\'s CPU plugin answers as fastops '
        "does.",
        leaves=True,
        rule="float8 output",
    ),
    Verdict(
        *(_OPENVINO, "Roll"),
        LONE_SHIFT,
        leaves=True,
        rule="shift: a scalar, several axes",
    ),
    Verdict(
        *(_OPENVINO, "Roll"),
        "Does not evaluate empty lists of shifts and axes. Roll-7 asks for lists of the same size, and sets no "
        "minimum.",
        leaves=True,
        rule="axes: none",
    ),
    Verdict(
        *(_OPENVINO, "Roll"),
        "Ignores an axis that is named for data of rank 0, which has none. Roll-7 does not say what an axis out of "
        "range means. fastops refuses it, as it does for other ranks.",
        leaves=False,
        rule="data of rank 0",
    ),
    Verdict(
        *(_OPENVINO, "Split"),
        "Takes lengths whose sum exceeds the axis beside a -1, and reads outside of data. VariadicSplit-1: their sum "
        'must match data.shape[axis], and -1 "means all remaining items". fastops refuses them.',
        leaves=True,
        rule="lengths: -1 stands for less than nothing",
    ),
    Verdict(
        *(_OPENVINO, "Split"),
        "Takes an empty list of lengths for an empty axis, whose sum is right, and has no defined output. fastops "
        "refuses an empty list, because a call without lengths has no outputs.",
        leaves=False,
        rule="lengths: none, an empty axis",
    ),
    Verdict(
        *(_OPENVINO, "StridedSlice"),
        "Reads or writes out of bounds for some negative strides on an empty axis. "
        'StridedSlice-1: "Out-of-bounds values are silently clamped".',
        leaves=True,
        rule="an empty axis: negative step",
    ),
    Verdict(
        *(_OPENVINO, "StridedSlice"),
        "Does not clamp an end of 2^64 - 1, of type u64, and has no defined result. StridedSlice-1: indices are of "
        '"any supported integer type", and "Out-of-bounds values will be silently clamped".',
        leaves=True,
        rule="index types other than int32 and int64",
        when=lambda case: case["index_dtype"] == "uint64",
    ),
    Verdict(
        *(_OPENVINO, "StridedSlice"),
        'Reads or writes out of bounds for data of rank 0. StridedSlice-1 takes data of "arbitrary shape".',
        leaves=True,
        rule="data of rank 0: no index",
    ),
    Verdict(
        *(_OPENVINO, "StridedSlice"),
        "Refuses masks of different lengths. StridedSlice-1 has [0] as the default of three of them, beside others of "
        "any length. fastops pads each with zeros.",
        leaves=True,
        rule="masks: of different lengths",
    ),
    Verdict(
        *(_OPENVINO, "StridedSlice"),
        "Has no defined result where ellipsis_mask and new_axis_mask are set at one position. StridedSlice-1 gives no "
        "order of the masks. fastops takes the ellipsis first, as OpenVINO's CPU plugin and TensorFlow do.",
        leaves=False,
        rule="masks: several bits at one position",
    ),
    Verdict(
        *(_OPENVINO, "StridedSlice"),
        "Refuses an index outside of an axis that is dropped. StridedSlice-1: begin's \"Out-of-bounds values are "
        'silently clamped", with no exception for dropped axes. fastops refuses it too.',
        leaves=True,
        alike=True,
        example="ov_ss_226",
        when=shrinks_outside,
    ),
    Verdict(
        *(_OPENVINO, "StridedSlice"),
        'Drops an axis at index begin[i] though begin_mask[i] is 1. StridedSlice-1: "the value of begin[i] is ignored '
        'and the range of the appropriate dimension starts from 0". fastops does as Node.evaluate and TensorFlow do; '
        "OpenVINO's CPU plugin takes index 0.",
        leaves=True,
        alike=True,
        when=_ignores_begin_mask,
    ),
    Verdict(
        *(_OPENVINO, "Tile"),
        'Crashes (SIGSEGV) where data has rank 0 and repeats are empty. Tile-1: the output has the "maximum '
        'from count of dimensions in data shape and number of elements in repeats", which is 0.',
        leaves=True,
        rule="data of rank 0: without repeats",
    ),
)
