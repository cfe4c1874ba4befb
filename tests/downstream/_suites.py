"""The suites: which tests of which library, and those of them that write through a view of NumPy's."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Suite:
    """Tests of a library.

    Attributes
    ----------
    name : str
    modules : tuple of str
        Modules and packages of tests, by their full names.
    views : dict
        Tests that need NumPy's views, since they, or what they test, write through one, or try to: the end of each
        one's name, without parameters, and what writes.
    """

    name: str
    modules: tuple[str, ...]
    views: dict[str, str] = field(default_factory=dict)


_SCALE = "sklearn.preprocessing.scale writes through np.rollaxis"

SUITES = (
    Suite("pywt", ("pywt",)),
    Suite(
        "skimage",
        (
            *("skimage.util", "skimage.transform", "skimage.exposure"),
            *("skimage.filters.tests.test_gaussian", "skimage.filters.tests.test_median"),
            *("skimage.feature.tests.test_corner", "skimage.feature.tests.test_hog", "skimage.feature.tests.test_util"),
            *("skimage.restoration.tests.test_restoration", "skimage.measure.tests.test_blur_effect"),
        ),
    ),
    Suite(
        "scipy.ndimage",
        ("scipy.ndimage",),
        {"TestVectorizedFilter::test_against_generic_filter": "ndimage.vectorized_filter writes through np.moveaxis"},
    ),
    Suite(
        "scipy.signal",
        tuple(f"scipy.signal.tests.test_{name}" for name in ("signaltools", "savitzky_golay", "spectral", "upfirdn")),
        {
            f"TestOAConvolve::test_{name}": "signal.oaconvolve writes through np.split"
            for name in ("real_manylens", "1d_noaxes", "1d_axes", "2d_noaxes", "2d_axes")
        },
    ),
    Suite(
        "sklearn",
        (
            *("sklearn.preprocessing.tests.test_data", "sklearn.preprocessing.tests.test_common"),
            "sklearn.feature_extraction.tests.test_image",
        ),
        {
            f"::test_{name}": _SCALE
            for name in (
                *("missing_value_handling", "scale_1d", "scale_function_without_centering", "scaler_2d_arrays"),
                *("standard_scaler_numerical_stability", "power_transformer_1d", "power_transformer_2d"),
            )
        },
    ),
    Suite(
        "xarray",
        tuple(f"xarray.tests.test_{name}" for name in ("variable", "duck_array_ops", "nputils")),
        {"TestVariable::test_rolling_window": "expects that the windows of sliding_window_view are read-only"},
    ),
    Suite("pandas", ("pandas.tests.reshape", "pandas.tests.indexes.multi", "pandas.tests.arrays.categorical")),
)
