"""Sources that a report cites beside those that the tests bring themselves."""

from __future__ import annotations

from collections.abc import Mapping

DEMSAR = "Demsar, J. (2006). Statistical comparisons of classifiers over multiple data sets. JMLR 7, 1-30."
MEAN_RANKS = (
    "Benavoli, A., Corani, G., Mangili, F. (2016). Should we really use post-hoc tests based on mean-ranks? "
    "JMLR 17(5), 1-10."
)
MATRIX = (
    "Ismail-Fawaz, A., Dempster, A., Tan, C. W., Herrmann, M., Miller, L., Schmidt, D. F., Berretti, S., "
    "Weber, "
    "J., Devanne, M., Forestier, G., Webb, G. I. (2023). An approach to multiple comparison benchmark "
    "evaluations that is stable under manipulation of the comparate set. arXiv:2305.11921."
)
CROSS_VALIDATION = (
    "Kohavi, R. (1995). A study of cross-validation and bootstrap for accuracy estimation and model "
    "selection. "
    "IJCAI, 1137-1143."
)
FIVE_BY_TWO = (
    "Dietterich, T. G. (1998). Approximate statistical tests for comparing supervised classification "
    "learning "
    "algorithms. Neural Computation 10(7), 1895-1923."
)

#: plugin -> the paper that its method is from
METHODS: Mapping[str, str] = {
    "c45": "Quinlan, J. R. (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.",
    "vfc45": "Cherfi, A., Nouira, K., Ferchichi, A. (2018). Very fast C4.5 decision tree algorithm. Applied "
    "Artificial Intelligence 32(2), 119-137.",
    "cart": "Breiman, L., Friedman, J. H., Olshen, R. A., Stone, C. J. (1984). Classification and Regression "
    "Trees. Wadsworth.",
    "random_forest": "Breiman, L. (2001). Random forests. Machine Learning 45(1), 5-32.",
}

#: correction -> its paper
CORRECTIONS: Mapping[str, str] = {
    "holm": "Holm, S. (1979). A simple sequentially rejective multiple test procedure. Scandinavian "
    "Journal of "
    "Statistics 6(2), 65-70.",
    "hommel": "Hommel, G. (1988). A stagewise rejective multiple test procedure based on a modified "
    "Bonferroni "
    "test. Biometrika 75(2), 383-386.",
    "hochberg": "Hochberg, Y. (1988). A sharper Bonferroni procedure for multiple tests of significance. "
    "Biometrika 75(4), 800-802.",
    "shaffer": "Shaffer, J. P. (1986). Modified sequentially rejective multiple test procedures. Journal "
    "of the "
    "American Statistical Association 81(395), 826-831.",
    "bonferroni": "Dunn, O. J. (1961). Multiple comparisons among means. Journal of the American Statistical "
    "Association 56(293), 52-64.",
    "benjamini_hochberg": "Benjamini, Y., Hochberg, Y. (1995). Controlling the false discovery rate: a "
    "practical "
    "and powerful approach to multiple testing. Journal of the Royal Statistical Society B 57(1), 289-300.",
}
