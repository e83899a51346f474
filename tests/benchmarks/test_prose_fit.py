import numpy as np

from benchmarks.prose_fit import auc, exact, f1, fit, gain, logistic, normal


def test_words_are_compared_as_the_paper_does() -> None:
    assert normal("The “Larkin-Mills”, Inc.") == ("larkin", "mills", "inc")
    assert f1(("a", "b"), ("b", "c")) == 0.5
    assert exact(["$5", "$3"], [["$3", "$5"]])
    assert not exact(["$5"], [["$3", "$5"]])


def test_the_very_words_gain_most() -> None:
    gold = [["higher freight rates"]]
    assert gain(["Higher freight rates"], gold) == 1.0
    assert 0.0 < gain(["due to higher freight rates"], gold) < 0.4
    assert gain(["resin"], gold) == 0.0


def test_weights_choose_what_is_right() -> None:
    matrices = [np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.2, 0.9], [0.8, 0.1]])]
    weights = fit(matrices, [np.array([0.0, 1.0]), np.array([1.0, 0.0])], 0.001)
    assert weights[1] > weights[0]


def test_the_logistic_finds_the_share() -> None:
    matrix = np.array([[1.0, 0.0]] * 10 + [[1.0, 1.0]] * 10)
    right = np.array([1.0] * 2 + [0.0] * 8 + [1.0] * 8 + [0.0] * 2)
    weights = logistic(matrix, right, 1e-6)
    shares = 1 / (1 + np.exp(-matrix @ weights))
    assert np.allclose([shares[0], shares[-1]], [0.2, 0.8], atol=1e-3)


def test_the_share_of_pairs_in_their_order() -> None:
    assert auc([0.9, 0.4], [0.5]) == 0.5
    assert auc([], [0.5]) == 0.5
